"""Imports a file of a repository as the repository's own code does: as a module of its package, if it is in one."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
import traceback
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

MOST_FOLDERS = 6
"""How many folders above a file are searched, unless the repository ends earlier."""


class Place(NamedTuple):
    """Where a file is imported from. root : the folder on the path. names : packages and module, from there."""

    root: Path
    names: Tuple[str, ...]


STANDARD = frozenset(getattr(sys, "stdlib_module_names", sys.builtin_module_names))
"""The modules of the standard library: a file beside the function does not hide one."""


class Beside:
    """Finds a top-level module in a folder, before what is installed, but not one of the standard library's names."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[ModuleSpec]:
        """The module of that name; None for one inside a package, and for a folder without ``__init__.py``."""
        spec = None if path is not None or name in STANDARD else PathFinder.find_spec(name, [self.folder])
        return None if spec is None or spec.origin is None else spec


class Above:
    """Finds a top-level module in the folders above a file, and in ``src`` of each, the nearest first."""

    def __init__(self, path: Path, root: Path) -> None:
        self.path, self.root = path, root
        self.folders = [each for folder in (root, *folders_above(path)) for each in (folder, folder / "src")]
        self.modules = modules_of(path)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[ModuleSpec]:
        """The module of that name, None for one inside a package."""
        if path is not None or "." in name:
            return None
        specs = ((folder, PathFinder.find_spec(name, [str(folder)])) for folder in self.folders)
        found = (
            spec for folder, spec in specs if spec is not None and not is_around(folder / name, self.path, self.root)
        )
        return next(found, None) or self._under_another_name(name)

    def _under_another_name(self, name: str) -> Optional[ModuleSpec]:
        """The package in a folder that is called otherwise, as in a checkout: it has all modules that are imported.

        The file itself is none of them: ``metrics.py`` imports ``sklearn.metrics``.
        """
        inside = [module.split(".")[1:] for module in self.modules if module.split(".")[0] == name]
        for folder in self.folders if inside and all(inside) else ():
            places = [folder.joinpath(*parts) for parts in inside]
            around = (place for place in places if self.path.with_suffix("").is_relative_to(place))
            if all(map(_is_module, places)) and not any(around):
                spec = ModuleSpec(name, None, is_package=True)
                spec.submodule_search_locations = [str(folder)]
                return spec
        return None


def is_around(package: Path, path: Path, root: Path) -> bool:
    """Whether a file is in a package below its root: an absolute import does not mean that one.

    ``import torch`` in ``losses/torch/pairs.py`` means the installed one.
    """
    return path.is_relative_to(package) and package.parent != root


def _is_module(path: Path) -> bool:
    return path.with_name(f"{path.name}.py").is_file() or (path / "__init__.py").is_file()


def import_file(path: Path) -> ModuleType:
    """Import a file so that its own imports work: relative ones, and those of modules in the folders above it."""
    path = path.resolve()
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file")
    root, names = place_of(path)
    sys.meta_path.insert(0, Beside(root))
    sys.meta_path.append(Above(path, root))  # last: what is installed comes first
    if names[-1] == "__init__":
        names = names[:-1]
    if len(names) > 1 and names[0] not in sys.modules:
        return import_from_package(root, names)
    return load_alone(path, names[-1] if names[-1] not in sys.modules else f"audited_{names[-1]}")


