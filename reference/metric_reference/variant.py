"""A variant: a metric with every choice made. It prints itself, parses back, and computes."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import chain
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from metric_reference.averaging import WEIGHTS, average, user_values
from metric_reference.case import Case
from metric_reference.edges import STANDARD, Edges
from metric_reference.matching import Matches, match
from metric_reference.metric import Metric
from metric_reference.narrowed import EVERYTHING, ONLY, narrowed, nobody_has_a_hit
from metric_reference.registry import METRICS
from metric_reference.ties import DETERMINISTIC, break_ties, has_ties

RANKING = tuple(name for name, metric in METRICS.items() if metric.ranking and metric.intended)
"""The metrics of lists or scores and relevant items, which probes identify."""

BEYOND = tuple(name for name, metric in METRICS.items() if not metric.ranking and metric.intended)
"""The other intended metrics: they also read training interactions, item vectors or ratings, and have other probes."""

UNINTENDED = tuple(name for name, metric in METRICS.items() if not metric.intended)
"""What faulty functions compute instead: probes identify these only where no intended metric fits."""

ROUNDS = ("mean", "users")
PRINTED = re.compile(r"(?P<name>\w+)(\((?P<choices>[^()]*)\))?(@(?P<k>\d+))?")


@dataclass(frozen=True)
class Variant:
    """A metric, how users are weighed, a cut-off (None: given later), rounding, a factor, and what is read.

    weight : ``user``: the mean of users' values; ``micro``: the sum of numerators over the sum of denominators;
        ``sum``: the sum of users' values.
    rounded : number of digits after the point to which the value is rounded; None: not rounded.
    rounds : what is rounded: ``mean``: the value; ``users``: the value of each user, before their mean.
    times : factor applied before rounding: 100 for a function that returns per cent.
    only : the part of the case that is read, usually ``everything``; see :func:`metric_reference.narrowed.narrowed`.

    ``str(variant)`` prints the first choice, and the others where they are not the default:
    ``average_precision(divide_by=relevant)@20``, ``reciprocal_rank(over=first, rounded=5)``. :meth:`parse` reads that
    back.
    """

    metric: Metric
    weight: str = "user"
    k: Optional[int] = None
    rounded: Optional[int] = None
    times: int = 1
    rounds: str = "mean"
    only: str = EVERYTHING

    def __post_init__(self) -> None:
        if self.weight not in WEIGHTS:
            raise ValueError(f"weight must be one of {', '.join(WEIGHTS)}, not {self.weight!r}")
        if self.weight == "sum" and "sum" not in self.metric.weights():
            raise ValueError(f"{self.metric.name}: with these choices there is no sum over users")
        if self.k is not None and self.k < 1:
            raise ValueError(f"k must be at least 1, not {self.k}")
        if self.rounded is not None and self.rounded < 0:
            raise ValueError(f"rounded must be at least 0, not {self.rounded}")
        if self.times < 1:
            raise ValueError(f"times must be at least 1, not {self.times}")
        if self.rounds not in ROUNDS:
            raise ValueError(f"rounds must be one of {', '.join(ROUNDS)}, not {self.rounds!r}")
        if self.rounds == "users" and (self.rounded is None or not self.averages_users()):
            raise ValueError("rounds=users has a meaning only for a mean of users' values that are rounded to digits")

        if self.only not in ONLY:
            raise ValueError(f"only must be one of {', '.join(ONLY)}, not {self.only!r}")
        if self.only != EVERYTHING and not (self.metric.relevance and self.metric.lists):
            raise ValueError(f"only has a meaning for lists and relevant items, which {self.metric.name} does not read")

    def averages_users(self) -> bool:
        """Whether the value is the plain mean of users' values."""
        return self.weight == "user" and not (self.metric.of_whole_case() or self.metric.pooled())

    def bounds(self, k: int) -> Tuple[float, float]:
        """Smallest and largest value at cut-off ``k``, if no item is recommended twice; sums are unbounded."""
        low, high = self.metric.bounds(k)
        return low * self.times, math.inf if self.weight == "sum" else high * self.times

    def __str__(self) -> str:
        allowed = self.metric.choices()
        shown = [
            f"{name}={value}"
            for index, (name, value) in enumerate(self.metric.made().items())
            if index == 0 or name not in allowed or value != allowed[name][0]
        ]
        if self.weight != "user":
            shown.append(f"weight={self.weight}")
        if self.only != EVERYTHING:
            shown.append(f"only={self.only}")
        if self.rounded is not None:
            shown.append(f"rounded={self.rounded}")
        if self.rounds != "mean":
            shown.append(f"rounds={self.rounds}")
        if self.times != 1:
            shown.append(f"times={self.times}")
        cut = "" if self.k is None else f"@{self.k}"
        return f"{self.metric.name}({', '.join(shown)}){cut}"

    @classmethod
    def parse(cls, text: str) -> "Variant":
        """The variant of a printed form; choices left out are the defaults.

        Raises ValueError that says which part is wrong and what is allowed.
        """
        printed = PRINTED.fullmatch(re.sub(r"\s*([(),=@])\s*", r"\1", text.strip()))
        if printed is None:
            raise ValueError(f"{text!r} is no variant; write for example average_precision(divide_by=relevant)@20")
        if printed["name"] not in METRICS:
            raise ValueError(f"{printed['name']!r} is no metric; one of {', '.join(METRICS)} is")
        metric = METRICS[printed["name"]]
        names = [*(field.name for field in fields(metric)), "weight", "only", "rounded", "rounds", "times"]
        choices = {}
        for assignment in filter(None, (printed["choices"] or "").split(",")):
            name, _, value = assignment.partition("=")
            if name not in names:
                raise ValueError(f"{metric.name} has no choice {name!r}; it has {', '.join(names)}")
            if name in choices:
                raise ValueError(f"{text!r} gives {name} twice; give it once")
            choices[name] = value
        weight, digits, times = choices.pop("weight", "user"), choices.pop("rounded", None), choices.pop("times", "1")
        rounds, only = choices.pop("rounds", "mean"), choices.pop("only", EVERYTHING)
        if not times.isdigit():
            raise ValueError(f"times must be a whole number, not {times!r}")
        if digits is not None and not digits.isdigit():
            raise ValueError(f"rounded must be a number of digits, not {digits!r}")
        rounded, k = None if digits is None else int(digits), int(printed["k"]) if printed["k"] else None
        return cls(metric(**choices), weight, k, rounded, int(times), rounds, only)

    def choices(self) -> Dict[str, str]:
        """Every choice made, and the weight; what is read, the digits and the factor where they are unusual."""
        read = {} if self.only == EVERYTHING else {"only": self.only}
        rounded = {} if self.rounded is None else {"rounded": str(self.rounded)}
        rounded = rounded if self.rounds == "mean" else {**rounded, "rounds": self.rounds}
        factor = {} if self.times == 1 else {"times": str(self.times)}
        return {**self.metric.made(), "weight": self.weight, **read, **rounded, **factor}

    def at(self, k: int) -> "Variant":
        """The same variant at another cut-off."""
        return replace(self, k=k)

    def plain(self) -> "Variant":
        """The definition: without cut-off, rounding and factor."""
        return Variant(self.metric, self.weight, only=self.only)

    def canonical(self) -> "Variant":
        """The representative of all variants of the metric that no input can tell apart from this one.

        Where all users have the same denominator, the micro average is the mean over users. Where the first k relevant
        items alone count, r is min(k, r); where the listed ones do, r is the hits of the list. Where a metric has a
        choice of who counts, that says who has a hit. Where all who count have a hit, no list is without one.
        """
        if self.only == "with_hit" and hasattr(self.metric, "who"):
            changed: Dict[str, Any] = {"who": "with_hit"}
            return replace(self, metric=replace(self.metric, **changed), only=EVERYTHING).canonical()
        metric = self.metric.canonical()
        if self.only == "first_k_relevant":
            metric = _with_k_relevant(metric).canonical()
        if self.only == "listed":
            metric = _with_listed(metric).canonical()
        if self.only in ("with_hit", "with_hit_or_nan") and "missing" in metric.made():
            metric = replace(metric, missing="left_out")  # type: ignore[call-arg]
        return replace(self, metric=metric, weight=self.weight if self.weight in metric.weights() else "user")

    def value(self, case: Case, edges: Edges = STANDARD, k: Optional[int] = None) -> float:
        """The value for a case; see :func:`prepare` for ties and duplicates."""
        return self.of_matches(prepare(case, edges), edges, k)

    def of_matches(self, matches: Matches, edges: Edges = STANDARD, k: Optional[int] = None) -> float:
        """The value for a case that is matched already."""
        cut = k if k is not None else self.k
        if cut is None:
            raise ValueError(f"{self} has no cut-off; say {self}@20, or give k")
        if cut < 1:
            raise ValueError(f"k must be at least 1, not {cut}")
        if self.rounds == "users":
            values, counted = self.of_users(matches, edges, cut)
            return float(values[counted].mean()) if counted.any() else self.metric.of_nobody(matches, cut)
        part = narrowed(matches, self.only, cut)
        if nobody_has_a_hit(matches, part, self.only):
            return 0.0
        return self.round(average(self.metric, part, cut, edges, self.weight))

    def of_users(self, matches: Matches, edges: Edges, k: int) -> "Tuple[np.ndarray, np.ndarray]":
        """Values of users times the factor, and which users count: float64 and bool, shape (users,).

        They are rounded only if ``rounds`` is ``users``.

        Not for a metric of the whole case.
        """
        values, counted = user_values(self.metric, narrowed(matches, self.only, k), k, edges)
        return self.round_users(self.times * values), counted

    def round_users(self, values: np.ndarray) -> np.ndarray:
        """Values of users, rounded if ``rounds`` is ``users``."""
        if self.rounds == "mean" or self.rounded is None:
            return values
        return np.array([round(value, self.rounded) for value in values.tolist()])

    def round(self, value: float) -> float:
        """A value times the factor, then rounded if the variant rounds it; not if it rounds the values of users."""
        value = value if self.times == 1 else self.times * value
        return value if self.rounded is None or self.rounds == "users" else round(value, self.rounded)


