"""The catalogue: every variant that a library, paper or text is known to use: its title and who uses it."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Dict, List, Mapping, NamedTuple, Sequence, Tuple

from metric_reference.sources import MEASURED, SOURCES, Source
from metric_reference.variant import RANKING, Variant


class Entry(NamedTuple):
    """A row of the catalogue: the variant, what people call it, who uses it (keys of SOURCES), and a remark.

    measured : the functions whose recordings show that they compute the variant, by the key of their library.
    """

    variant: Variant
    title: str
    who: Tuple[str, ...]
    remark: str = ""
    measured: Mapping[str, Sequence[str]] = MappingProxyType({})

    @property
    def sources(self) -> List[Source]:
        """The sources that use the variant; see :meth:`source_of`."""
        return [self.source_of(key) for key in self.who]

    def source_of(self, key: str) -> Source:
        """The source of a key; the title of a measured library lists the functions that compute the variant."""
        source = SOURCES[key]
        functions = self.measured.get(key)
        return source._replace(title=f"{source.title}: {', '.join(functions)}") if functions else source


def _entries() -> Tuple[Entry, ...]:
    measured_functions: Dict[str, Dict[str, Sequence[str]]] = {}  # by variant, then by library
    for library in MEASURED:
        for name, functions in library["computes"].items():
            measured_functions.setdefault(name, {})[library["key"]] = functions
    entries = []
    for row in json.loads(Path(__file__).with_name("catalogue.json").read_text(encoding="utf-8")):
        variant = Variant.parse(row["variant"])
        measured = measured_functions.get(str(variant.canonical()), {})
        keys = tuple(dict.fromkeys([*measured, *row["who"].split()]))
        entries.append(Entry(variant, row["title"], keys, row.get("remark", ""), measured))
    return tuple(entries)


CATALOGUE: Tuple[Entry, ...] = _entries()


@lru_cache(maxsize=None)
def by_variant() -> Dict[str, Entry]:
    """The entries by the printed form of their canonical variant."""
    return {str(entry.variant.canonical()): entry for entry in CATALOGUE}


def ranking_variants() -> List[Variant]:
    """The ranking variants of the catalogue that need lists and relevant items only (no AUC over all candidates)."""
    variants = [entry.variant for entry in CATALOGUE]
    return [variant for variant in variants if variant.metric.name in RANKING and not variant.metric.needs]
