"""Haystack: a pipeline with a retriever in memory, then one with its evaluators, and the report of that run.

The embedding of a question is the column of a user, that of a document the scores of an item, so that their product is
the score. NDCG is asked twice: documents that are expected have the rating for their score, or none.
"""

from feed import read_untrained, report, text
from haystack import Document, Pipeline
from haystack.components import evaluators
from haystack.components.retrievers.in_memory import InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.evaluation import EvaluationRunResult

data = read_untrained()
store = InMemoryDocumentStore(embedding_similarity_function="dot_product")
store.write_documents(
    [
        Document(id=text(item), content=text(item), embedding=[row[item] for row in data.scores])
        for item in range(data.items)
    ]
)
search = Pipeline()
search.add_component("retriever", InMemoryEmbeddingRetriever(store, top_k=data.k, scale_score=False))
retrieved = []
for user in range(data.users):
    question = [float(other == user) for other in range(data.users)]
    retrieved.append(search.run({"retriever": {"query_embedding": question}})["retriever"]["documents"])


def expected(graded):
    return [
        [
            Document(id=text(item), content=text(item), score=float(rating) if graded else None)
            for item, rating in zip(items, ratings, strict=True)
        ]
        for items, ratings in zip(data.test, data.ratings, strict=True)
    ]


EVALUATORS = {
    "DocumentRecallEvaluator": evaluators.DocumentRecallEvaluator(),
    "DocumentRecallEvaluator[multi_hit]": evaluators.DocumentRecallEvaluator(mode="multi_hit"),
    "DocumentMRREvaluator": evaluators.DocumentMRREvaluator(),
    "DocumentMAPEvaluator": evaluators.DocumentMAPEvaluator(),
    "DocumentNDCGEvaluator": evaluators.DocumentNDCGEvaluator(),
    "DocumentNDCGEvaluator[scores]": evaluators.DocumentNDCGEvaluator(),
}
evaluation = Pipeline()
inputs = {}
for name, evaluator in EVALUATORS.items():
    evaluation.add_component(name, evaluator)
    truth = expected(graded=name.endswith("[scores]"))
    inputs[name] = {"ground_truth_documents": truth, "retrieved_documents": retrieved}
found = EvaluationRunResult("given", {"question": [*range(data.users)]}, evaluation.run(inputs)).aggregated_report()
lists = [[int(document.content[1:]) for document in row] for row in retrieved]
values = dict(zip(found["metrics"], found["score"], strict=True))
report(values, lists=lists, relevant=data.test, gains=data.ratings, train=data.train)
