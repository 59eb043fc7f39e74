"""What names in source code mean: which metric a name claims, and which parameters an audit cannot fill."""

from __future__ import annotations

import re
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
    ("", "pr_auc", r"(pr|prc|precision_recall)_au[cp]\w*|auprc?|area_under_(the_)?(pr|precision_recall)\w*", ""),
    ("", "alpha_ndcg", r"(a|alpha)_n?dcg", ""),
    ("ndcg", "ndcg", r"n_?dcg|ndcgs|normali[sz]ed_discounted_cumulative_gain|normali[sz]ed_dcg", ""),
    ("ndcg", "dcg", r"dcg|discounted_cumulative_gain", ""),
    ("average_recall", "average_recall", r"mean_average_recall|average_recall", "mark?"),
    ("r_precision", "r_precision", r"r_precision|r_prec|rprec|rprecision", ""),
    (
        "average_precision",
        "average_precision",
        r"mean_average_precision|average_precision|avg_prec(ision)?|averageprecision|mapk|apk|apak|mapatk|mean_ap|mapr|map_r"
        r"|m_?ap_(at|k|n|top|score|metric|per_user|batch|value|func|fn)|ap_(at|k|n|score)",
        r"map|ap|m_ap",
    ),
    (
        "reciprocal_rank",
        "reciprocal_rank",
        r"mrr|mrrs|reciprocal_rank(ing)?s?|recip_rank|arhr|arhrk|rr_(at|k|score)",
        "rr",
    ),
    ("auc", "gauc", r"gauc|uauc|user_auc|group_auc", ""),
    ("auc", "auc", r"auc|auroc|roc_auc|auc_score|area_under_(the_)?(roc_)?curve", "roc"),
    ("f1", "f1", r"f_?1_(score|at|k|measure)|f_?1|fscore|f_(score|measure)|fmeasure", ""),
    ("recall", "recall", r"recall|recalls|recallk|recall_at", rf"rec{NAME_SUFFIX}"),
    (
        "precision",
        "precision",
        rf"(precision|prec){NAME_SUFFIX}|precisionk|patk|precision_and_recall|p_at_k",
        r"precision|precisions|prec",
    ),
    (
        "hit_rate",
        "hit_rate",
        r"hit_?rate|hit_?ratio|hitrate|hitratio|hits?_(at|k|score|metric)|success_(at|rate)|hr_(at|k)|hit_at_k|hits?atk",
        r"hit|hits|hr|success",
    ),
)
COMPILED = [
    (metric, label, re.compile(rf"(^|_)({sure})(_|$)"), re.compile(rf"(^|_)({maybe})(_|$)") if maybe else None)
    for metric, label, sure, maybe in CLAIMS
]
NO_METRIC = re.compile(
    r"(^|_)(loss|losses|acc|tokens?|rouge|bleu|squad|glue|make|lambdas?|plots?|draw|figure|curves?|print|prints|log|logs|logger|logging|show|display|report|format"
    r"|train|training|trainer|fit|save|load|read|write|parse|parser|export|render|setup|teardown|callback|hook"
    r"|config|configs|name|names|key|keys|index|column|columns|flag|mode|sampler|sampling|sample|samples"
    r"|cache|table|cell|label_map|mapping|mapper|optimi[sz]e|optimi[sz]er|gradients?|grad|deltas?|checkpoint|best|better"
    r"|stopping|threshold|thresholds|idcg|ideal|max_dcg|improvement|history|file|files|path|dataset|dataloader|loader"
    r"|learner|estimator|layer|embedding|registry|register|factory|builder|schema|options|args|argparse|error|warning"
    r"|exception|test|tests|is|has|assert|check|validate|multi_?class|multi_?label|fixed|recommend|predict|sgd|backward|step|float|double|half|mixed|dtype|decimal|numeric"
    r"|distributions?|fusion|slice|by_rating|aggregate|aggregates|combine|merge|update|init|request|response|prompt|template|chunk|chunks|node|nodes)(_|$)"
)
"""Words in names of functions that are about a metric but compute none, or that only share a word with one."""
GENERIC = re.compile(
    r"(^|_)(evaluate|evaluation|eval|evaluator|metrics?|scores?|scoring|scorer|performances?|compute|calculate|calc"
    r"|measures?|rank_corrected|ranking|accuracy|get_result|test_one_user)(_|$)"
)
"""Words in names of functions that compute several metrics, or one that the name does not tell."""
PHRASES = re.compile(
    r"\b(n?dcg|cumulative gain|reciprocal rank|mrr|average precision|mean average precision|map ?@ ?k|precision ?@"
    r"|recall ?@|precision at|recall at|hit[ -]?(rate|ratio)|hits? ?@|hits? at|r-precision|auc"
    r"|area under the (roc )?curve|map@)",
    re.IGNORECASE,
)
NEEDS = re.compile(
    r"(^|_)(models?|net|network|loader|dataloader|datasets?|sess|session|optimi[sz]er|config|configs|cfg|conf|args|opts?|opt"
    r"|hparams|params|parameters|meters?|epochs?|ax|axes|fig|figure|plt|path|paths|file|filename|fname|dir|folder|trainer|engine"
    r"|writer|logger|callback|criterion|loss|losses|estimator|clf|classifier|learner|recommender|algo|algorithm|client|conn|cursor"
    r"|tokenizer|encoder|decoder|embeddings?|embs?|embed|features?|feats?|spark|device|metric_fn|metric_func|func|function|fn|metrics?"
    r"|evaluator|url|uri|text|sentence|tokenized|history|step|results_dir|corpus|queries|image|images|boxes|bbox|masks?)$"
)
"""Names of required parameters that no audit can fill."""
COUNTS = re.compile(r"^(tp|fp|fn|tn|n_?tp|n_?fp|n_?fn|true_positives?|false_positives?|false_negatives?)$")
VALUES = re.compile(
    r"^(m?aps?|average_precisions?|precisions?|precs?|recalls?|ndcgs?|dcgs?|idcgs?|mrrs?|prec|fpr|tpr)$"
)
GENERIC_WORDS = re.compile(r"(^|_)(metrics?|measures?|evaluators?|calculators?|score)(?=_|$)")


def words(name: str) -> str:
    """A name as words in lower case with ``_`` between them: ``NDCGMetric`` is ``ndcg_metric``."""
    text = re.sub(r"(?i)(ndcg|recall|precision|map|mrr|hr|hits?|auc)at(?=_?k|_|$)", r"\1_at_", name)
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", text)
    text = re.sub(r"\bM_?AP(?=_|$)", "MAP", text)
    text = re.sub(r"(?<![fF])(?<=[A-Za-z])@?_?\d+(?=_|$)", "", text)
    return re.sub(r"_+", "_", text.lower()).strip("_")


def claim_of(name: str) -> Claim | None:
    """The metric that a name claims, or None."""
    text = words(name)
    for metric, label, sure, maybe in COMPILED:
        if sure.search(text):
            return Claim(metric, label, True)
        if maybe is not None and maybe.search(text):
            short = GENERIC_WORDS.sub("", text).strip("_")
            return Claim(metric, label, bool(short != text and maybe.fullmatch(short)))
    return None
