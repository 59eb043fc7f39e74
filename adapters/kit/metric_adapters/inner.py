"""A function inside another one, or a method that never reads its object, as a function of the module."""

from __future__ import annotations

import ast
import copy
import symtable
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple, Union

Definition = Union[ast.FunctionDef, ast.AsyncFunctionDef]
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BINDERS = ("staticmethod", "classmethod")
"""Decorators that only say what a method is called on."""


class Inner(NamedTuple):
    """An inner function. maker : defines a function of the module, without parameters, that returns it.

    node : its definition. bound : its first parameter is an object that it never reads.
    """

    maker: ast.FunctionDef
    node: Definition
    bound: bool


class Around(NamedTuple):
    """A function around the inner one: its table of symbols, and by name the statements that bind its variables.

    None stands for what only a call can give: a parameter without a default, a computed value.
    """

    table: symtable.SymbolTable
    binds: Dict[str, List[Optional[ast.stmt]]]


def inner_function(tree: ast.Module, names: Sequence[str]) -> Optional[Inner]:
    """The function at ``outer.inner``, ``Class.method.inner`` or ``Class.method`` of a parsed file.

    None if there is none, or if it reads more of the functions around it than their inner functions, imports,
    constants and parameters with a constant default; for a method, if it reads its object.
    """
    body, table = tree.body, symtable.symtable(ast.unparse(tree), "", "exec")
    node: Optional[ast.AST] = None
    around: List[Around] = []
    bound = False
    for name in names:
        if isinstance(node, DEFINITIONS):
            around.insert(0, Around(table, bound_in(node)))
        bound = isinstance(node, ast.ClassDef)
        node = next((each for each in reversed(list(defined(body))) if each.name == name), None)
        tables = [each for each in table.get_children() if each.get_name() == name]
        if node is None or not tables or (bound and around):
            return None
        body, table = node.body, tables[-1]
    if not isinstance(node, DEFINITIONS) or len(names) < 2:
        return None
    static = "staticmethod" in map(ast.unparse, node.decorator_list)
    if bound:
        node = copy.copy(node)
        node.decorator_list = [each for each in node.decorator_list if ast.unparse(each) not in BINDERS]
        if not static and (not node.args.args or reads(node, node.args.args[0].arg)):
            return None
    statements = needed(node, table, around)
    if statements is None:
        return None
    (maker,) = ast.parse(f"def {'__'.join(names)}__maker(): return {node.name}").body
    assert isinstance(maker, ast.FunctionDef)
    maker.body = [*statements, *maker.body]
    return Inner(maker, node, bound and not static)


def needed(node: Definition, table: symtable.SymbolTable, around: Sequence[Around]) -> Optional[List[ast.stmt]]:
    """A definition and the statements of the functions around it that it reads, in their order; None if it is more.

    table : of the definition's own symbols. around : from the innermost function outwards.
    """
    statements: List[ast.stmt] = []
    waiting: List[Tuple[ast.stmt, symtable.SymbolTable, Sequence[Around]]] = [(node, table, around)]
    while waiting:
        statement, own, levels = waiting.pop()
        if statement in statements:
            continue
        statements.append(statement)
        frees = own.get_frees() if isinstance(own, symtable.Function) else ()
        for name in {*frees, *read_in_head(statement)}:
            inside = [level for level in levels if name in level.binds]
            if not inside and name in frees:
                return None
            if not inside:
                continue
            bindings = inside[0].binds[name]
            if len(bindings) != 1 or bindings[0] is None:
                return None
            child = next((each for each in inside[0].table.get_children() if each.get_name() == name), own)
            binding = bindings[0]
            waiting.append((binding, child, levels[levels.index(inside[0]) :]))
    return sorted(statements, key=lambda each: (isinstance(each, DEFINITIONS), each.lineno))


def read_in_head(statement: ast.stmt) -> Set[str]:
    """The names that a definition reads where it stands: in its decorators and defaults."""
    if not isinstance(statement, DEFINITIONS):
        return set()
    arguments = statement.args
    head = [*statement.decorator_list, *arguments.defaults, *(each for each in arguments.kw_defaults if each)]
    return {node.id for each in head for node in ast.walk(each) if isinstance(node, ast.Name)}


def bound_in(function: Definition) -> Dict[str, List[Optional[ast.stmt]]]:
    """By name, what binds the variables of a function."""
    binds: Dict[str, List[Optional[ast.stmt]]] = {}
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [*[None] * (len(positional) - len(arguments.defaults)), *arguments.defaults, *arguments.kw_defaults]
    for parameter, default in zip([*positional, *arguments.kwonlyargs], defaults):
        value = default if isinstance(default, ast.Constant) else None
        binds[parameter.arg] = [None if value is None else constant(parameter, value)]
    for rest in (arguments.vararg, arguments.kwarg):
        binds.update({} if rest is None else {rest.arg: [None]})
    for statement in function.body:
        fixed = isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
        for name, node in bound_by(statement):
            whole = isinstance(node, DEFINITIONS) or (fixed and node in getattr(statement, "targets", ()))
            kept = node if isinstance(node, DEFINITIONS) else statement
            imports = isinstance(statement, (ast.Import, ast.ImportFrom))
            binds.setdefault(name, []).append(kept if whole or imports else None)
    return binds


def constant(parameter: ast.arg, value: ast.Constant) -> ast.stmt:
    """A statement that binds the name of a parameter to its default."""
    statement = ast.parse(f"{parameter.arg} = {value.value!r}").body[0]
    return ast.increment_lineno(statement, parameter.lineno - 1)


def bound_by(node: ast.AST) -> Iterator[Tuple[str, ast.AST]]:
    """The names that a statement binds in its own scope, each with the node that does."""
    if isinstance(node, (*DEFINITIONS, ast.ClassDef)):
        yield node.name, node
        return
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name.partition(".")[0], node) for alias in node.names)
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id, node
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name, node
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from ((name, node) for name in node.names)
    for child in ast.iter_child_nodes(node):
        yield from bound_by(child)


def defined(body: Sequence[ast.stmt]) -> Iterator[Union[Definition, ast.ClassDef]]:
    """The functions and classes that a body defines, also inside ``if``, ``try``, ``with`` and loops."""
    for statement in body:
        if isinstance(statement, (*DEFINITIONS, ast.ClassDef)):
            yield statement
            continue
        for part in ("body", "handlers", "orelse", "finalbody"):
            yield from defined(getattr(statement, part, ()))


def reads(node: Definition, name: str) -> bool:
    """Whether the body of a function reads a name."""
    names = (each for statement in node.body for each in ast.walk(statement) if isinstance(each, ast.Name))
    return any(each.id == name for each in names)
