"""Names that other tools give to metrics, and the signatures that they stand for, both ways.

The table is ``names.json``: system, name with ``{k}``, variant, who is looked at, edge behaviours, and a source. Edges
are those of the tool when it is given recommendations and truth as its documentation says.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from metric_reference.signatures.differences import compare
from metric_reference.signatures.signature import Signature
from metric_reference.signatures.words import nearest
from metric_reference.variant import Variant

TABLE = Path(__file__).with_name("names.json")
USER_PARTS = frozenset(("users", "norel", "nolist", "dup", "ties"))
"""Parts about users, duplicates and ties: what differs in them alone has the same formula."""


@dataclass(frozen=True)
class Named:
    """A row of the table. signature : with the cut-off @k where the name has one, else where it makes no difference."""

    system: str
    name: str
    signature: Signature
    source: str

    @property
    def cuts(self) -> bool:
        """Whether the name holds a cut-off."""
        return "{k}" in self.name

    def at(self, k: Optional[int]) -> str:
        """The name with a cut-off."""
        return self.name.replace("{k}", "k" if k is None else str(k))


@dataclass(frozen=True)
class Translation:
    """A name for a signature. exact : the same number for every input; sentence : "exact", or where they differ."""

    system: str
    name: str
    exact: bool
    sentence: str
    source: str


@lru_cache(maxsize=None)
def table() -> Tuple[Named, ...]:
    """Every row."""
    return tuple(_row(row) for row in json.loads(TABLE.read_text(encoding="utf-8")))


def _row(row: Dict[str, str]) -> Named:
    signature = Signature(
        Variant.parse(row["variant"]),
        row["users"],
        no_relevant=row["no_relevant"],
        no_list=row["no_list"],
        duplicates=row["duplicates"],
        ties=row["ties"],
    )
    return Named(row["system"], row["name"], signature, row["source"])


def systems() -> Tuple[str, ...]:
    """The tools whose names the table has."""
    return tuple(dict.fromkeys(row.system for row in table()))


def signature_of_name(system: str, name: str) -> Tuple[Signature, Named]:
    """What a name of a tool stands for, and its row. ValueError says which system or name is nearest."""
    known = {each.lower(): each for each in systems()}
    if system.lower() not in known:
        raise ValueError(f"{system!r} is no tool of the table; one of {', '.join(systems())} is")
    rows = [row for row in table() if row.system == known[system.lower()]]
    for row in rows:
        pattern = re.escape(row.name).replace(re.escape("{k}"), "([1-9][0-9]*|k)")
        found = re.fullmatch(pattern, re.sub(r"\s", "", name))
        if found is not None:
            given = found[1] if row.cuts else "k"
            cut = None if given == "k" else int(given)
            return (row.signature if cut is None else row.signature.at(cut)), row
    near = nearest(name, [row.name.replace("{k}", "10") for row in rows])
    hint = f"the nearest is {near}" if near else f"it has {', '.join(row.at(None) for row in rows)}"
    raise ValueError(f"{name!r} is no name of {rows[0].system} in the table; {hint}")


def names_of(signature: Signature) -> List[Translation]:
    """The names that tools have for a signature: exact ones first, then those that differ for some users or ties alone.

    A name that differs in the formula or the cut-off is left out, unless a tool has no other name for the metric. Which
    items are relevant is up to what a tool is given, so thresholds are not compared.
    """
    found: Dict[str, List[Tuple[int, Translation]]] = {}
    for row in table():
        theirs = row.signature
        if row.cuts or theirs.variant.metric.made().get("cut") != "none":
            theirs = theirs if signature.variant.k is None else theirs.at(signature.variant.k)
        how = compare(signature, replace(theirs, threshold=signature.threshold))
        parts = {**how.parts}
        if not row.cuts:
            parts.pop("cut-off", None)
        if "metric" in parts and signature.variant.metric.name != theirs.variant.metric.name:
            continue
        exact = not parts
        far = len(set(parts) - USER_PARTS)
        said = "exact" if exact else f"differs in {', '.join(f'{n} ({a}, {b})' for n, (a, b) in parts.items())}"
        translation = Translation(row.system, row.at(signature.variant.k), exact, said, row.source)
        found.setdefault(row.system, []).append((100 * far + len(parts), translation))
    best = []
    for rows in found.values():
        least = min(score for score, _ in rows)
        near = [row for score, row in rows if score == least or score < 100]
        best += near
    return sorted(best, key=lambda row: (not row.exact, systems().index(row.system)))
