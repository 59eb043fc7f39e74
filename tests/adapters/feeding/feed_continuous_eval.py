"""continuous-eval: EvaluationRunner.evaluate of a pipeline of one module, and the aggregate of its results."""

import os

os.environ["CONTINUOUS_EVAL_DO_NOT_TRACK"] = "true"  # it reports its use otherwise

from continuous_eval.eval import Dataset, EvaluationRunner, SingleModulePipeline
from continuous_eval.metrics.retrieval import PrecisionRecallF1, RankedRetrievalMetrics
from continuous_eval.metrics.retrieval.matching_strategy import ExactChunkMatch
from feed import ranked, read, report, text, texts


def main():
    """It starts processes, which import this file."""
    data = read()
    lists = ranked(data, data.k)
    dataset = Dataset.from_data(
        [
            {"question": str(user), "retrieved_context": [text(item) for item in row], "ground_truth_context": expected}
            for user, (row, expected) in enumerate(zip(lists, texts(data), strict=True))
        ]
    )
    fields = {"retrieved_context": dataset.retrieved_context, "ground_truth_context": dataset.ground_truth_context}
    metrics = [kind(ExactChunkMatch()).use(**fields) for kind in (PrecisionRecallF1, RankedRetrievalMetrics)]
    found = EvaluationRunner(SingleModulePipeline(dataset=dataset, eval=metrics)).evaluate().aggregate()["eval"]
    ranks = ("average_precision", "reciprocal_rank", "ndcg")
    kinds = {name: "RankedRetrievalMetrics" if name in ranks else "PrecisionRecallF1" for name in found}
    report({f"{kinds[name]}:{name}": value for name, value in found.items()}, lists=lists, relevant=data.test)


if __name__ == "__main__":
    main()
