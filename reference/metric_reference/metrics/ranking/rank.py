"""Rank: where does the first relevant item stand?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Iterator, Tuple

import numpy as np

from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice


@dataclass(frozen=True)
class Rank(Metric):
    """Rank of the first relevant item (its mean over users is the mean rank, MR); smaller is better.

    missing : the rank of a list without a hit up to the cut: ``left_out``: none, the user does not count, and there is
        no value if nobody does; ``next``: one after the last rank that counts, k + 1 for a short list too;
        ``next_listed``: one after the last item that counts; ``zero``: 0; ``minus_one``: -1.
    first : the number of the first rank: ``one``, or ``zero``.
    over : ``mean``: users have values, averaged as others are; ``median``: the median over users, half way between the
        middle two of an even number (MedR); ``median_floor``: rounded down.
    cut : ``k``: only the first k ranks count; ``none``: the whole list.

    The mean rank over all candidates is usual in link prediction (Bordes et al. 2013, "Translating embeddings for
    modeling multi-relational data"; Berrendorf et al. 2020, doi 10.48550/arXiv.2002.06914, on tied scores), the median
    rank in retrieval across modalities (Karpathy & Fei-Fei 2015, doi 10.1109/CVPR.2015.7298932).
    """

    name = "rank"
    about = "where the first relevant item stands"
    ranking = True
    missing: str = choice("left_out", "next", "next_listed", "zero", "minus_one")
    first: str = choice("one", "zero")
    over: str = choice("mean", "median", "median_floor")
    cut: str = choice("k", "none")

    @classmethod
    def space(cls) -> Iterator[Metric]:
        """Every combination but medians of ranks that are 0 or -1 without a hit."""
        for metric in super().space():
            made = metric.made()
            if made["over"] == "mean" or made["missing"] not in ("zero", "minus_one"):
                yield metric

    def parts(self, matches: Matches, k: int) -> Parts:
        hit, depth = self._has_hit(matches, k), matches.depth(self.cut, k)
        first = matches.summed("first rank", depth, lambda hits: (hits.numbers == 1) * hits.ranks)
        ranks = np.where(hit, first + self.number_of_first, self.without_hit(matches, k))
        if self.over == "mean":
            return ranks, self.counted(matches, k).astype(np.float64)
        ranks = ranks[(matches.n_relevant > 0) & self.counted(matches, k)]
        if not len(ranks):
            return np.zeros(1), np.zeros(1)
        middle = float(np.median(ranks))
        return np.array([float(np.floor(middle)) if self.over == "median_floor" else middle]), np.ones(1)

    @property
    def number_of_first(self) -> int:
        """The number of the first rank."""
        return 1 if self.first == "one" else 0

    def without_hit(self, matches: Matches, k: int) -> np.ndarray:
        """float64 array, shape (users,): the rank of a list without a hit."""
        if not self.missing.startswith("next"):
            return np.full(matches.users, -1.0 if self.missing == "minus_one" else 0.0)
        last = np.full(matches.users, k) if self.missing == "next" else np.minimum(k, matches.lengths)
        return (matches.lengths if self.cut == "none" else last) + float(self.number_of_first)

    def _has_hit(self, matches: Matches, k: int) -> np.ndarray:
        return matches.hit_count(matches.depth(self.cut, k)) > 0

    def counted(self, matches: Matches, k: int) -> np.ndarray:
        return self._has_hit(matches, k) if self.missing == "left_out" else super().counted(matches, k)

    def of_whole_case(self) -> bool:
        return self.over != "mean"

    def weights(self) -> Tuple[str, ...]:
        """The sum over users with a hit is that in which the others count 0."""
        return ("user",) if self.missing == "left_out" else super().weights()

    def same_denominator(self) -> bool:
        return True

    def bounds(self, k: int) -> Tuple[float, float]:
        start = float(self.number_of_first)
        low = {"zero": 0.0, "minus_one": -1.0}.get(self.missing, start)
        highest = float("inf") if self.cut == "none" else start + (k if self.missing.startswith("next") else k - 1)
        return min(low, start), highest

    def formula(self) -> str:
        end = "k" if self.cut == "k" else "|L|"
        shift = "" if self.first == "one" else " - 1"
        rank = rf"\min_{{j \le {end}, \ \mathrm{{rel}}_j = 1}} j{shift}"
        median = rf"\mathrm{{median}}_u \left( {rank} \right)"
        return {"mean": rank, "median": median, "median_floor": rf"\lfloor {median} \rfloor"}[self.over]

    def canonical(self) -> "Rank":
        """Where the whole list counts, the rank after its last item is the next one."""
        return replace(self, missing="next") if (self.missing, self.cut) == ("next_listed", "none") else self
