"""An adapter's source, read without running it: whether it is Python, what its top level defines and imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from metric_harness.libraries.mistake import Mistake

HARNESS_PACKAGES = ("metric_harness", "metric_reports")
"""Packages of the project that a library's environment does not have."""
SUBJECTS_REMEDY = 'write SUBJECTS = {"NAME": Subject(ask, function)}, a key for each [subjects.NAME] of library.toml'
VERSION_REMEDY = "write def version() -> str, which returns the library's version"


@dataclass(frozen=True)
class AdapterText:
    """What the source of an adapter shows: its mistakes, and the line numbers that messages point at.

    subjects : the line of SUBJECTS (1 if unknown); names : the line of each key that is written in SUBJECTS;
    version : the line of ``version()`` (1 if unknown).
    """

    file: Path
    mistakes: tuple[Mistake, ...]
    subjects: int
    names: dict[str, int]
    version: int


def read_adapter(file: Path) -> AdapterText:
    """Read an adapter's file without running it."""
    try:
        tree = ast.parse(file.read_bytes(), str(file))
    except SyntaxError as error:
        mistake = Mistake(file, error.lineno, "", f"not Python: {error.msg}", "mend this line")
        return AdapterText(file, (mistake,), 1, {}, 1)
    except (ValueError, OSError, RecursionError, MemoryError) as error:  # a null byte; a folder; brackets too deep
        mistake = Mistake(file, None, "", f"cannot be read: {error}", "save it as a Python file in UTF-8")
        return AdapterText(file, (mistake,), 1, {}, 1)
    lines = dict(_defined_names(tree.body))
    mistakes = list(_forbidden_imports(file, tree))
    if "*" not in lines:
        for name, remedy in (("SUBJECTS", SUBJECTS_REMEDY), ("version", VERSION_REMEDY)):
            if name not in lines:
                mistakes.append(Mistake(file, 1, name, "missing", remedy))
    return AdapterText(
        file, tuple(mistakes), lines.get("SUBJECTS", 1), dict(_subject_keys(tree.body)), lines.get("version", 1)
    )


def line_of_function(text: AdapterText, name: str) -> int:
    """The line of a key of SUBJECTS; that of SUBJECTS itself if the key is not written there."""
    return text.names.get(name, text.subjects)


def _defined_names(body: list[ast.stmt]) -> Iterator[tuple[str, int]]:
    """The names that a module's top level defines, with their lines; ``*`` for a star import."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node.lineno
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield (alias.asname or alias.name).partition(".")[0], node.lineno
        else:
            for field in ("targets", "target"):
                targets = getattr(node, field, [])
                for target in targets if isinstance(targets, list) else [targets]:
                    for name in ast.walk(target):
                        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                            yield name.id, node.lineno
            for field in ("body", "orelse", "finalbody"):
                yield from _defined_names(getattr(node, field, []))
            for handler in getattr(node, "handlers", []):
                yield from _defined_names(handler.body)


def _subject_keys(body: list[ast.stmt]) -> Iterator[tuple[str, int]]:
    """The keys of ``SUBJECTS = {...}`` and ``SUBJECTS["..."] = ...``, with their lines."""
    for node in body:
        if not isinstance(node, (ast.Assign, ast.AnnAssign)):
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            keys: list[ast.expr | None] = []
            if isinstance(target, ast.Name) and target.id == "SUBJECTS" and isinstance(node.value, ast.Dict):
                keys = node.value.keys
            elif isinstance(target, ast.Subscript) and getattr(target.value, "id", "") == "SUBJECTS":
                keys = [target.slice]
            for key in keys:
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, key.lineno


def _forbidden_imports(file: Path, tree: ast.Module) -> Iterator[Mistake]:
    """A mistake for each import of a package of the harness."""
    for node in ast.walk(tree):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            modules = [node.module or ""]
        for module in modules:
            if module.partition(".")[0] in HARNESS_PACKAGES:
                assert isinstance(node, (ast.Import, ast.ImportFrom))
                what = f"imports {module}, which is not in the library's environment"
                yield Mistake(file, node.lineno, "", what, "import from metric_adapters and metric_reference alone")
