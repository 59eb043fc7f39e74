"""BEIR: EvaluateRetrieval with exact search by a small model, retrieve and then evaluate, as in its examples.

Judgements have levels for NDCG alone.
"""

from beir.retrieval.evaluation import EvaluateRetrieval
from beir.retrieval.models import SentenceBERT
from beir.retrieval.search.dense import DenseRetrievalExactSearch
from encoder import encoder, query
from feed import read_untrained, report, text

data = read_untrained()
encoder(data).save("model")
retriever = EvaluateRetrieval(
    DenseRetrievalExactSearch(SentenceBERT("model"), show_progress_bar=False), k_values=[data.k], score_function="dot"
)
corpus = {text(item): {"text": text(item)} for item in range(data.items)}
results = retriever.retrieve(corpus, {str(user): query(user) for user in range(data.users)})


def judgements(graded):
    return {
        str(user): {text(item): rating if graded else 1 for item, rating in zip(items, ratings, strict=True)}
        for user, (items, ratings) in enumerate(zip(data.test, data.ratings, strict=True))
    }


ndcg, *_ = retriever.evaluate(judgements(True), results, retriever.k_values)
_, *others = retriever.evaluate(judgements(False), results, retriever.k_values)
values = {"evaluate:NDCG@k": ndcg[f"NDCG@{data.k}"]}
for name, table in zip(("MAP", "Recall", "P"), others, strict=True):
    values[f"evaluate:{name}@k"] = table[f"{name}@{data.k}"]
for name in ("mrr", "recall_cap", "top_k_acc"):
    (value,) = retriever.evaluate_custom(judgements(False), results, retriever.k_values, metric=name).values()
    values[f"evaluate_custom:{name}"] = value
lists = [
    [int(document[1:]) for document in sorted(results[str(user)], key=results[str(user)].get, reverse=True)]
    for user in range(data.users)
]
report(values, lists=lists, relevant=data.test, gains=data.ratings, train=data.train)
