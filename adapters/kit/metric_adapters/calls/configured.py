"""Parameters that take a table of settings, of which the cut-off is read: ``config["topk"]``, ``args.topk``."""

from __future__ import annotations

import ast
import re
from typing import Any, Dict, Sequence, Tuple

from metric_adapters.calls.fills import CONSTANTS
from metric_adapters.calls.parameter_names import K_LIST, K_NAME, snake
from metric_adapters.calls.trees import called, parsed

TABLE = re.compile(r"(\w+_)?(config|cfg|conf|args|opts?|options?|params|hparams|settings|flags)")
"""Their names."""


class Settings(Dict[str, Any]):
    """A table that has a cut-off under each name of one, as keys and as attributes.

    k : the cut-off; a list of it with ``lists``, or where the name is that of a list. KeyError for a setting that is no
    cut-off and has no usual value.
    """

    def __init__(self, k: int, lists: bool) -> None:
        super().__init__()
        self.k, self.lists = k, lists

    def __missing__(self, key: str) -> Any:
        plain = snake(key)
        if K_NAME.fullmatch(plain):
            return [self.k] if self.lists or K_LIST.fullmatch(plain) else self.k
        for pattern, value in CONSTANTS:
            if pattern.fullmatch(plain):
                return value
        raise KeyError(key)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and K_NAME.fullmatch(snake(key)) is not None

    def get(self, key: str, default: Any = None) -> Any:
        """The cut-off under the name of one; else the default."""
        return self[key] if K_NAME.fullmatch(snake(key)) else default


def tables_with_cut_off(function: Any, names: Sequence[str]) -> Dict[str, str]:
    """Those of these parameters of which a function, or a class, reads a cut-off, each with its form.

    ``table``, or ``table of lists`` where the cut-off is gone through.
    """
    tables = [name for name in names if TABLE.fullmatch(snake(name))]
    tree = parsed(function) if tables else None
    nodes = list(ast.walk(tree)) if tree is not None else []
    gone_through = {_named(node.iter) for node in nodes if isinstance(node, (ast.For, ast.comprehension))}
    found: Dict[str, str] = {}
    for node in nodes:
        targets = node.targets if isinstance(node, ast.Assign) else []
        table, setting = _read(getattr(node, "value", node) if targets else node)
        if table in tables and K_NAME.fullmatch(snake(setting)):
            listed = gone_through.intersection([setting, *map(_named, targets)])
            found[table] = "table of lists" if listed else found.get(table, "table")
    return found


def _read(node: ast.AST) -> Tuple[str, str]:
    """The name of a table and that of the setting that a node reads from it."""
    got = isinstance(node, ast.Call) and called(node) == "get" and node.args
    holder = node.func.value if got else getattr(node, "value", None)  # type: ignore[attr-defined]
    key = node.args[0] if got else getattr(node, "slice", None)  # type: ignore[attr-defined]
    return _named(holder), str(getattr(key, "value", getattr(node, "attr", "")))


def _named(node: Any) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))