def _with_k_relevant(metric: Metric) -> Metric:
    """The first of a metric's choices that are one where no user has more than k relevant items."""
    equal = ("relevant", "min_k_relevant")
    first = {name: next((v for v in allowed if v in equal), "") for name, allowed in metric.choices().items()}
    made = {name: first[name] for name, value in metric.made().items() if value in equal and name in first}
    if metric.name == "r_precision":
        made["cut"] = "k"
    return replace(metric, **made)


def _with_listed(metric: Metric) -> Metric:
    """The metric whose choices name the relevant items in place of the hits of the whole list, where they are one."""
    made = metric.made()
    if made.get("ideal") in ("list", "list_hits") and made.get("cut") == "k":
        return replace(metric, ideal="min_k_relevant")  # type: ignore[call-arg]
    divisor = {"list_hits": "relevant", "min_k_list_hits": "min_k_relevant"}.get(made.get("divide_by", ""))
    return metric if divisor is None else replace(metric, divide_by=divisor)  # type: ignore[call-arg]


def prepare(case: Case, edges: Edges = STANDARD) -> Matches:
    """Match a case under the tie and duplicate rules of ``edges``."""
    ties, duplicates = matching_rules(case, edges)
    return match(case if ties == "input_order" else break_ties(case, ties), duplicates)


