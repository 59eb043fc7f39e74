"""Recommenders 2021.2, then called reco_utils, takes two long frames: relevant and ranked items.

It returns one number each; a user without relevant items, or without a list, has no rows.
"""

from __future__ import annotations

from typing import Callable

from metric_adapters import checkout

checkout.on_path()

from reco_utils.evaluation import python_evaluation as evaluation  # noqa: E402

from metric_adapters.shapes import candidate_pairs, frame, recommended_pairs, relevant_pairs  # noqa: E402
from metric_adapters.subject import Answer, Subject  # noqa: E402
from metric_reference.case import Case  # noqa: E402

TRUE = ("userID", "itemID", "rating")
PREDICTED = ("userID", "itemID", "prediction")


def version() -> str:
    return checkout.version()


def asking(function: Callable[..., float]) -> Callable[[Case, int], Answer]:
    """Ask a ranking function, which sorts by prediction and cuts at k itself. Every row of the relevant frame counts as
    relevant whatever its rating, so the frame holds relevant items alone, as the library's examples make it."""

    def ask(case: Case, k: int) -> Answer:
        true, predicted = frame(TRUE, *relevant_pairs(case)), frame(PREDICTED, *recommended_pairs(case))
        return Answer(function(true, predicted, k=k))

    return ask


def ask_auc(case: Case, k: int) -> Answer:
    """One curve over every candidate of every user, rating 1 for relevant and 0 otherwise; k plays no part."""
    users, items, scores, labels = candidate_pairs(case)
    return Answer(evaluation.auc(frame(TRUE, users, items, labels), frame(PREDICTED, users, items, scores)))


FUNCTIONS = (evaluation.precision_at_k, evaluation.recall_at_k, evaluation.map_at_k, evaluation.ndcg_at_k)
SUBJECTS = {function.__name__: Subject(asking(function), function) for function in FUNCTIONS}
SUBJECTS["auc"] = Subject(ask_auc, evaluation.auc)
