"""MLflow's metrics of retrievers take two series of lists of ids, those retrieved and those expected, a row a query."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable

import numpy as np
import pandas as pd
from mlflow.metrics import ndcg_at_k, precision_at_k, recall_at_k

from metric_adapters.subject import Answer, Subject
from metric_adapters.trec import documents
from metric_reference.case import Case


def version() -> str:
    return version_of("mlflow-skinny")


def asking(metric: Callable[[int], Any]) -> Callable[[Case, int], Answer]:
    """Ask a metric for the mean that it reports and for the scores of the rows."""

    def ask(case: Case, k: int) -> Answer:
        users = range(case.users)
        retrieved = pd.Series([documents(case, case.list_of(user)) for user in users])
        expected = pd.Series([documents(case, case.relevant_of(user)) for user in users])
        result = metric(k)(predictions=retrieved, targets=expected)
        return Answer(
            result.aggregate_results["mean"], np.arange(case.users), np.array(result.scores, dtype=np.float64)
        )

    return ask


SUBJECTS = {
    "precision_at_k": Subject(asking(precision_at_k), precision_at_k),
    "recall_at_k": Subject(asking(recall_at_k), recall_at_k),
    "ndcg_at_k": Subject(asking(ndcg_at_k), ndcg_at_k),
}
