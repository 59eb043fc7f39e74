"""Methods of objects that cannot be made, or whose data other methods set: what they read there are parameters."""

from __future__ import annotations

import ast
import inspect
import linecache
from typing import Any, Callable, Dict, List, Optional, Set

from metric_adapters.calls.keys import attributes_read, fields_of, plain_function, set_at_first
from metric_adapters.calls.parameter_names import families
from metric_adapters.calls.signature import Parameters
from metric_adapters.calls.trees import called, parse

EMPTY = ("list", "dict", "set", "tuple", "OrderedDict", "deque", "Counter")
"""What makes an empty collection if it is given nothing."""


class OfState:
    """A method as a function of the attributes that it reads, then of its parameters.

    read : the same function as its own source, for its facts: an attribute is a name there.
    """

    def __init__(self, kind: Any, method: str, attributes: Dict[str, Any], tree: ast.FunctionDef) -> None:
        self.kind, self.method, self.attributes = kind, method, [*attributes]
        function = plain_function(kind, method)
        either_way = inspect.Parameter.POSITIONAL_OR_KEYWORD
        told = getattr(kind, "__annotations__", {})
        state = [
            inspect.Parameter(
                parameter(name), either_way, default=value, annotation=told.get(name, inspect.Parameter.empty)
            )
            for name, value in attributes.items()
        ]
        own = list(inspect.signature(function).parameters.values())[1:]
        ordered = sorted([*state, *own], key=lambda each: (each.kind, each.default is not each.empty))
        self.__signature__ = inspect.Signature(ordered)
        self.__doc__ = function.__doc__
        self.read = _readable(function, tree, state)

    @property
    def about(self) -> str:
        """How it is called, in words."""
        return f"the object is made without its constructor and gets {', '.join(self.attributes)}"

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the method of an object that has nothing but the attributes."""
        values = self.__signature__.bind(*arguments, **named).arguments
        instance = object.__new__(self.kind)
        for name in self.attributes:
            value = values.pop(parameter(name), self.__signature__.parameters[parameter(name)].default)
            object.__setattr__(instance, name, value)  # of a frozen record too
        result = getattr(instance, self.method)
        return result if isinstance(inspect.getattr_static(self.kind, self.method), property) else result(**values)


def of_state(kind: Any, method: str, waiting: bool = False, kept: bool = False) -> Optional[OfState]:
    """A method that reads attributes which only an instance has; None for another one, or without a source.

    waiting : only where the constructor leaves one of them empty or None, so that other methods set it, or takes what
    the class calls, a model for example, and the method takes no data itself; else only where the name of each
    attribute without a first value tells what it holds. kept : only where the class is a record, these its fields, and
    the method takes no data itself.
    """
    function = plain_function(kind, method)
    tree = next(iter(getattr(parse(function), "body", ())), None)
    if not isinstance(tree, ast.FunctionDef) or not tree.args.args or tree.args.vararg or tree.args.kwarg:
        return None
    initial = set_at_first(kind)
    names = attributes_read(kind, method)
    taken = {each.arg for each in (*tree.args.args, *tree.args.kwonlyargs)}
    if not names or taken & set(map(parameter, names)):
        return None
    own = Parameters(function)
    takes_data = any(not own.is_named_k(name) for name in own.required(list(own.all)[1:]))
    set_later = any(_is_empty(initial[name]) for name in names if name in initial)
    if waiting and (takes_data or not (set_later or _calls_what_it_takes(kind, initial))):
        return None
    defaults = {name: _constant(initial.get(name)) for name in names}
    unset = [parameter(name) for name, value in defaults.items() if value is inspect.Parameter.empty]
    if kept and (takes_data or not set(names) <= set(fields_of(kind))):
        return None
    if not waiting and not kept and not all(families(name) or own.is_named_k(name) for name in unset):
        return None
    return OfState(kind, method, defaults, tree)


def parameter(attribute: str) -> str:
    """The name of the parameter for an attribute."""
    return attribute.strip("_")


def _calls_what_it_takes(kind: Any, initial: Dict[str, ast.AST]) -> bool:
    """Whether a class calls an attribute that its constructor took from a parameter."""
    kept = {name for name, value in initial.items() if isinstance(value, ast.Name)}
    tree = parse(kind)
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree is not None else []
    own = (each for each in calls if isinstance(each, ast.Attribute) and getattr(each.value, "id", "") == "self")
    return any(each.attr in kept for each in own)


def _is_empty(node: ast.AST) -> bool:
    """Whether an expression is None or an empty list or dict."""
    if isinstance(node, ast.Constant):
        return node.value is None
    if isinstance(node, ast.Call):
        return called(node) == "defaultdict" or (called(node) in EMPTY and not node.args)
    return isinstance(node, (ast.List, ast.Dict)) and not getattr(node, "elts", getattr(node, "keys", ()))


def _constant(node: Optional[ast.AST]) -> Any:
    """The number or text that an expression is; an empty default otherwise."""
    value = node.value if isinstance(node, ast.Constant) else None
    return inspect.Parameter.empty if value is None else value


class _Names(ast.NodeTransformer):
    """Writes the names of parameters in place of attributes."""

    def __init__(self, names: Set[str]) -> None:
        self.names = names

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if getattr(node.value, "id", "") == "self" and parameter(node.attr) in self.names:
            return ast.copy_location(ast.Name(parameter(node.attr), node.ctx), node)
        return node


def _readable(function: Any, tree: ast.FunctionDef, state: List[inspect.Parameter]) -> Callable[..., Any]:
    """The function with its attributes as parameters, to be read and never called."""
    written: ast.FunctionDef = _Names({each.name for each in state}).visit(tree)
    written.decorator_list, written.returns = [], None  # what a definition evaluates may be missing
    written.args.args[1:1] = [ast.arg(each.name) for each in state]
    for argument in (*written.args.args, *written.args.kwonlyargs):
        argument.annotation = None
    written.args.defaults = [ast.Constant(None)] * (len(written.args.args) if written.args.defaults else 0)
    written.args.kw_defaults = [ast.Constant(None) for _ in written.args.kwonlyargs]
    text = ast.unparse(ast.fix_missing_locations(written))
    place, names = f"<state of {function.__qualname__}>", dict(function.__globals__)
    linecache.cache[place] = (len(text), None, text.splitlines(True), place)
    exec(compile(text, place, "exec"), names)
    made: Callable[..., Any] = names[function.__name__]
    made.__qualname__ = function.__qualname__
    return made