def matching_rules(case: Case, edges: Edges) -> Tuple[str, str]:
    """The tie rule and the duplicate rule that :func:`prepare` uses; equal rules give equal matches."""
    breaks = edges.ties in DETERMINISTIC and has_ties(case)
    return edges.ties if breaks else "input_order", "once" if edges.duplicates == "once" else "counted"


@lru_cache(maxsize=None)
def space(name: str) -> Tuple[Variant, ...]:
    """The variants of a metric that some input tells apart, the standard one first.

    Raises ValueError for a name that is no metric.
    """
    if name not in METRICS:
        raise ValueError(f"{name!r} is no metric; one of {', '.join(METRICS)} is")
    return tuple(dict.fromkeys(variant.canonical() for variant in spellings(name)))


def spellings(name: str) -> Iterator[Variant]:
    """Every combination of choices and weights of a metric, those that no input tells apart included."""
    for metric in METRICS[name].space():
        for weight in WEIGHTS:
            if weight != "sum" or weight in metric.weights():
                yield Variant(metric, weight)


@lru_cache(maxsize=None)
def identities() -> Tuple[Tuple[str, ...], ...]:
    """Groups of variants of different metrics that have the same value for every input: printed, canonical forms.

    Metrics that agree for every user have the same mean and the same sum over users. Where their denominators agree
    too, :attr:`Metric.coincides` also names the micro averages.
    """
    groups: List[Tuple[str, ...]] = []
    for group in chain.from_iterable(metric.coincides for metric in METRICS.values()):
        variants = [Variant.parse(text) for text in group]
        for weight in ("user", "sum") if all(variant.weight == "user" for variant in variants) else ("micro",):
            if all(weight in variant.metric.weights() for variant in variants):
                groups.append(tuple(str(replace(variant, weight=weight)) for variant in variants))
    return tuple(groups)


def twins(variant: Variant) -> List[Variant]:
    """The other variants, of its own metric and of others, that no input can tell apart from this one."""
    plain = Variant(variant.metric, variant.weight)
    return [replace(other, only=variant.only) for other in _same_value(plain.canonical()) if other != plain]


def computes(variant: Variant, metric: Optional[str]) -> bool:
    """Whether a variant, or one that no input can tell apart from it, is of the metric of this name."""
    return metric in {each.metric.name for each in (variant, *twins(variant))}


@lru_cache(maxsize=None)
def _same_value(canonical: Variant) -> Tuple[Variant, ...]:
    """A canonical variant and all others, of any metric, that have the same value for every input."""
    variants = [variant for variant in spellings(canonical.metric.name) if variant.canonical() == canonical]
    for group in identities():
        if str(canonical) in group:
            variants += [Variant.parse(text) for text in group]
    return tuple(dict.fromkeys(variants))


def standard(name: str) -> Variant:
    """The variant with every choice at its default."""
    return space(name)[0]


def unusual(variant: Variant) -> int:
    """How many choices are not at their default."""
    made = variant.metric.made()
    changed = sum(made[name] != allowed[0] for name, allowed in variant.metric.choices().items())
    changed += (variant.weight != "user") + (variant.rounded is not None) + (variant.times != 1)
    return changed + (variant.rounds != "mean") + (variant.only != EVERYTHING)


def plainest(variants: List[Variant]) -> List[Variant]:
    """The variants, fewest unusual choices first."""
    return sorted(variants, key=unusual)
