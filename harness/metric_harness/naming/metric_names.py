"""The metric that a name claims: of a function, a class, a result or a column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple


class Claim(NamedTuple):
    """The metric that a name claims.

    metric : its name in the reference, empty if that does not have it. label : the more exact name, e.g. ``dcg``; only
    functions with the same label are compared. certain : the word means nothing else.
    """

    metric: str
    label: str
    certain: bool


NAME_SUFFIX = r"(_(at|k|n|top|cut|score|scores|value|metric|metrics|list|per_user|user|binary|batch|one|func|fn|calc))"
CLAIMS: tuple[tuple[str, str, str, str], ...] = (
    # metric, label, words that mean nothing else, words that may mean something else
    (
        "pr_auc",
        "pr_auc",
        r"(pr|prc|precision_recall)_?au[cp]\w*|auc_?pr|au_?prc?|area_under_(the_)?(pr|precision_recall)\w*",
        "",
    ),
    ("", "alpha_ndcg", r"(a|alpha)_n?dcg", ""),
    ("", "weighted_ndcg", r"wn?_?dcg(s)?", ""),
    ("", "cmc", r"cmc|cumulative_match\w*", ""),
    ("ndcg", "ndcg", r"[tn]?n_?dcg(s|a?k)?|normali[sz]ed_discounted_cumulative_gain|normali[sz]ed_dcg", ""),
    ("ndcg", "dcg", r"dcg|discounted_cumulative_gain", ""),
    ("average_recall", "average_recall", r"mean_average_recall|average_recall", r"mark?"),
    ("r_precision", "r_precision", r"r_precision|r_prec|rprec|rprecision", ""),
    (
        "average_precision",
        "average_precision",
        r"mean_average_precision|(average|avg)_prec(isions?)?k?|averageprecision|mapk|apk|apak|mapatk|mean_ap|mapr|map_r"
        r"|m_?ap_(at|k|n|top|score|metric|per_user|batch|value|func|fn)|ap_(at|k|n|score)",
        r"map|ap|m_ap",
    ),
    (
        "expected_reciprocal_rank",
        "expected_reciprocal_rank",
        r"expected_reciprocal_rank|err_(at|k|score|metric)",
        "",
    ),
    ("rank_biased_precision", "rank_biased_precision", r"rank_biased_precision|rbp", ""),
    ("reciprocal_rank", "arhr", r"arhrk?|reciprocal_hit_(ranks?|rate|ratio)", ""),
    (
        "reciprocal_rank",
        "reciprocal_rank",
        r"a?n?mrrs?|reciprocal_rank(ing)?s?|recip_rank|rr_(at|k|score)",
        "rr",
    ),
    ("rank", "rank", r"(mean|med)_?r(anks?)?|median_ranks?", r"(average|avg|ave)_?r(anks?)?|mr"),
    ("auc", "gauc", r"(roc_)?gauc|uauc|user_auc|group_auc", ""),
    ("", "limited_auc", r"lauc|limited_(auc|area_under\w*)", ""),
    ("auc", "auc", r"auc|auroc|roc_?auc|auc_score|area_under_(the_)?(roc_)?curve", "roc"),
    ("f1", "f1", r"f_?1_(score|at|k|measure)|f_?1(score)?|fscore|f_(score|measure)|fmeasure", ""),
    ("hit_rate", "recall_any", r"recall_any", ""),
    ("hit_rate", "recall_all", r"recall_all", ""),
    ("recall", "recall", r"recalls?k?|recall_?at", rf"rec({NAME_SUFFIX}|_metrics)"),
    (
        "precision",
        "precision",
        rf"(prec+ission|precision|prec){NAME_SUFFIX}|precisionk|precak|patk|p_at_k",
        r"prec+ission|precisions?|prec",
    ),
    (
        "hit_rate",
        "hit_rate",
        r"hit_?rate|hit_?ratio|hitrate|hitratio|hits?_(at|k|score|metric)|success_(at|rate)|hr_(at|k)|hit_at_k|hits?atk",
        r"hit|hits|hr|phr|ht|success",
    ),
)
COMPILED = [
    (metric, label, [re.compile(rf"(?<![^_])({word})(?![^_])") for word in (sure, maybe) if word])
    for metric, label, sure, maybe in CLAIMS
]
OF_LABELS = re.compile(r"(?<![^_])(mcc|matthews\w*|phi_coef\w*)(?![^_])")
"""A name that claims the correlation of two vectors of labels; no scan looks for it."""
GENERIC_WORDS = re.compile(r"(^|_)(metrics?|measures?|evaluators?|calculators?|score)(?=_|$)")
BEYOND_NAMES = re.compile(
    r"coverage|novelty|diversity|popularity|serendipity|unexpectedness|personali[sz]ation|gini|entropy|(?<![a-z])(ild|arp|rmse|mae)(?![a-z])"
)
"""Words in names of metrics of lists, popularity or ratings alone, which no audit of a user's function looks for."""


