"""Records of one user: an object or a dict that holds the relevant and the recommended items under fixed names."""

from __future__ import annotations

import inspect
import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional

from metric_adapters.calls.builders import item, recommended, relevant
from metric_adapters.calls.facts import Source
from metric_adapters.calls.parameter_names import families
from metric_adapters.calls.view import View


class Record(NamedTuple):
    """The names in a record, and its type.

    kind : the class in the annotation of the function's parameter; None for a dict. text : ids are text.
    nested : each relevant item is a list of its own, for functions that take groups of equivalent items.
    """

    relevant: str = "relevant"
    recommended: str = "recommended"
    kind: Optional[type] = None
    text: bool = False
    nested: bool = False

    def made(self, view: View, user: int, one: bool = False) -> Any:
        """The record of a user. one : it holds the relevant item, not a list of one."""
        items, listed = (self._ids(build(view, user).tolist()) for build in (relevant, recommended))
        truth = item(view, user) if one else [[each] for each in items] if self.nested else items
        fields = {self.relevant: self._ids([truth])[0] if one else truth, self.recommended: listed}
        return fields if self.kind is None else self.kind(**fields)

    def _ids(self, ids: List[Any]) -> List[Any]:
        return list(map(str, ids)) if self.text else ids


def read_record(function: Any, parameter: Optional[inspect.Parameter], source: Source) -> Optional[Record]:
    """The record of a function's parameter; None unless it reads one name for the truth and one for the list."""
    keys = () if parameter is None else source.keys.get(parameter.name, ())
    truths = [key for key in keys if "truth" in families(key)]
    lists = [key for key in keys if key not in truths and "list" in families(key)]
    if parameter is None or len(truths) != 1 or len(lists) != 1:
        return None
    relevant, recommended = truths[0], lists[0]
    kind = _kind(parameter.annotation, getattr(inspect.unwrap(function), "__globals__", {}))
    if kind is None:
        return Record(relevant, recommended)
    try:
        inspect.signature(kind).bind(**dict.fromkeys((relevant, recommended)))
    except (TypeError, ValueError):  # it needs more than these two
        return None
    hint = str(_annotations(kind).get(relevant, "")).lower()
    nested = len(re.findall(r"(list|sequence|set|tuple)\[", hint)) > 1
    return Record(relevant, recommended, kind, "str" in hint, nested)


def _kind(annotation: Any, names: Mapping[str, Any]) -> Optional[type]:
    """The class in ``Query``, ``"Query"`` or ``List[Query]`` among a module's names; None if it has no annotations."""
    text = annotation.__name__ if inspect.isclass(annotation) else str(annotation).rpartition("[")[2].strip("]'\" ")
    kind = names.get(text.rpartition(".")[2])
    return kind if inspect.isclass(kind) and _annotations(kind) else None


def _annotations(kind: type) -> Dict[str, Any]:
    return dict(getattr(kind, "__annotations__", {}))
