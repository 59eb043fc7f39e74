"""A signature: a variant, the users in the mean, the edge behaviours and the relevance threshold, in one line.

``ndcg@20|gain:binary|disc:log2|ideal:min(k,r)|cut:k|mean:users|users:both|norel:skip|nolist:0|dup:error|ties:input|
rel:>0|mh:1.0`` is the full form. The short form leaves out usual parts and ends in a digest of the full form:
``ndcg@20|mh:1.0#3f2a9c1b``.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Dict, List, Optional

from metric_reference.candidates.choice import ALL, Candidates
from metric_reference.edges import Edges
from metric_reference.narrowed import EVERYTHING
from metric_reference.registry import METRICS
from metric_reference.signatures.words import (
    CANDIDATES_SINCE,
    CHOSEN,
    EDGES,
    KEYS,
    LATER,
    MEANS,
    ONLY_SINCE,
    REPLACEMENT,
    ROUNDS_SINCE,
    UNKNOWN,
    USERS,
)
from metric_reference.variant import Variant

DIGITS = 8
"""Hexadecimal digits of a digest."""
FIRST = "1.0"
"""The first version of the words."""


@dataclass(frozen=True)
class Signature:
    """Everything that defines a number, apart from the data.

    variant : with its cut-off; the cut-off None prints as ``@k``.
    users : the users that are evaluated: those of ``both`` tables, of the ``truth``, of the ``recommended`` lists, or
        ``all``.
    no_relevant, no_list, duplicates, ties : edge behaviours, in the words of :class:`Edges`; ``unclear`` prints as
        ``?``.
    threshold : smallest gain of a relevant item; None: every item with a gain above 0 is relevant.
    candidates : what a relevant item is ranked among; all items if not given.

    ``str(signature)`` is the full form, :meth:`short` the short one; ``parse`` of :mod:`metric_reference.signatures.
    read` reads both. Raises ValueError for a word that is not allowed and for a threshold that is not above 0.
    """

    variant: Variant
    users: str = "both"
    no_relevant: str = "skipped"
    no_list: str = "zero"
    duplicates: str = "error"
    ties: str = "input_order"
    threshold: Optional[float] = None
    candidates: Candidates = ALL

    def __post_init__(self) -> None:
        if self.users not in USERS:
            raise ValueError(f"users must be one of {', '.join(USERS)}, not {self.users!r}")
        if self.threshold is not None and not (0 < self.threshold < math.inf):
            raise ValueError(f"threshold must be a number above 0, not {self.threshold!r}")
        self.edges  # noqa: B018 - it raises for a word that is not allowed

    @property
    def edges(self) -> Edges:
        """The edge behaviours; those that a signature does not name have their standard value."""
        return Edges(no_relevant=self.no_relevant, no_list=self.no_list, duplicates=self.duplicates, ties=self.ties)

    @property
    def version(self) -> str:
        """The first version of the words that can express this signature."""
        metric, later = self.variant.metric, self._later_choices()
        changed = [field.name for field in fields(metric) if getattr(metric, field.name) != field.default]
        parts = [ROUNDS_SINCE] if self.variant.rounds != "mean" else []
        parts += [ONLY_SINCE] if self.variant.only != EVERYTHING else []
        parts += [CANDIDATES_SINCE] if self.candidates != ALL else []
        return max([FIRST, *parts, *(later[name] for name in changed if name in later)], key=number_of)

    def _later_choices(self) -> Dict[str, str]:
        """The choices of the metric that a later version brought, and that version."""
        return {choice: version for (name, choice), version in LATER.items() if name == self.variant.metric.name}

    def parts(self) -> Dict[str, str]:
        """Every part but the metric and its cut-off, by name, in the order in which they are printed."""
        version, later = self.version, self._later_choices()
        parts = {
            KEYS.get(name, name): word(value)
            for name, value in self.variant.metric.made().items()
            if number_of(later.get(name, FIRST)) <= number_of(version)
        }
        parts.update(mean=MEANS[self.variant.weight], users=self.users)
        for part, (edge, words) in EDGES.items():
            parts[part] = {**words, **UNKNOWN}[getattr(self, edge)]
        parts["rel"] = ">0" if self.threshold is None else f">={shortest(self.threshold)}"
        if self.variant.times != 1:
            parts["times"] = str(self.variant.times)
        if self.variant.rounded is not None:
            parts["round"] = str(self.variant.rounded)
        if self.variant.rounds != "mean":
            parts["rounds"] = self.variant.rounds
        if self.variant.only != EVERYTHING:
            parts["only"] = self.variant.only
        if self.candidates != ALL:
            parts["cand"] = str(self.candidates)
        if self.candidates.drawn:
            parts.update(repl=REPLACEMENT[self.candidates.replacement], per=self.candidates.per)
        return {**parts, "mh": version}

    @property
    def head(self) -> str:
        """The metric and its cut-off."""
        return f"{self.variant.metric.name}@{'k' if self.variant.k is None else self.variant.k}"

    def __str__(self) -> str:
        return joined(self.head, self.parts())

    def digest(self) -> str:
        """The first digits of the SHA-256 of the full form."""
        return hashlib.sha256(str(self).encode("ascii")).hexdigest()[:DIGITS]

    def short(self) -> str:
        """The parts that differ from the usual signature of the metric, and the digest of the full form."""
        usual = {**usual_parts(self.variant.metric.name), "repl": REPLACEMENT[False], "per": ALL.per}
        shown = {name: value for name, value in self.parts().items() if name == "mh" or usual.get(name) != value}
        return f"{joined(self.head, shown)}#{self.digest()}"

    def at(self, k: int) -> "Signature":
        """The same signature at another cut-off."""
        return replace(self, variant=self.variant.at(k))


def signature_of(variant: Variant, edges: Edges, users: str = "both", threshold: Optional[float] = None) -> Signature:
    """The signature of a variant with the given edge behaviours.

    A threshold of 0 or less counts as none, because only gains above 0 are relevant.
    """
    return Signature(
        variant,
        users,
        no_relevant=edges.no_relevant,
        no_list=edges.no_list,
        duplicates=edges.duplicates,
        ties=edges.ties,
        threshold=threshold if threshold is not None and threshold > 0 else None,
    )


def joined(head: str, parts: Dict[str, str]) -> str:
    """The head and the parts in one line."""
    return "|".join([head, *(f"{name}:{value}" for name, value in parts.items())])


@lru_cache(maxsize=None)
def usual_parts(name: str) -> Dict[str, str]:
    """The parts that a short form leaves out: every choice at its default, and the defaults of :class:`Signature`."""
    return Signature(Variant(METRICS[name]())).parts()


def word(value: str) -> str:
    """The signature's word for the value of a choice."""
    return CHOSEN.get(value, value)


def shortest(number: float) -> str:
    """A number without a point where it is whole."""
    return str(int(number)) if float(number).is_integer() else repr(float(number))


def number_of(version: str) -> List[int]:
    """The numbers of a version, which compare as versions do."""
    return [int(part) for part in version.split(".")]
