"""Every variant that a library, a paper or a text is known to use, with a name of its own and who uses it."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Dict, List, Mapping, NamedTuple, Sequence, Tuple

from metric_reference.sources import MEASURED, SOURCES, Source
from metric_reference.variant import Variant


class Entry(NamedTuple):
    """A row of the catalogue: the variant, what people call it, who uses it (keys of SOURCES), and a remark.

    measured : for the libraries whose recordings say that they compute it, the functions that do, by key.
    """

    variant: Variant
    title: str
    who: Tuple[str, ...]
    remark: str = ""
    measured: Mapping[str, Sequence[str]] = MappingProxyType({})

    @property
    def sources(self) -> List[Source]:
        """Who uses it, with addresses; a measured library with the functions that compute it."""
        return [self.source_of(key) for key in self.who]

    def source_of(self, key: str) -> Source:
        """One of those who use it."""
        source = SOURCES[key]
        functions = self.measured.get(key)
        return source._replace(title=f"{source.title}: {', '.join(functions)}") if functions else source


def _rows() -> Tuple[Entry, ...]:
    by_variant: Dict[str, Dict[str, Sequence[str]]] = {}
    for library in MEASURED:
        for name, functions in library["computes"].items():
            by_variant.setdefault(name, {})[library["key"]] = functions
    rows = []
    for row in json.loads(Path(__file__).with_name("catalogue.json").read_text(encoding="utf-8")):
        variant = Variant.parse(row["variant"])
        measured = by_variant.get(str(variant.canonical()), {})
        who = tuple(dict.fromkeys([*measured, *row["who"].split()]))
        rows.append(Entry(variant, row["title"], who, row.get("remark", ""), measured))
    return tuple(rows)


CATALOGUE: Tuple[Entry, ...] = _rows()


@lru_cache(maxsize=None)
def by_variant() -> Dict[str, Entry]:
    """The rows by the printed form of their canonical variant."""
    return {str(entry.variant.canonical()): entry for entry in CATALOGUE}


def ranking_variants() -> List[Variant]:
    """The variants of the catalogue that lists and relevant items alone determine, AUC over the catalogue left out."""
    from metric_reference.variant import RANKING

    return [e.variant for e in CATALOGUE if e.variant.metric.name in RANKING and not e.variant.metric.needs]