def load_alone(path: Path, name: str) -> ModuleType:
    """The module of a file under a name."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def import_from_package(root: Path, names: Sequence[str]) -> ModuleType:
    """The module of a package.

    A package of which the ``__init__`` imports something that is missing, which the file itself may not need, is
    created empty, without running it.
    """
    for depth in range(1, len(names)):
        package, before = ".".join(names[:depth]), set(sys.modules)
        try:
            importlib.import_module(package)
        except ImportError:
            for name in set(sys.modules) - before:
                if name.split(".")[0] == names[0]:
                    del sys.modules[name]
            empty = ModuleType(package)
            empty.__path__ = [str(root.joinpath(*names[:depth]))]
            sys.modules[package] = empty
    return importlib.import_module(".".join(names))


def place_of(path: Path) -> Place:
    """The package that a file is in, by ``__init__.py`` files or by its own imports, whichever is deeper."""
    depth, folders = 0, list(path.parents)
    while (folders[depth] / "__init__.py").is_file() and depth + 1 < len(folders):
        depth += 1
    level, parts = imported(path)
    for index, folder in enumerate(folders[:MOST_FOLDERS]):
        if folder.name in parts and any((folder / part).exists() for part in parts[folder.name]):
            depth = max(depth, index + 1)
            break
    depth = min(max(depth, level), len(folders) - 1)
    while depth and any("." in folder.name for folder in folders[:depth]):
        depth -= 1
    return Place(folders[depth], (*(folder.name for folder in reversed(folders[:depth])), path.stem))


def imported(path: Path) -> "Tuple[int, dict[str, List[str]]]":
    """The highest level of a file's relative imports, and what it imports from each top package: files or folders."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):  # importing the file will raise it
        return 0, {}
    level = 0
    parts_of: "dict[str, List[str]]" = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            level = max(level, node.level)
        elif isinstance(node, ast.ImportFrom) and node.module:
            _, *rest = parts = node.module.split(".")
            inside = ["/".join([*rest, each.name]) for each in node.names]
            parts_of.setdefault(parts[0], []).extend(["/".join(rest), *inside] if rest else inside)
        elif isinstance(node, ast.Import):
            for each in node.names:
                parts = each.name.split(".")
                parts_of.setdefault(parts[0], []).append("/".join(parts[1:]))
    return level, {
        top: [name for part in parts if part for name in (part, f"{part}.py")] for top, parts in parts_of.items()
    }


def modules_of(path: Path) -> List[str]:
    """The modules that a file imports, with their packages: ``a.b`` for ``from a.b import c``."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):  # importing the file will raise it
        return []
    names = [each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names]
    from_ = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level]
    return [*names, *from_]


def folders_above(path: Path) -> List[Path]:
    """The folder of a file and those above it, up to the repository's, but not the home folder or one above it."""
    folders: List[Path] = []
    outside = {Path.home(), *Path.home().parents, path.parents[len(path.parents) - 1]}
    for folder in list(path.parents)[: MOST_FOLDERS + 1]:
        if folder in outside and folders:
            break
        folders.append(folder)
        if (folder / ".git").exists():
            break
    return folders


def files_of(error: BaseException) -> List[Path]:
    """The files through which an error came, the one that raised it last."""
    frames = [Path(frame.f_code.co_filename) for frame, _ in traceback.walk_tb(error.__traceback__)]
    return [path for path in frames if path.is_file()]


def missing_module(error: BaseException) -> str:
    """The module that a name stands for whose import failed and was passed over, as in ``try: import faiss``; or ""."""
    name = getattr(error, "name", None) if isinstance(error, NameError) else None
    files = files_of(error) if name else []
    nodes = ast.walk(ast.parse(files[-1].read_bytes())) if files else ()
    imported = (alias for node in nodes if isinstance(node, ast.Import) for alias in node.names)
    return next((alias.name for alias in imported if (alias.asname or alias.name.partition(".")[0]) == name), "")


def is_local(error: ModuleNotFoundError) -> bool:
    """Whether the missing module belongs to the repository of the file that imports it: no package index has it.

    One that an installed package imports does not, whatever parts that package has: ``faiss/contrib/torch``.
    """
    files = [path for path in files_of(error)[-1:] if "site-packages" not in path.parts]
    top = (error.name or "").partition(".")[0]
    folders = folders_above(files[-1]) if files and top else []
    return any((folder / name).exists() for folder in folders for name in (top, f"{top}.py", f"{top}.pyx"))


def installable(error: BaseException) -> BaseException:
    """An error that names a missing module only if it may be installed.

    Not if it is one of the repository, a compiled part of it (``_hamming``), or a part that an installed package has no
    more: ``torch.tensor``. A name whose import was passed over is a missing module.
    """
    passed_over = missing_module(error)
    if passed_over:
        missing = ModuleNotFoundError(f"No module named {passed_over!r}", name=passed_over)
        error = missing.with_traceback(error.__traceback__)
    if isinstance(error, ModuleNotFoundError):
        package, _, part = (error.name or "").partition(".")
        if package.startswith("_") or is_local(error) or (part and package in sys.modules):
            error.name = None
    return error
