"""Whatever stands in a source, reading it raises nothing: the styles of public code, with one kind of node replaced."""

import ast
import importlib.util
from types import FunctionType

import pytest

from metric_adapters.calls.facts import read_source
from tests.support.places import SUPPORT

pytestmark = pytest.mark.thorough

pytest.importorskip("pandas")
STYLE = SUPPORT / "styles" / "public_code.py"


def numbers(replace):
    """Numbers of the source, replaced; other constants stay."""
    return ast.Constant, lambda node: replace(node.value) if type(node.value) in (int, float) else node


def with_names(node):
    values = (each.value if isinstance(each, ast.Starred) else each for each in node.args)
    return ast.Call(node.func, [], [ast.keyword(f"given_{i}", each) for i, each in enumerate(values)] + node.keywords)


REPLACED = {
    "numbers are floats": numbers(lambda value: ast.Constant(float(value))),
    "numbers are None": numbers(lambda value: ast.Constant(None)),
    "numbers are lambdas": numbers(lambda value: ast.parse("lambda: 1", mode="eval").body),
    "arguments have names": (ast.Call, with_names),
    "arguments are starred": (
        ast.Call,
        lambda node: ast.Call(node.func, [ast.Starred(each, ast.Load()) for each in node.args], node.keywords),
    ),
    "names are called": (ast.Name, lambda node: ast.Call(node, [], [])),
    "names are entries": (ast.Name, lambda node: ast.Subscript(node, ast.Constant(0), ast.Load())),
    "indices are empty": (ast.Subscript, lambda node: ast.Subscript(node.value, ast.Tuple([], ast.Load()), ast.Load())),
    "lists are empty": (ast.List, lambda node: ast.List([], ast.Load())),
}
"""A kind of node and its replacement, which is made only where a value is read."""


class Replacing(ast.NodeTransformer):
    def __init__(self, kind, replace):
        self.kind, self.replace = kind, replace

    def visit(self, node):
        if isinstance(node, ast.JoinedStr | ast.arguments):
            return node
        self.generic_visit(node)
        read = not isinstance(getattr(node, "ctx", ast.Load()), ast.Store | ast.Del)
        return self.replace(node) if isinstance(node, self.kind) and read else node


@pytest.mark.parametrize("what", REPLACED)
def test_reading_a_source_raises_nothing(what, tmp_path):
    tree = ast.parse(STYLE.read_text())
    for function in filter(lambda node: isinstance(node, ast.FunctionDef), ast.walk(tree)):
        function.body = [Replacing(*REPLACED[what]).visit(statement) for statement in function.body]
    place = tmp_path / "replaced.py"
    place.write_text(ast.unparse(ast.fix_missing_locations(tree)))
    spec = importlib.util.spec_from_file_location("replaced", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    functions = [each for each in vars(module).values() if isinstance(each, FunctionType)]
    own = [each for each in functions if each.__module__ == "replaced"]
    assert len(own) > 100
    for function in own:
        assert read_source(function).readable
