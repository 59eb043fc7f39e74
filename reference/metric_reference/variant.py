"""A variant: a metric with every choice made. It prints itself, parses back, and computes."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Dict, Iterator, List, Optional, Tuple

from metric_reference.averaging import WEIGHTS, average
from metric_reference.case import Case
from metric_reference.edges import STANDARD, Edges
from metric_reference.matching import Matches, match
from metric_reference.metric import Metric
from metric_reference.registry import METRICS
from metric_reference.ties import DETERMINISTIC, break_ties, has_ties

RANKING = tuple(name for name, metric in METRICS.items() if metric.ranking and metric.intended)
"""The metrics of lists or scores and relevant items, which probes identify."""

BEYOND = tuple(name for name, metric in METRICS.items() if not metric.ranking and metric.intended)
"""The others: they read training interactions, item vectors or ratings too, and have probes of their own."""

UNINTENDED = tuple(name for name, metric in METRICS.items() if not metric.intended)
"""What functions compute that were meant as one of them: probes identify these as well, where no other fits."""
PRINTED = re.compile(r"(?P<name>\w+)(\((?P<choices>[^()]*)\))?(@(?P<k>\d+))?")


@dataclass(frozen=True)
class Variant:
    """A metric, how users are weighed, a cut-off (None: to be given), rounding, and a factor.

    weight : ``user``: the mean of users' values; ``micro``: the sum of numerators over the sum of denominators;
        ``sum``: the sum of users' values.
    rounded : to how many digits after the point the number is rounded; None: not at all.
    times : what the number is multiplied by before: 100 for a function that returns per cent.

    ``str(variant)`` gives the first choice always and the others where they are not the default:
    ``average_precision(divide_by=relevant)@20``, ``reciprocal_rank(over=first, rounded=5)``. :meth:`parse` reads that
    back.
    """

    metric: Metric
    weight: str = "user"
    k: Optional[int] = None
    rounded: Optional[int] = None
    times: int = 1

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

    def bounds(self, k: int) -> Tuple[float, float]:
        """Smallest and largest value at cut-off ``k``, if no item is recommended twice; a sum over users has no end."""
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
        if self.rounded is not None:
            shown.append(f"rounded={self.rounded}")
        if self.times != 1:
            shown.append(f"times={self.times}")
        cut = "" if self.k is None else f"@{self.k}"
        return f"{self.metric.name}({', '.join(shown)}){cut}"

    @classmethod
    def parse(cls, text: str) -> "Variant":
        """The variant that a printed form names; choices left out are the defaults.

        Raises ValueError that says which part is wrong and what would be right.
        """
        found = PRINTED.fullmatch(re.sub(r"\s*([(),=@])\s*", r"\1", text.strip()))
        if found is None:
            raise ValueError(f"{text!r} is no variant; write for example average_precision(divide_by=relevant)@20")
        if found["name"] not in METRICS:
            raise ValueError(f"{found['name']!r} is no metric; one of {', '.join(METRICS)} is")
        metric = METRICS[found["name"]]
        made = {}
        for part in filter(None, (found["choices"] or "").split(",")):
            name, _, value = part.partition("=")
            names = [field.name for field in fields(metric)]
            others = ("weight", "rounded", "times")
            if name not in (*names, *others):
                raise ValueError(f"{found['name']} has no choice {name!r}; it has {', '.join([*names, *others])}")
            if name in made:
                raise ValueError(f"{text!r} gives {name} twice; give it once")
            made[name] = value
        weight, digits, times = made.pop("weight", "user"), made.pop("rounded", None), made.pop("times", "1")
        if not times.isdigit():
            raise ValueError(f"times must be a whole number, not {times!r}")
        if digits is not None and not digits.isdigit():
            raise ValueError(f"rounded must be a number of digits, not {digits!r}")
        rounded = None if digits is None else int(digits)
        return cls(metric(**made), weight, int(found["k"]) if found["k"] else None, rounded, int(times))

    def choices(self) -> Dict[str, str]:
        """Every choice made, the weight among them; the digits where the number is rounded, and the factor if any."""
        rounded = {} if self.rounded is None else {"rounded": str(self.rounded)}
        factor = {} if self.times == 1 else {"times": str(self.times)}
        return {**self.metric.made(), "weight": self.weight, **rounded, **factor}

    def at(self, k: int) -> "Variant":
        """The same variant at another cut-off."""
        return replace(self, k=k)

    def canonical(self) -> "Variant":
        """The variant that stands for all that no input can tell apart from this one.

        Where the denominator is the same for every user, micro and user means are one.
        """
        metric = self.metric.canonical()
        return replace(self, metric=metric, weight=self.weight if self.weight in metric.weights() else "user")

    def value(self, case: Case, edges: Edges = STANDARD, k: Optional[int] = None) -> float:
        """The number this variant gives for a case; see :func:`prepare` for ties and duplicates."""
        return self.of_matches(prepare(case, edges), edges, k)

    def of_matches(self, matches: Matches, edges: Edges = STANDARD, k: Optional[int] = None) -> float:
        """The number for a case that is matched already."""
        cut = k if k is not None else self.k
        if cut is None:
            raise ValueError(f"{self} has no cut-off; say {self}@20, or give k")
        if cut < 1:
            raise ValueError(f"k must be at least 1, not {cut}")
        return self.round(average(self.metric, matches, cut, edges, self.weight))

    def round(self, value: float) -> float:
        """A number as the variant gives it: times its factor, then rounded, if it rounds."""
        value = value if self.times == 1 else self.times * value
        return value if self.rounded is None else round(value, self.rounded)


def prepare(case: Case, edges: Edges = STANDARD) -> Matches:
    """Match a case under the tie and duplicate rules of ``edges``."""
    ties, duplicates = matching_rules(case, edges)
    return match(case if ties == "input_order" else break_ties(case, ties), duplicates)


def matching_rules(case: Case, edges: Edges) -> Tuple[str, str]:
    """The tie rule and the duplicate rule by which :func:`prepare` matches a case: where they are equal, so is that."""
    breaks = edges.ties in DETERMINISTIC and has_ties(case)
    return edges.ties if breaks else "input_order", "once" if edges.duplicates == "once" else "counted"


@lru_cache(maxsize=None)
def space(name: str) -> Tuple[Variant, ...]:
    """Every variant of a metric that some input tells apart from the others, the standard one first.

    Raises ValueError for a name that is no metric.
    """
    if name not in METRICS:
        raise ValueError(f"{name!r} is no metric; one of {', '.join(METRICS)} is")
    return tuple(dict.fromkeys(variant.canonical() for variant in spellings(name)))


def spellings(name: str) -> Iterator[Variant]:
    """Every combination of choices and weights of a metric, whether or not some input tells it apart from others."""
    for metric in METRICS[name].space():
        for weight in WEIGHTS:
            if weight != "sum" or weight in metric.weights():
                yield Variant(metric, weight)


@lru_cache(maxsize=None)
def identities() -> Tuple[Tuple[str, ...], ...]:
    """Groups of variants of different metrics that are the same number for every input: printed, canonical forms.

    Metrics whose values are the same for every user have the same mean and the same sum. Where the denominators are
    the same too, :attr:`Metric.coincides` names the micro averages as well.
    """
    groups: List[Tuple[str, ...]] = []
    for group in (group for metric in METRICS.values() for group in metric.coincides):
        variants = [Variant.parse(text) for text in group]
        for weight in ("user", "sum") if all(v.weight == "user" for v in variants) else ("micro",):
            if all(weight in v.metric.weights() for v in variants):
                groups.append(tuple(str(replace(v, weight=weight)) for v in variants))
    return tuple(groups)


def twins(variant: Variant) -> List[Variant]:
    """The other variants, of its own metric and of others, that no input can tell apart from this one."""
    plain = Variant(variant.metric, variant.weight)
    return [other for other in _alike(plain.canonical()) if other != plain]


@lru_cache(maxsize=None)
def _alike(same: Variant) -> Tuple[Variant, ...]:
    """The variants that a canonical one stands for, itself among them."""
    found = [other for other in spellings(same.metric.name) if other.canonical() == same]
    for group in identities():
        if str(same) in group:
            found += [Variant.parse(text) for text in group]
    return tuple(dict.fromkeys(found))


def standard(name: str) -> Variant:
    """The variant with every choice at its default."""
    return space(name)[0]


def unusual(variant: Variant) -> int:
    """How many choices are not at their default: of several fitting variants the plainest is named."""
    made = variant.metric.made()
    off = sum(made[name] != allowed[0] for name, allowed in variant.metric.choices().items())
    return off + (variant.weight != "user") + (variant.rounded is not None) + (variant.times != 1)


def plainest(variants: List[Variant]) -> List[Variant]:
    """The variants, those with the fewest unusual choices first."""
    return sorted(variants, key=unusual)
