"""Which files a scan reads, and which it leaves out and why."""

from __future__ import annotations

import ast
import fnmatch
import os
import re
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from metric_harness.system.errors import HarnessError
from metric_reports.types.scan import Reason

LARGEST_FILE = 2 << 20
"""Bytes of the largest source file that is read."""
ENVIRONMENT_FOLDERS = ("site-packages", "dist-packages", "venv", "virtualenv", "node_modules", "__pypackages__")
BUILD_FOLDERS = ("build", "dist", "egg-info")
TEST_FOLDERS = ("test", "tests")
TEST = re.compile(rb"\b(unittest|pytest|absltest)\b|^class \w*Test|^ *(async )?def test_\w+\((self)?\)", re.MULTILINE)


@dataclass
class Files:
    """The source files of a path.

    root : the folder that the names are relative to. sources : files to read. left_out : how many files and folders of
    each kind were not read. unread : files that could not be read, with the reason.
    """

    root: Path
    sources: list[Path] = field(default_factory=list)
    left_out: Counter[Reason] = field(default_factory=Counter)
    unread: dict[str, str] = field(default_factory=dict)

    def name(self, path: Path) -> str:
        """A path relative to the root, with ``/``."""
        return path.relative_to(self.root).as_posix()


def find_files(path: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> Files:
    """The Python files of a file or folder.

    include, exclude : patterns such as ``src/*`` or ``*_metrics.py`` for the names relative to the path. A folder that
    is left out by default is read if a pattern of ``include`` begins with its name.

    Raises HarnessError for a path that does not exist or is no source file.
    """
    path = path.expanduser()
    if path.is_file():
        if path.suffix == ".ipynb":
            raise HarnessError(
                f"{path}: notebooks are not scanned; `jupyter nbconvert --to script` makes a file of one"
            )
        if path.suffix != ".py":
            raise HarnessError(f"{path}: no Python file; give a .py file or a folder")
        return Files(path.resolve().parent, [path.resolve()])
    if not path.is_dir():
        raise HarnessError(f"{path}: no such file or folder")
    files = Files(path.resolve())
    _walk(files, files.root, include, exclude)
    return files


def _walk(files: Files, folder: Path, include: Sequence[str], exclude: Sequence[str]) -> None:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        files.unread[files.name(folder)] = str(error.strerror)
        return
    for entry in entries:
        path = folder / entry.name
        name = files.name(path)
        is_folder = entry.is_dir(follow_symlinks=False)
        if entry.name == "__pycache__":
            continue
        if entry.is_symlink() and path.is_dir():  # may lead in a circle, or out of the tree
            files.left_out["link"] += 1
            continue
        kind: Reason | None = "excluded" if _matches(name, exclude) else _kind(path, is_folder)
        if kind == "excluded" or (kind and not any(pattern.startswith(name) for pattern in include)):
            if is_folder or entry.name.endswith((".py", ".ipynb")):
                files.left_out[kind] += 1
        elif is_folder:
            _walk(files, path, include, exclude)
        elif entry.name.endswith(".py"):
            if include and not _matches(name, include):
                files.left_out["excluded"] += 1
            elif not path.is_file():
                files.unread[name] = "no regular file"
            else:
                files.sources.append(path)


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(
        fnmatch.fnmatch(name, pattern)
        or fnmatch.fnmatch(name, f"{pattern.rstrip('/')}/*")
        or ("/" not in pattern and fnmatch.fnmatch(name.rpartition("/")[2], pattern))
        for pattern in patterns
    )


def _kind(path: Path, is_folder: bool) -> Reason | None:
    """Why a file or folder is left out; None where it is read."""
    name = path.name.lower()
    if name.endswith(".ipynb"):
        return "notebook"
    if not is_folder:
        tests = name.startswith("test_") or name == "conftest.py" or (name.endswith("_test.py") and _has_tests(path))
        return "tests" if tests else None
    if name.startswith("."):
        return "hidden"
    if name in ENVIRONMENT_FOLDERS or (path / "pyvenv.cfg").is_file() or (path / "conda-meta").is_dir():
        return "environment"
    if name in TEST_FOLDERS:
        return "tests"
    return "built" if name in BUILD_FOLDERS or name.endswith(".egg-info") else None


def _has_tests(path: Path) -> bool:
    """Whether a file holds tests; one named ``batch_test.py`` may compute metrics of a batch of users."""
    try:
        return not path.is_file() or path.stat().st_size > LARGEST_FILE or bool(TEST.search(path.read_bytes()))
    except OSError:
        return True


def parse(files: Files, path: Path) -> tuple[ast.Module, bytes] | None:
    """The syntax tree and the bytes of a file; None if it cannot be read, with the reason in ``files.unread``."""
    name = files.name(path)
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            files.unread[name] = f"too large ({size >> 20} MiB)"
            return None
        content = path.read_bytes()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in strings
            return ast.parse(content), content
    except OSError as error:
        files.unread[name] = str(error.strerror)
    except SyntaxError as error:
        old = " (Python 2?)" if "print" in str(error.msg) or "exec" in str(error.msg) else ""
        line = f", line {error.lineno}" if error.lineno else ""
        files.unread[name] = f"cannot be parsed{old}: {error.msg}{line}"
    except (ValueError, RecursionError, MemoryError) as error:  # null bytes, a wrong encoding, nested too deep
        files.unread[name] = f"cannot be parsed: {error}"
    return None


def local_imports(tree: ast.Module, path: Path, root: Path) -> list[Path]:
    """The files below the root that a file may import, whose content decides too what its functions compute."""
    imported: list[Path] = []
    above = [path.parent, *(folder for folder in path.parent.parents if folder.is_relative_to(root))]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = node.module.split(".") if node.module else []
            folders = [path.parents[node.level - 1]] if 0 < node.level <= len(path.parents) else above
            modules = [base, *([*base, alias.name] for alias in node.names)]
        elif isinstance(node, ast.Import):
            folders, modules = above, [alias.name.split(".") for alias in node.names]
        else:
            continue
        for folder in folders:
            for parts in filter(None, modules):
                module = folder.joinpath(*parts)
                files = (module.with_name(f"{module.name}.py"), module / "__init__.py")
                imported += [file for file in files if file.is_file() and root in file.parents]
    return list(dict.fromkeys(imported))
