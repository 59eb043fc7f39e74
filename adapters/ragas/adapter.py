"""Ragas' metrics by id take the ids of the retrieved and of the reference contexts of a sample; they know no k."""

from __future__ import annotations

import asyncio
import os
from importlib.metadata import version as version_of
from typing import Any, Callable

os.environ["RAGAS_DO_NOT_TRACK"] = "true"  # it reports its use otherwise

import numpy as np
from ragas import SingleTurnSample
from ragas.metrics import IDBasedContextPrecision, IDBasedContextRecall

from metric_adapters.subject import Answer, Subject
from metric_adapters.trec import documents
from metric_reference.case import Case


def version() -> str:
    return version_of("ragas")


def asking(metric: Any) -> Callable[[Case, int], Answer]:
    """Ask a metric for each sample with ``single_turn_ascore``; the mean leaves out NaN, as that of ``evaluate`` does.

    Lists are cut at k, as a retriever does.
    """

    async def scores(case: Case, k: int) -> Any:
        return [
            await metric().single_turn_ascore(
                SingleTurnSample(
                    retrieved_context_ids=documents(case, case.list_of(user, k)),
                    reference_context_ids=documents(case, case.relevant_of(user)),
                )
            )
            for user in range(case.users)
        ]

    def ask(case: Case, k: int) -> Answer:
        values = np.array(asyncio.run(scores(case, k)), dtype=np.float64)
        return Answer(float(np.nanmean(values)), np.arange(case.users), values)

    return ask


SUBJECTS = {
    "IDBasedContextPrecision": Subject(asking(IDBasedContextPrecision), IDBasedContextPrecision),
    "IDBasedContextRecall": Subject(asking(IDBasedContextRecall), IDBasedContextRecall),
}
