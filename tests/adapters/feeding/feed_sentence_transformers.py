"""Sentence Transformers: InformationRetrievalEvaluator called with a small model, which retrieves from the corpus."""

from encoder import encoder, query
from feed import ranked, read_untrained, report, text, texts
from sentence_transformers.sentence_transformer.evaluation import InformationRetrievalEvaluator

data = read_untrained()
evaluator = InformationRetrievalEvaluator(
    queries={str(user): query(user) for user in range(data.users)},
    corpus={text(item): text(item) for item in range(data.items)},
    relevant_docs={str(user): set(expected) for user, expected in enumerate(texts(data))},
    mrr_at_k=[data.k],
    ndcg_at_k=[data.k],
    accuracy_at_k=[data.k],
    precision_recall_at_k=[data.k],
    map_at_k=[data.k],
    write_csv=False,
)
found = evaluator(encoder(data))
values = {
    f"InformationRetrievalEvaluator:{name}@k": found[f"dot_{name}@{data.k}"]
    for name in ("accuracy", "precision", "recall", "mrr", "map", "ndcg")
}
report(values, lists=ranked(data), relevant=data.test, train=data.train)
