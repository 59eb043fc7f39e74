"""Translation between the names that other tools give to metrics and signatures.

The table is ``names.json``: system, name with ``{k}``, variant, users, edge behaviours, and a source. The edge
behaviours are those of the tool with recommendations and truth in the form that its documentation asks for.
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
"""Parts about users, duplicates and ties: signatures that differ only in these have the same formula."""


@dataclass(frozen=True)
class Named:
    """A row of the table. signature : its cut-off is open (@k); some names have none and do not depend on it."""

    system: str
    name: str
    signature: Signature
    source: str

    @property
    def cuts(self) -> bool:
        """Whether the name contains a cut-off."""
        return "{k}" in self.name

    def at(self, k: Optional[int]) -> str:
        """The name with a cut-off."""
        return self.name.replace("{k}", "k" if k is None else str(k))


@dataclass(frozen=True)
class Translation:
    """A tool's name for a signature. exact : the same number for every input; sentence : "exact", or what differs."""

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
    """The signature of a tool's name, and its row. ValueError lists the systems, or gives the nearest name."""
    known = {known_system.lower(): known_system for known_system in systems()}
    if system.lower() not in known:
        raise ValueError(f"{system!r} is no tool of the table; one of {', '.join(systems())} is")
    rows = [row for row in table() if row.system == known[system.lower()]]
    for row in rows:
        pattern = re.escape(row.name).replace(re.escape("{k}"), "([1-9][0-9]{0,8}|k)")
        match = re.fullmatch(pattern, re.sub(r"\s", "", name))
        if match is not None:
            open_cut = not row.cuts or match[1] == "k"
            return (row.signature if open_cut else row.signature.at(int(match[1]))), row
    suggestion = nearest(name, [row.name.replace("{k}", "10") for row in rows])
    hint = f"the nearest is {suggestion}" if suggestion else f"it has {', '.join(row.at(None) for row in rows)}"
    raise ValueError(f"{name!r} is no name of {rows[0].system} in the table; {hint}")


def names_of(signature: Signature) -> List[Translation]:
    """The names that tools have for a signature: exact ones first, then those that differ only in :data:`USER_PARTS`.

    A name that differs in the formula or the cut-off is left out, unless the tool has no closer name for the metric.
    Thresholds and candidates are not compared: a tool's input decides which items are relevant, and which are ranked.
    """
    translations: Dict[str, List[Tuple[int, Translation]]] = {}  # of each tool, with how far they are off
    for row in table():
        theirs = row.signature
        if row.cuts or theirs.variant.metric.made().get("cut") != "none":
            theirs = theirs if signature.variant.k is None else theirs.at(signature.variant.k)
        theirs = replace(theirs, threshold=signature.threshold, candidates=signature.candidates)
        parts = {**compare(signature, theirs).parts}
        if not row.cuts:
            parts.pop("cut-off", None)
        if "metric" in parts and signature.variant.metric.name != theirs.variant.metric.name:
            continue
        words = ", ".join(f"{name} ({word}, {their_word})" for name, (word, their_word) in parts.items())
        sentence = f"differs in {words}" if parts else "exact"
        translation = Translation(row.system, row.at(signature.variant.k), not parts, sentence, row.source)
        distance = 100 * len(set(parts) - USER_PARTS) + len(parts)
        translations.setdefault(row.system, []).append((distance, translation))
    closest: List[Translation] = []
    for of_tool in translations.values():
        least = min(distance for distance, _ in of_tool)
        closest += [translation for distance, translation in of_tool if distance == least or distance < 100]
    return sorted(closest, key=lambda translation: (not translation.exact, systems().index(translation.system)))
