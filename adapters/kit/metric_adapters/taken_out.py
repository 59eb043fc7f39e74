"""Takes one function out of a file that does not import: with the statements that it refers to, and no others."""

from __future__ import annotations
import __future__

import ast
import builtins
import dis
import sys
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Collection, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set

from metric_adapters.imports import STANDARD, folders_above, installable, is_around, place_of
from metric_adapters.inner import DEFINITIONS
from metric_adapters.put_back import MOVED


class Taken(NamedTuple):
    """How a function was taken out of its file. error : of the import of the whole file.

    ran, of : statements of its top level that ran, and that it has.
    """

    error: str
    ran: int
    of: int


TAKEN: List[Taken] = []
"""What this process took out: at most one entry, as it loads one function."""


class Missing:
    """Stands for a name of a module that is not installed: it raises that error where it is used.

    The error is noted in ``USED``, as a function may catch it and go another way.
    """

    def __init__(self, error: BaseException) -> None:
        self.__error = error

    def __raise(self, *_: Any, **__: Any) -> Any:
        USED.append(ModuleNotFoundError(*self.__error.args, name=getattr(self.__error, "name", None)))
        raise USED[-1]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what Python itself asks of any object
            raise AttributeError(name)
        return self.__raise()

    def __instancecheck__(self, value: Any) -> bool:
        return False

    __call__ = __getitem__ = __iter__ = __bool__ = __mro_entries__ = __raise


USED: List[ModuleNotFoundError] = []
"""Raised by what stands for missing modules, since this list was emptied."""


def take_out(path: Path, name: str, error: BaseException, more: Sequence[ast.stmt] = ()) -> ModuleType:
    """A module with one name of a file's top level and what it refers to, also in the files that it imports from.

    name : of a function, a class or a method. error : of the import of the whole file. more : statements after those of
    the file. Annotations stay text: what only they name is not imported. What fails to be imported, and only other
    functions read, is a :class:`Missing`.

    Raises that error if the file does not define the name, and what the statements that ran raise.
    """
    path = path.resolve()
    root, names = place_of(path)
    part = Part(path, root, names, {}, more)
    name, _, method = name.partition(".")
    if not part.defines(name) and not part.defines("*"):
        raise error
    part.needs = part.read_at_once(name, method)
    part.value(name)
    TAKEN[:] = [Taken(f"{type(error).__name__}: {error}", len(part.ran), len(part.statements))]
    return part.module


