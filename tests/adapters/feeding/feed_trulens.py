"""TruLens: BatchEvaluator with a Metric for each function on a table of questions, chunks and scores.

mrr takes no k: it gets the chunks cut at k. The means are those of the columns.
"""

import os

os.environ["TRULENS_OTEL_TRACING"] = "0"  # nothing of what it is asked is to be traced

import pandas as pd
from feed import ranked, read, report, text
from trulens.core import BatchEvaluator, Metric, Selector
from trulens.feedback import GroundTruthAgreement
from trulens.feedback.dummy.provider import DummyProvider

data = read()
lists = ranked(data)
golden = [
    {
        "query": str(user),
        "expected_chunks": [
            {"text": text(item), "expect_score": float(rating)} for item, rating in zip(items, ratings, strict=True)
        ],
    }
    for user, (items, ratings) in enumerate(zip(data.test, data.ratings, strict=True))
]
agreement = GroundTruthAgreement(golden, provider=DummyProvider())
table = pd.DataFrame(
    {
        "question": [str(user) for user in range(data.users)],
        "chunks": [[text(item) for item in row] for row in lists],
        "first": [[text(item) for item in row[: data.k]] for row in lists],
        "scores": [[data.scores[user][item] for item in row] for user, row in enumerate(lists)],
        "k": data.k,
    }
)
CUT = {"retrieved_context_chunks": "chunks", "k": "k"}
SCORED = {**CUT, "relevance_scores": "scores"}
ASKED = {
    **dict.fromkeys(("ir_hit_rate", "precision_at_k", "recall_at_k", "ndcg_at_k"), CUT),
    **dict.fromkeys(("precision_at_k[relevance_scores]", "recall_at_k[relevance_scores]"), SCORED),
    "mrr": {"retrieved_context_chunks": "first"},
}
metrics = [
    Metric(
        name=name,
        implementation=getattr(agreement, name.partition("[")[0]),
        selectors={key: Selector.from_column(column) for key, column in {"query": "question", **taken}.items()},
    )
    for name, taken in ASKED.items()
]
means = BatchEvaluator(metrics=metrics, max_workers=1).evaluate(table)[[*ASKED]].mean()
report(means.to_dict(), lists=lists, relevant=data.test, gains=data.ratings)
