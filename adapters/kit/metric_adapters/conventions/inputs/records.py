"""Records of one user: an object or a dict that holds the relevant and the recommended items under fixed names."""

from __future__ import annotations

import inspect
import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional

from metric_adapters.conventions.inputs.roles import ROLES
from metric_adapters.conventions.inputs.view import View
from metric_adapters.conventions.reading.families import families
from metric_adapters.conventions.reading.source import Source


class Record(NamedTuple):
    """Names in a record, and what it is made of.

    kind : the class that the function's parameter is annotated with; None for a dict. text : ids are text.
    nested : each relevant item is a list of its own, for what takes groups of items of which one is enough.
    """

    relevant: str = "relevant"
    recommended: str = "recommended"
    kind: Optional[type] = None
    text: bool = False
    nested: bool = False

    def made(self, view: View, user: int) -> Any:
        """The record of a user."""
        wanted, listed = (self._ids(role, view, user) for role in ("relevant", "recommended"))
        held = {self.relevant: [[one] for one in wanted] if self.nested else wanted, self.recommended: listed}
        return held if self.kind is None else self.kind(**held)

    def _ids(self, role: str, view: View, user: int) -> List[Any]:
        ids = ROLES[role](view, user).tolist()
        return [str(one) for one in ids] if self.text else ids


def read_record(function: Any, parameter: Optional[inspect.Parameter], source: Source) -> Optional[Record]:
    """The record that a function's first parameter holds; None where it reads no two names that say which is which."""
    keys = () if parameter is None else source.keys.get(parameter.name, ())
    wanted = [key for key in keys if "truth" in families(key)]
    listed = [key for key in keys if key not in wanted and "list" in families(key)]
    if parameter is None or len(wanted) != 1 or len(listed) != 1:
        return None
    kind = _kind(parameter.annotation, getattr(inspect.unwrap(function), "__globals__", {}))
    if kind is None:
        return Record(wanted[0], listed[0])
    try:
        inspect.signature(kind).bind(**dict.fromkeys((wanted[0], listed[0])))
    except (TypeError, ValueError):  # it needs more than these two
        return None
    of = str(_annotations(kind).get(wanted[0], "")).lower()
    return Record(wanted[0], listed[0], kind, "str" in of, len(re.findall(r"(list|sequence|set|tuple)\[", of)) > 1)


def _kind(annotation: Any, known: Mapping[str, Any]) -> Optional[type]:
    """The class in ``Query``, ``"Query"`` or ``List[Query]``; None for one that Python or a package brings."""
    text = annotation.__name__ if inspect.isclass(annotation) else str(annotation).rpartition("[")[2].strip("]'\" ")
    found = known.get(text.rpartition(".")[2])
    return found if inspect.isclass(found) and _annotations(found) else None


def _annotations(kind: type) -> Dict[str, Any]:
    return dict(getattr(kind, "__annotations__", {}))
