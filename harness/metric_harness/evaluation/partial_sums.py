"""Sums that do not depend on the order of the users: partial sums are exact, each kept as a few floats.

A sum over users is rounded once, at the end, so one batch and a thousand batches give the same number to the last bit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np

from metric_harness.evaluation.counted_users import Counted
from metric_reference.averaging import user_values
from metric_reference.edges import STANDARD
from metric_reference.metric import Metric
from metric_reference.metrics.ranking.f1 import F1
from metric_reference.metrics.ranking.precision import Precision
from metric_reference.variant import Variant

Asked = tuple[Variant, int]
"""A variant and a cut-off."""


def exact_sum(values: np.ndarray) -> list[float]:
    """Floats whose exact sum is the exact sum of the values; one float that is not finite if a value is not.

    The leading bits of all values, cut off at a common bit, add up without rounding in any order; the remainders are
    treated in the same way until nothing is left (Rump, Ogita & Oishi 2008, doi 10.1137/050645671).
    """
    remainders, sums = np.array(values, dtype=np.float64), []
    while len(remainders):
        largest = float(np.max(np.abs(remainders)))
        if largest == 0.0:
            break
        if not math.isfinite(largest):
            return [float(remainders.sum())]
        exponent = math.frexp(largest)[1] + max(2, len(remainders)).bit_length() + 1
        if exponent > 1020:
            return merge([], remainders.tolist())
        cut = math.ldexp(1.0, exponent)
        leading = remainders + cut
        leading -= cut
        sums.append(float(leading.sum()))
        if math.ldexp(1.0, exponent - 53) <= 5e-324:
            break
        remainders -= leading
    return sums


def merge(partials: list[float], more: Iterable[float]) -> list[float]:
    """Floats that do not overlap, with exactly the sum of all inputs (Shewchuk 1997, doi 10.1007/PL00009321)."""
    partials = list(partials)
    for x in more:
        kept = []
        for y in partials:
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x) if math.isfinite(high) else 0.0
            if low:
                kept.append(low)
            x = high
        partials = [*kept, x]
    return partials


@dataclass
class Sum:
    """The sums of one variant at one cut-off.

    top, bottom : exact sums: of values (``top`` alone), of numerators and denominators for a micro average, of
    precision and recall for F1 of means; count : users who count; undefined : those of them whose value is NaN.
    """

    top: list[float] = field(default_factory=list)
    bottom: list[float] = field(default_factory=list)
    count: int = 0
    undefined: int = 0

    def add(self, other: Sum) -> None:
        """Add the sums over other users."""
        self.top, self.bottom = merge(self.top, other.top), merge(self.bottom, other.bottom)
        self.count += other.count
        self.undefined += other.undefined


@dataclass
class Sums:
    """The sums of all variants, in the order in which they were asked for, and counts of users, items and hits.

    users : in the case; with_relevant, with_list : those with relevant items, with a list; relevant : number of
    relevant items; hits : in the whole lists; hits_at : hits up to each cut-off.
    """

    rows: list[Sum]
    users: int = 0
    with_relevant: int = 0
    with_list: int = 0
    relevant: int = 0
    hits: int = 0
    hits_at: dict[int, int] = field(default_factory=dict)

    def add(self, other: Sums) -> None:
        """Add the sums over other users."""
        for mine, theirs in zip(self.rows, other.rows, strict=True):
            mine.add(theirs)
        for name in ("users", "with_relevant", "with_list", "relevant", "hits"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for k, hits in other.hits_at.items():
            self.hits_at[k] = self.hits_at.get(k, 0) + hits

    def to_text(self) -> str:
        """As JSON, floats in full."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Sums:
        """The inverse of :meth:`to_text`."""
        fields = json.loads(text)
        rows = [Sum(**row) for row in fields["rows"]]
        return cls(**{**fields, "rows": rows, "hits_at": {int(k): hits for k, hits in fields["hits_at"].items()}})


def nothing(asked: Sequence[Asked]) -> Sums:
    """The sums over no user."""
    return Sums([Sum() for _ in asked])


def additive(metric: Metric) -> bool:
    """Whether a metric is a sum over users, each of whom can be evaluated alone."""
    return metric.by_itself() or isinstance(metric, F1)


