"""Every variant that a library, a paper or a text is known to use, with a name of its own and who uses it."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Dict, List, NamedTuple, Tuple

from metric_reference.sources import SOURCES, Source
from metric_reference.variant import Variant


class Entry(NamedTuple):
    """A row of the catalogue: the variant, what people call it, who uses it (keys of SOURCES), and a remark."""

    variant: Variant
    title: str
    who: Tuple[str, ...]
    remark: str = ""

    @property
    def sources(self) -> List[Source]:
        """Who uses it, with addresses."""
        return [SOURCES[key] for key in self.who]


def _rows() -> Tuple[Entry, ...]:
    rows = json.loads(Path(__file__).with_name("catalogue.json").read_text(encoding="utf-8"))
    return tuple(
        Entry(Variant.parse(row["variant"]), row["title"], tuple(row["who"].split()), row.get("remark", ""))
        for row in rows
    )


CATALOGUE: Tuple[Entry, ...] = _rows()


@lru_cache(maxsize=None)
def by_variant() -> Dict[str, Entry]:
    """The rows by the printed form of their canonical variant."""
    return {str(entry.variant.canonical()): entry for entry in CATALOGUE}


def ranking_variants() -> List[Variant]:
    """The variants of the catalogue that lists and relevant items alone determine, AUC over the catalogue left out."""
    from metric_reference.variant import RANKING

    return [e.variant for e in CATALOGUE if e.variant.metric.name in RANKING and not e.variant.metric.needs]