def words(name: str) -> str:
    """A name as words in lower case with ``_`` between them, without numbers: ``NDCGMetric`` is ``ndcg_metric``."""
    name = re.sub(r"(?i)percision|presici?on|precicion|precison", "precision", name)  # misspelled
    text = re.sub(r"(?<![A-Za-z])[rR]@(\d+|k|\{k\})$", "recall", name)
    text = re.sub(r"(?<![A-Za-z])[pP]@(\d+|k|\{k\})$", "precision_at", text)
    text = re.sub(r"(?<![A-Za-z])R\d+$", "rec_k", text)  # R2 may be the coefficient of determination
    text = re.sub(r"(?i)(?<![A-Za-z])hits?[@_]?\d+$", "hits_at", text)
    text = re.sub(r"(?i)(ndcg|recall|precision|map|mrr|hr|hits?|auc)at(?=_?k|_|$)", r"\1_at_", text)
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", text)
    text = re.sub(r"\bM_?AP(?=_|$)", "MAP", text)
    text = re.sub(r"(?<![fF])(?<=[A-Za-z])[ @]?_?\d+(?=_|$)", "", text)
    return re.sub(r"[\W_]+", "_", text.lower()).strip("_")


def claims_in(text: str) -> Iterator[tuple[int, Claim]]:
    """The metrics that words mention, the one that they claim first, each with its position."""
    for metric, label, patterns in COMPILED:
        for pattern in patterns:
            if found := pattern.search(text):
                short = GENERIC_WORDS.sub("", text).strip("_")
                certain = pattern is patterns[0] or bool(short != text and pattern.fullmatch(short))
                yield found.start(), Claim(metric, label, certain)
                text = text[: found.start()] + "_" * len(found[0]) + text[found.end() :]
                break


@lru_cache(maxsize=1 << 16)
def claim_of(name: str) -> Claim | None:
    """The metric that a name claims, or None."""
    return next((claim for _, claim in claims_in(words(name))), None)


def metrics_in_name(function: str) -> list[str]:
    """Every metric that a function's name mentions, in the order of the name: ``precision_recall_at_k`` has two."""
    found = claims_in(words(function.rpartition(".")[2]))
    return [claim.metric for _, claim in sorted(found) if claim.metric]


def metric_of_name(function: str) -> str | None:
    """The metric that a function's name claims, or that of its class if the name of a method tells none; else None."""
    claims = map(claim_of, reversed(function.split(".")))
    of_labels = "mcc" if OF_LABELS.search(words(function)) else None
    return next((claim.metric or None for claim in claims if claim is not None), of_labels)


def beyond_in_name(function: str) -> str | None:
    """The metric of :data:`BEYOND_NAMES` that a name claims, if it claims none of relevant items."""
    found = None if metric_of_name(function) else BEYOND_NAMES.search(words(function))
    return found[0] if found else None