class Part:
    """The part of a file that was needed so far.

    root, names : as in :class:`metric_adapters.imports.Place`. parts : those of the files read before, by path. more :
    statements after those of the file. ``needs`` are the names whose import must not fail.
    """

    def __init__(
        self, path: Path, root: Path, names: Sequence[str], parts: "Dict[Path, Part]", more: Sequence[ast.stmt] = ()
    ) -> None:
        self.path, self.root, self.parts = path, root, parts
        parts[path] = self
        packages = names if path.name == "__init__.py" else names[:-1]
        self.package = tuple(packages)
        body = ast.parse(path.read_bytes(), str(path)).body
        self.statements = [one for each in (*body, *more) for one in apart(each)]
        self.binds = [set(bound_by(statement)) for statement in self.statements]
        self.ran: Set[int] = set()
        self.needs: Set[str] = set()
        name = ".".join(names)
        self.module = ModuleType(name if name not in sys.modules else f"audited_{name}")
        vars(self.module).update(__file__=str(path), __package__=".".join(packages), __getattr__=self.value)
        sys.modules[self.module.__name__] = self.module  # where inspect looks for the source of a class

    def value(self, name: str) -> Any:
        """The value of a name of the top level, after the statements that it needs have run; AttributeError if none."""
        held = vars(self.module)
        if name not in held and not name.startswith("__"):
            for index in sorted(self.needed(name) - self.ran):
                self.ran.add(index)
                self.run(self.statements[index], name)
        if name not in held:
            raise AttributeError(f"{self.path} has no {name!r}")
        return held[name]

    def defines(self, name: str) -> bool:
        """Whether the top level binds a name."""
        return any(name in binds for binds in self.binds)

    def gives(self, name: str) -> bool:
        """Whether the top level has a name or can get it: an ``__init__`` that imports its submodule may be at it."""
        return name in vars(self.module) or any(
            name in binds for index, binds in enumerate(self.binds) if index not in self.ran
        )

    def needed(self, name: str) -> Set[int]:
        """The statements that bind a name, and those that they refer to."""
        indexes: Set[int] = set()
        known: Set[str] = set()
        waiting = [name]
        while waiting:
            name = waiting.pop()
            if name in known:
                continue
            known.add(name)
            unbound = not self.defines(name) and not hasattr(builtins, name)
            for index, binds in enumerate(self.binds):
                if unbound and "*" in binds:
                    self.run(self.statements[index], name)
                elif name in binds and index not in indexes:
                    indexes.add(index)
                    waiting.extend(read_by(self.compiled(self.statements[index])))
        return indexes

    def run(self, statement: ast.stmt, wanted: str) -> None:
        """Run a statement of the top level; of an import from a file beside it only what is wanted runs there."""
        if isinstance(statement, (ast.Import, ast.ImportFrom)) and self.take_from_own(statement, wanted):
            return
        try:
            exec(self.compiled(statement), vars(self.module))
        except ModuleNotFoundError as error:
            bound = next(bound_by(statement), "*")
            is_import = isinstance(statement, (ast.Import, ast.ImportFrom))
            if not is_import or error.name in MOVED or bound in {"*", *self.needs}:
                raise
            vars(self.module)[bound] = Missing(installable(error))

    def read_at_once(self, name: str, method: str) -> Set[str]:
        """The names of the top level that a function, a class or one method of it reads, but not what they call."""
        statements = [statement for statement, binds in zip(self.statements, self.binds) if name in binds]
        bodies = [one.body for one in statements if isinstance(one, ast.ClassDef) and method]
        methods = {each.name for body in bodies for each in body if isinstance(each, DEFINITIONS)}
        others = methods - {method}
        return {each for one in statements for each in read_by(self.compiled(one), others)}

    def compiled(self, statement: ast.stmt) -> CodeType:
        """The code of a statement, with annotations as text."""
        return compiled(statement, self.path)

    def take_from_own(self, statement: "ast.Import | ast.ImportFrom", wanted: str) -> bool:
        """Bind the one name of an import from the file's own repository; False if another package is imported."""
        held, (alias,) = vars(self.module), statement.names
        if isinstance(statement, ast.Import):
            part = self.part(tuple(alias.name.split(".")))
            if part is None or ("." in alias.name and alias.asname is None):
                return False
            held[alias.asname or alias.name] = part.module
            return True
        parts = tuple(statement.module.split(".")) if statement.module else ()
        level = statement.level
        names = (*self.package[: len(self.package) + 1 - level], *parts) if level else parts
        part, inside = self.part(names), self.part((*names, alias.name))
        if alias.name == "*":
            if part is None:
                return False
            if part.defines(wanted) or any("*" in binds for binds in part.binds):
                held.setdefault(wanted, part.value(wanted))
            return True
        if part is not None and (inside is None or part.gives(alias.name)):
            held[alias.asname or alias.name] = part.value(alias.name)
        elif inside is not None:
            held[alias.asname or alias.name] = inside.module
        return part is not None or inside is not None

    def part(self, names: Sequence[str]) -> "Optional[Part]":
        """The part of a module of the repository; None if none of its files has that name."""
        if not names or names[0] in STANDARD:
            return None
        for root in (self.root, *(each for folder in folders_above(self.path) for each in (folder, folder / "src"))):
            for path in (root.joinpath(*names).with_suffix(".py"), root.joinpath(*names, "__init__.py")):
                if path.is_file() and not is_around(root / names[0], self.path, self.root):
                    return self.parts.get(path) or Part(path, root, names, self.parts)
        return None


def compiled(statement: ast.stmt, path: Path) -> CodeType:
    """The code of a statement of a file, with annotations as text."""
    flags = __future__.annotations.compiler_flag
    code: CodeType = compile(ast.Module([statement], []), str(path), "exec", flags=flags, dont_inherit=True)
    return code


def apart(statement: ast.stmt) -> List[ast.stmt]:
    """A statement; of an import of several names one for each."""
    if isinstance(statement, ast.Import):
        return [ast.copy_location(ast.Import([alias]), statement) for alias in statement.names]
    if isinstance(statement, ast.ImportFrom):
        return [
            ast.copy_location(ast.ImportFrom(statement.module, [alias], statement.level), statement)
            for alias in statement.names
        ]
    return [statement]


def bound_by(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement of the top level binds, or whose object it changes; "*" for an import of all."""
    if isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test):
        return  # it runs only where the file is the program
    for node in at_top(statement):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            holder: ast.AST = node
            while isinstance(holder, (ast.Attribute, ast.Subscript)):
                holder = holder.value
            if isinstance(holder, ast.Name):
                yield holder.id


def at_top(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and what is inside it, but for the bodies of functions and classes."""
    yield node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        for child in ast.iter_child_nodes(node):
            yield from at_top(child)


def read_by(code: CodeType, but: Collection[str] = ()) -> Iterator[str]:
    """The names of the top level that compiled code reads or sets, in the functions inside it too.

    but : the names of functions inside it that are passed over.
    """
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_NAME", "LOAD_GLOBAL", "STORE_GLOBAL"):
            yield str(instruction.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and constant.co_name not in but:
            yield from read_by(constant, but)
