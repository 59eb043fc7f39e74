"""How the lists were made, from a bundle's manifest. Lists that a user brought have no protocol and no model."""

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
SHOWN_KEYS = {name for name, _ in GROUPS} | {"steps", "arrays", "notes"}


class Fact(NamedTuple):
    """One line of a manifest: name, value as text, and the address to link to if the value is one."""

    name: str
    text: str
    href: str | None


class Method(NamedTuple):
    """A manifest laid out: groups of facts, the steps of the split, the arrays, remarks.

    steps : rows of text below ``step_columns``; arrays : file, shape, dtype and SHA-256; given : the user brought the
    lists.
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
    rest = {name: value for name, value in bundle.items() if name not in SHOWN_KEYS}
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
    names = {name for row in rows for name in row}
    columns = [name for name in STEP_COLUMNS if name in names] + sorted(map(str, names - set(STEP_COLUMNS)))
    return columns, [[plain(row.get(name)) for name in columns] for row in rows]


def arrays(value: Any) -> list[tuple[str, str, str, str]]:
    """File, shape, dtype and SHA-256 of each array."""
    if not isinstance(value, Mapping):
        return []
    entries = {str(name): entry if isinstance(entry, Mapping) else {} for name, entry in value.items()}
    return [
        (
            str(array.get("file", name)),
            _shape(array.get("shape")),
            plain(array.get("dtype")),
            plain(array.get("sha256")),
        )
        for name, array in entries.items()
    ]


def _shape(shape: Any) -> str:
    return " × ".join(map(plain, shape)) if isinstance(shape, list) and shape else plain(shape)


def notes(value: Any) -> list[str]:
    """Remarks as a list of texts; ``value`` may be one text, a list or a mapping."""
    if not value:
        return []
    if isinstance(value, Mapping):
        return [f"{name}: {plain(note)}" for name, note in value.items()]
    return [plain(note) for note in value] if isinstance(value, list) else [plain(value)]
