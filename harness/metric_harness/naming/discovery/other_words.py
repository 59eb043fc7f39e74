"""Words in source code that tell what else a function does, what it needs, and of which metrics its text speaks."""

from __future__ import annotations

import re

NO_METRIC = re.compile(
    r"(?<!for)(?<!per)(^|_)(loss|losses|acc|tokens?|rouge|bleu|bert|bertscore|squad|glue|make|extract|annotate|lambdas?|plots?|draw|figure|curves?|print|prints|log|logs|logger|logging|show|display|report|format"
    r"|train|training|trainer|fit|save|load|read|write|parse|parser|export|render|setup|teardown|callback|hook"
    r"|config|configs|name|names|key|keys|index|column|columns|flag|mode|sampler|sampling|samples?(?!_metrics?(_|$))"
    r"|cache|table|cell|label_map|map_func|map_fn|mapping|mapper|optimi[sz]e|optimi[sz]er|gradients?|grad|deltas?|diff|checkpoint|best|better"
    r"|stopping|threshold|thresholds|idcg|ideal|max_dcg|improvement|history|file|files|path|dataset|dataloader|loader"
    r"|learner|estimator|layer|embedding|registry|register|factory|builder|schema|options|args|argparse|error|warning"
    r"|exception|test|tests|is|has|assert|check|validate|multi_?class|multi_?label|fixed|recommend|predict|sgd|backward|step|float|double|half|mixed|dtype|decimal|numeric"
    r"|(true|false)_(positive|negative)s?|distributions?|fusion|slice|by_rating|aggregate|aggregates|combine|merge|update|init|request|response|prompt|template|chunk|chunks|node|nodes)(_|$)"
)
"""Words in names of functions that are about a metric but compute none, or that only share a word with one.

After ``for`` or ``per`` they say of what a metric is, ``ap_for_sample``, as ``sample_metrics`` does.
"""
GENERIC = re.compile(
    r"(^|_)(evaluate|evaluation|eval|evaluator|benchmark|metrics?|scores?|scoring|scorer|performances?|compute|calculate|calc"
    r"|measures?|rank_corrected|ranking|accuracy|get_result|test_one_user)(_|$)"
)
"""Words in names of functions that compute several metrics, or one that the name does not tell."""
EVALUATES = {"evaluate", "evaluation", "eval", "evaluator", "benchmark"}
"""Of these, those of a function that evaluates what it is handed."""
RUNS = re.compile(r"(run|start|valid|validate|validation|test)(?=_|$)")
"""How the name of a function begins that runs what it is handed, and may evaluate it."""
PHRASES = re.compile(
    r"\b(n?dcg|cumulative gain|reciprocal rank|mrr|average precision|mean average precision|map ?@ ?k|precision ?@"
    r"|recall ?@|precision at|recall at|hit[ -]?(rate|ratio)|hits? ?@|hits? at|r-precision|auc"
    r"|area under the (roc )?curve|map@)",
    re.IGNORECASE,
)
OF_RANKINGS = re.compile(
    r"(?:^|_)((?:rank|ranking|retrieval|recommendation|recommender|recsys)_metrics(?=_|$)"
    r"|accuracy_at(?:_k)?$|ranking_eval(?:uation)?$)"
)
"""In names of functions that compute several metrics of rankings, or one that the name does not tell."""
NEEDS = re.compile(
    r"(^|_)(models?|net|network|loader|dataloader|datasets?|sess|session|optimi[sz]er|config|configs|cfg|conf|args|opts?|opt"
    r"|hparams|params|parameters|meters?|epochs?|ax|axes|fig|figure|plt|path|paths|file|filename|fname|dir|folder|trainer|engine"
    r"|writer|logger|callback|criterion|loss|losses|estimator|clf|classifier|learner|recommender|algo|algorithm|services?|client|conn|cursor|request"
    r"|tokenizer|encoder|decoder|embeddings?|embs?|embed|features?|feats?|spark|device|metric_fn|metric_func|func|function|fn|metrics?"
    r"|evaluator|url|uri|text|sentence|tokenized|history|step|results_dir|corpus|queries|image|images|boxes|bbox|masks?|coords?|keypoints?|segments?|polygons?|landmarks?)$"
)
"""Names of required parameters that no audit can fill."""
COUNTS = re.compile(r"^(tp|fp|fn|tn|n_?tp|n_?fp|n_?fn|true_positives?|false_positives?|false_negatives?)$")
VALUES = re.compile(
    r"^(m?aps?|average_precisions?|precisions?|precs?|pre|recalls?|rec|ndcgs?|dcgs?|idcgs?|mrrs?|prec|fpr|tpr|reciprocal_ranks?|rrs?"
    r"|hit_rates?|aucs?|coverages?|novelt(y|ies)|diversit(y|ies))$"
)
