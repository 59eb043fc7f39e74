"""How the lists were made, from a bundle's manifest. Lists that a user brought have no protocol and no model."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Any, NamedTuple

from metric_reports.types.manifest import Manifest
from metric_reports.view.words import plain, web_address

STEP_COLUMNS = ("part", "step", "users", "items", "interactions")
GROUPS = (
    ("dataset", "Data set"),
    ("protocol", "Protocol"),
    ("model", "Model"),
    ("counts", "Counts"),
    ("versions", "Made with"),
)
by_column = itemgetter(*STEP_COLUMNS)
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


def method(bundle: Manifest) -> Method:
    """Lay out a manifest."""
    parts: Mapping[str, Any] = {**bundle}
    rest = {name: value for name, value in parts.items() if name not in SHOWN_KEYS}
    groups = [(title, facts(parts[name])) for name, title in GROUPS if parts[name]] + [("Bundle", facts(rest))]
    steps = [[plain(value) for value in by_column(step)] for step in bundle["steps"]]
    arrays = [
        (array["file"], " × ".join(map(plain, array["shape"])) or plain([]), array["dtype"], array["sha256"])
        for array in bundle["arrays"].values()
    ]
    given = not bundle["protocol"] and not bundle["model"]
    return Method(groups, list(STEP_COLUMNS), steps, arrays, bundle["notes"], given)


def facts(values: Mapping[str, Any]) -> list[Fact]:
    """The entries of a mapping."""
    return [Fact(name.replace("_", " "), plain(inner), web_address(inner)) for name, inner in values.items()]