def by_user_names(asked: Sequence[Asked]) -> list[str]:
    """The printed forms of the variants with a value for each user, in the order of :func:`sums_of`."""
    pooled = [v.metric.of_whole_case() or (v.weight == "micro" and v.metric.weighs) for v, _ in asked]
    by_user = [each for each, without_users in zip(asked, pooled, strict=True) if not without_users]
    return [str(variant.at(k)) for cut in dict.fromkeys(k for _, k in asked) for variant, k in by_user if k == cut]


def sums_of(users: Counted, asked: Sequence[Asked], own: bool = False) -> tuple[Sums, dict[str, np.ndarray]]:
    """The sums over users, and each user's own values by printed form (NaN for one who does not count).

    asked : variants that are :func:`additive`. As in the reference, users without relevant items do not count. own :
    whether the users' own values are wanted.
    """
    sums, values_of, matches = nothing(asked), {}, users.matches
    everyone = np.ones(matches.users, dtype=bool)
    sums.users, sums.relevant = users.count(everyone), users.total(matches.n_relevant)
    sums.with_relevant, sums.with_list = users.count(matches.n_relevant > 0), users.count(matches.lengths > 0)
    sums.hits = users.total(matches.hit_count(matches.case.width))
    for cut in dict.fromkeys(k for _, k in asked):
        sums.hits_at[cut] = users.total(matches.hit_count(cut))
        computed: dict[Metric, tuple[np.ndarray, np.ndarray, list[float]]] = {}
        for (variant, k), row in zip(asked, sums.rows, strict=True):
            if k != cut:
                continue
            metric = variant.metric
            if isinstance(metric, F1) and metric.of_whole_case():
                _sum_precision_and_recall(metric, users, k, row)
                continue
            if metric not in computed:
                values, counted = user_values(metric, matches, k, STANDARD)
                computed[metric] = values, counted, exact_sum(users.terms(values, counted & ~np.isnan(values)))
            values, counted, total = computed[metric]
            if variant.rounds == "users":
                kept = variant.round_users(variant.times * values)
                total = exact_sum(users.terms(kept, counted & ~np.isnan(kept)))
            row.count, row.undefined = users.count(counted), users.count(np.isnan(values) & counted)
            if variant.weight == "micro" and metric.weighs:
                row.top, row.bottom = (exact_sum(users.terms(terms, counted)) for terms in metric.parts(matches, k))
            else:
                row.top = list(total)
                if own:
                    values_of[str(variant.at(k))] = rounded(variant, np.where(counted, values, np.nan))
        matches.forget()
    return sums, values_of


def _sum_precision_and_recall(metric: F1, users: Counted, k: int, row: Sum) -> None:
    """Sum precision and recall over users with relevant items; the F1 of their means is computed at the end."""
    relevant = users.matches.n_relevant
    counted = relevant > 0
    hits, length = Precision(divide_by=metric.divide_by).parts(users.matches, k)
    row.top = exact_sum(users.terms(hits / np.maximum(length, 1), counted))
    row.bottom = exact_sum(users.terms(hits / np.maximum(relevant, 1), counted))
    row.count = users.count(counted)


def rounded(variant: Variant, values: np.ndarray) -> np.ndarray:
    """Users' values as the variant gives them: multiplied by its factor and rounded."""
    if variant.rounds == "users":
        return variant.round_users(variant.times * values)
    if variant.rounded is None:
        return values if variant.times == 1 else variant.times * values
    return np.array([variant.round(value) for value in values.tolist()])


def value_of(variant: Variant, k: int, row: Sum, sums: Sums) -> float:
    """The value of a variant from its sums, as for one case of all users."""
    value = _unrounded_value(variant, k, row, sums)
    return value if variant.rounds == "users" else variant.round(value)


def _unrounded_value(variant: Variant, k: int, row: Sum, sums: Sums) -> float:
    metric = variant.metric
    if not row.count:
        missed = sums.relevant > 0 and not sums.hits_at.get(k, 0)
        return 0.0 if getattr(metric, "who", "") == "with_hit" and missed else math.nan
    if isinstance(metric, F1) and metric.of_whole_case():
        precision, recall = math.fsum(row.top) / row.count, math.fsum(row.bottom) / row.count
        return 2.0 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
    if variant.weight == "micro" and metric.weighs:
        bottom = math.fsum(row.bottom)
        return math.fsum(row.top) / bottom if bottom else (0.0 if metric.divides_by_hits() else math.nan)
    if row.undefined:
        return math.nan
    return math.fsum(row.top) / (1 if variant.weight == "sum" else row.count)
