"""A variant: a metric with every choice made. It prints itself, parses back, and computes."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Dict, List, Optional, Tuple, Type

from reference.auc import Auc
from reference.average_precision import AveragePrecision
from reference.average_recall import AverageRecall
from reference.averaging import WEIGHTS, average
from reference.case import Case
from reference.constant import Constant
from reference.coverage import Coverage
from reference.diversity import Diversity
from reference.edges import STANDARD, Edges
from reference.entropy import Entropy
from reference.f1 import F1
from reference.filtered_rank import FilteredRank
from reference.gini import Gini
from reference.hit_rate import HitRate
from reference.inverted_auc import InvertedAuc
from reference.matching import Matches, match
from reference.metric import Metric
from reference.ndcg import Ndcg
from reference.novelty import Novelty
from reference.personalization import Personalization
from reference.popularity import Popularity
from reference.precision import Precision
from reference.r_precision import RPrecision
from reference.rated_hit_rate import CumulativeHitRate, RatingHitRate
from reference.rating_error import Accuracy, Mae, RatingError, Rmse
from reference.recall import Recall
from reference.reciprocal_rank import ReciprocalRank
from reference.serendipity import Serendipity
from reference.ties import DETERMINISTIC, break_ties, has_ties
from reference.truncated_auc import TruncatedAuc
from reference.unexpectedness import Unexpectedness

METRICS: Dict[str, Type[Metric]] = {
    metric.name: metric
    for metric in (
        HitRate, Precision, Recall, F1, ReciprocalRank, AveragePrecision, AverageRecall, RPrecision, Ndcg, Auc,
        CumulativeHitRate, RatingHitRate, Mae, Rmse, Accuracy,
        Coverage, Popularity, Novelty, Diversity, Personalization, Unexpectedness, Serendipity,
        Entropy, Gini,
        FilteredRank, InvertedAuc, TruncatedAuc, Constant,
    )
}  # fmt: skip
RANKING = ("hit_rate", "precision", "recall", "f1", "reciprocal_rank", "average_precision", "average_recall",
           "r_precision", "ndcg", "auc")  # fmt: skip
"""The metrics of lists and relevant items, which probes identify."""

UNINTENDED = ("filtered_rank", "inverted_auc", "truncated_auc", "constant")
"""What functions compute that were meant as one of them: probes identify these as well, where no other fits."""
PRINTED = re.compile(r"(?P<name>\w+)(\((?P<choices>[^()]*)\))?(@(?P<k>\d+))?")


@dataclass(frozen=True)
class Variant:
    """A metric, how users are weighed, and a cut-off (None: to be given).

    weight : ``user``: the mean of users' values; ``micro``: the sum of numerators over the sum of denominators.

    ``str(variant)`` gives the first choice always and the others where they are not the default:
    ``average_precision(divide_by=relevant)@20``. :meth:`parse` reads that back.
    """

    metric: Metric
    weight: str = "user"
    k: Optional[int] = None

    def __post_init__(self) -> None:
        if self.weight not in WEIGHTS:
            raise ValueError(f"weight must be user or micro, not {self.weight!r}")
        if self.k is not None and self.k < 1:
            raise ValueError(f"k must be at least 1, not {self.k}")

    def __str__(self) -> str:
        allowed = self.metric.choices()
        shown = [
            f"{name}={value}"
            for index, (name, value) in enumerate(self.metric.made().items())
            if index == 0 or name not in allowed or value != allowed[name][0]
        ]
        if self.weight != "user":
            shown.append(f"weight={self.weight}")
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
            if name not in (*names, "weight"):
                raise ValueError(f"{found['name']} has no choice {name!r}; it has {', '.join(names)}, weight")
            if name in made:
                raise ValueError(f"{text!r} gives {name} twice; give it once")
            made[name] = value
        weight = made.pop("weight", "user")
        return cls(metric(**made), weight, int(found["k"]) if found["k"] else None)

    def choices(self) -> Dict[str, str]:
        """Every choice made, the weight among them."""
        return {**self.metric.made(), "weight": self.weight}

    def at(self, k: int) -> "Variant":
        """The same variant at another cut-off."""
        return replace(self, k=k)

    def canonical(self) -> "Variant":
        """The variant that stands for all that no input can tell apart from this one.

        Where the denominator is the same for every user, micro and user means are one.
        """
        metric = self.metric.canonical()
        if isinstance(metric, Ndcg) and metric.discount == "none" and metric.ideal == "hits":
            metric = replace(metric, gain="binary")  # 1 for a list with a hit, whatever the gains
        return Variant(metric, "user" if same_denominator(metric) else self.weight, self.k)

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
        return average(self.metric, matches, cut, edges, self.weight)


def prepare(case: Case, edges: Edges = STANDARD) -> Matches:
    """Match a case under the tie and duplicate rules of ``edges``."""
    if edges.ties in DETERMINISTIC and edges.ties != "input_order" and has_ties(case):
        case = break_ties(case, edges.ties)
    return match(case, "once" if edges.duplicates == "once" else "counted")


ALIKE = (HitRate, CumulativeHitRate, RatingHitRate, Auc, InvertedAuc, TruncatedAuc, Constant, RatingError)
"""Metrics that know no micro average besides their own mean."""


def same_denominator(metric: Metric) -> bool:
    """Whether the denominator is one number for all users, so that the weight does not matter."""
    made = metric.made()
    if metric.whole() or isinstance(metric, ALIKE):
        return True
    if isinstance(metric, (Precision, AveragePrecision, Serendipity)):
        return made["divide_by"] == "k"
    if isinstance(metric, (Popularity, Novelty, Unexpectedness)):
        return made["length"] in ("k", "catalogue")
    if isinstance(metric, FilteredRank):
        return made["value"] == "precision"
    if isinstance(metric, ReciprocalRank):
        return made["over"] in ("first", "sum")
    return isinstance(metric, Ndcg) and (metric.ideal == "none" or (metric.ideal == "k" and metric.gain == "binary"))


@lru_cache(maxsize=None)
def space(name: str) -> Tuple[Variant, ...]:
    """Every variant of a metric that some input tells apart from the others, the standard one first.

    Raises ValueError for a name that is no metric.
    """
    if name not in METRICS:
        raise ValueError(f"{name!r} is no metric; one of {', '.join(METRICS)} is")
    variants = (Variant(metric, weight).canonical() for metric in METRICS[name].space() for weight in WEIGHTS)
    return tuple(dict.fromkeys(variants))


IDENTITIES = (
    ("hit_rate(value=any)", "ndcg(gain=binary, discount=none, ideal=hits)"),
    ("hit_rate(value=hits)", "ndcg(gain=binary, discount=none, ideal=none)"),
    ("precision(divide_by=k)", "ndcg(gain=binary, discount=none, ideal=k)"),
    (
        "precision(divide_by=min_k_relevant)",
        "recall(divide_by=min_k_relevant)",
        "ndcg(gain=binary, discount=none)",
    ),
    (
        "precision(divide_by=min_k_relevant, weight=micro)",
        "recall(divide_by=min_k_relevant, weight=micro)",
        "ndcg(gain=binary, discount=none, weight=micro)",
    ),
    ("recall(divide_by=relevant)", "ndcg(gain=binary, discount=none, ideal=relevant)"),
    ("recall(divide_by=relevant, weight=micro)", "ndcg(gain=binary, discount=none, ideal=relevant, weight=micro)"),
)
"""Variants of different metrics that are the same number for every input."""


def twins(variant: Variant) -> List[Variant]:
    """The other variants, of its own metric and of others, that no input can tell apart from this one."""
    plain, same = Variant(variant.metric, variant.weight), variant.canonical()
    same = Variant(same.metric, same.weight)
    own = [Variant(metric, weight) for metric in type(variant.metric).space() for weight in WEIGHTS]
    found = [other for other in own if other.canonical() == same]
    for group in IDENTITIES:
        if str(same) in group:
            found += [Variant.parse(text) for text in group]
    return [other for other in dict.fromkeys(found) if other != plain]


def standard(name: str) -> Variant:
    """The variant with every choice at its default."""
    return space(name)[0]


def unusual(variant: Variant) -> int:
    """How many choices are not at their default: of several fitting variants the plainest is named."""
    made = variant.metric.made()
    off = sum(made[name] != allowed[0] for name, allowed in variant.metric.choices().items())
    return off + (variant.weight != "user")


def plainest(variants: List[Variant]) -> List[Variant]:
    """The variants, those with the fewest unusual choices first."""
    return sorted(variants, key=unusual)
