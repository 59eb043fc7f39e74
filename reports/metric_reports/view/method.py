"""How the numbers came about, from a bundle's manifest. Lists that a user brought have no protocol and no model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from metric_reports.view.words import plain, web_address

STEP_COLUMNS = ("part", "step", "users", "items", "interactions")
GROUPS = (
    ("dataset", "Data set"),
    ("protocol", "Protocol"),
    ("model", "Model"),
    ("counts", "Counts"),
    ("versions", "Made with"),
)
TAKEN = {name for name, _ in GROUPS} | {"steps", "arrays", "notes"}


class Fact(NamedTuple):
    """One line of a manifest: what, its value as text, and an address where the text is one."""

    name: str
    text: str
    href: str | None


class Method(NamedTuple):
    """A manifest laid out: groups of facts, the steps of the split, the arrays, remarks.

    steps : column heads and rows of text; arrays : file name and facts of each; given : the user brought the lists.
    """

    groups: list[tuple[str, list[Fact]]]
    step_columns: list[str]
    steps: list[list[str]]
    arrays: list[tuple[str, str, str, str]]
    notes: list[str]
    given: bool


def method(bundle: Mapping[str, Any]) -> Method:
    """Lay out a manifest; a missing or unknown key is no error."""
    groups = [(title, facts(bundle[name])) for name, title in GROUPS if bundle.get(name)]
    rest = {name: value for name, value in bundle.items() if name not in TAKEN}
    groups += [("Bundle", facts(rest))] if rest else []
    columns, steps = step_table(bundle.get("steps") or [])
    given = not bundle.get("protocol") and not bundle.get("model")
    return Method(groups, columns, steps, arrays(bundle.get("arrays") or {}), notes(bundle.get("notes")), given)


def facts(value: Any) -> list[Fact]:
    """The entries of a mapping, or one nameless fact."""
    pairs = value.items() if isinstance(value, Mapping) else [("", value)]
    return [Fact(str(name).replace("_", " "), plain(inner), web_address(inner)) for name, inner in pairs]


def step_table(steps: Any) -> tuple[list[str], list[list[str]]]:
    """Columns and rows of the split's steps: the known columns that occur, then any others."""
    rows = [step for step in steps if isinstance(step, Mapping)] if isinstance(steps, list) else []
    seen = {name for row in rows for name in row}
    columns = [name for name in STEP_COLUMNS if name in seen] + sorted(map(str, seen - set(STEP_COLUMNS)))
    return columns, [[plain(row.get(name)) for name in columns] for row in rows]


def arrays(given: Any) -> list[tuple[str, str, str, str]]:
    """Name, shape, dtype and SHA-256 of each array."""
    if not isinstance(given, Mapping):
        return []
    entries = {str(name): one if isinstance(one, Mapping) else {} for name, one in given.items()}
    return [
        (str(one.get("file", name)), _shape(one.get("shape")), plain(one.get("dtype")), plain(one.get("sha256")))
        for name, one in entries.items()
    ]


def _shape(shape: Any) -> str:
    return " × ".join(map(plain, shape)) if isinstance(shape, list) and shape else plain(shape)


def notes(given: Any) -> list[str]:
    """Remarks as a list of texts, be they one text, a list or a mapping."""
    if not given:
        return []
    if isinstance(given, Mapping):
        return [f"{name}: {plain(value)}" for name, value in given.items()]
    return [plain(note) for note in given] if isinstance(given, list) else [plain(given)]
