"""LlamaIndex: RetrieverEvaluator with the retriever of a VectorStoreIndex; the means are those of a data frame.

The embedding of a node holds the scores of an item, that of a query picks the column of a user; the index ranks by
their cosine. What it retrieved makes the lists.
"""

import pandas as pd
from feed import read_untrained, report, text
from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.evaluation import RetrieverEvaluator
from llama_index.core.evaluation.retrieval import metrics
from llama_index.core.schema import TextNode

data = read_untrained()


class Given(BaseEmbedding):
    """A query is a user's number, a text the id of an item."""

    def _get_query_embedding(self, query):
        return [float(user == int(query)) for user in range(data.users)]

    async def _aget_query_embedding(self, query):
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text):
        return [row[int(text[1:])] for row in data.scores]


nodes = [TextNode(id_=text(item), text=text(item)) for item in range(data.items)]
index = VectorStoreIndex(nodes, embed_model=Given())
retriever = index.as_retriever(similarity_top_k=data.k)


def evaluate(measures):
    """The mean of each measure, and what was retrieved for each user."""
    evaluator = RetrieverEvaluator(metrics=[*measures.values()], retriever=retriever)
    results = [
        evaluator.evaluate(query=str(user), expected_ids=[text(item) for item in items])
        for user, items in enumerate(data.test)
    ]
    means = pd.DataFrame([result.metric_vals_dict for result in results]).mean()
    values = {name: means[measure.metric_name] for name, measure in measures.items()}
    return values, [[int(name[1:]) for name in result.retrieved_ids] for result in results]


NAMES = ("HitRate", "MRR", "Precision", "Recall", "AveragePrecision", "NDCG")
values, lists = evaluate({name: getattr(metrics, name)() for name in NAMES})
others = {
    "HitRate[use_granular_hit_rate]": metrics.HitRate(use_granular_hit_rate=True),
    "MRR[use_granular_mrr]": metrics.MRR(use_granular_mrr=True),
    "NDCG[exponential]": metrics.NDCG(mode="exponential"),
}
report({**values, **evaluate(others)[0]}, lists=lists, relevant=data.test, train=data.train)
