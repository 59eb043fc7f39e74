"""RexMex: a ScoreCard with a MetricSet of the functions; its own RankingMetricSet is empty.

The means take all users at once, hits_at_k one user after the other.
"""

from functools import partial

from feed import ranked, read, report
from rexmex.metrics import ranking
from rexmex.metricset import RankingMetricSet
from rexmex.scorecard import ScoreCard

data = read()


def card(*names):
    functions = [(name, partial(getattr(ranking, name), k=data.k)) for name in names]
    return ScoreCard(RankingMetricSet().add_metrics(functions))


lists = ranked(data)
means = card("mean_average_precision_at_k", "mean_average_recall_at_k")
(values,) = means.get_performance_metrics(data.test, lists).to_dict("records")
hits = [
    card("hits_at_k").get_performance_metrics(*pair)["hits_at_k"].item() for pair in zip(data.test, lists, strict=True)
]
report({**values, "hits_at_k": sum(hits) / data.users}, lists=lists, relevant=data.test)
