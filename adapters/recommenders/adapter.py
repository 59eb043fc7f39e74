"""Recommenders takes two long frames, relevant (userID, itemID, rating) and ranked (userID, itemID, prediction).

It returns one number each; a user without relevant items, or without a list, has no rows.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Dict

from recommenders.evaluation import python_evaluation as evaluation

from metric_adapters.shapes import candidate_pairs, frame, recommended_pairs, relevant_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

from . import beyond

TRUE = ("userID", "itemID", "rating")
PREDICTED = ("userID", "itemID", "prediction")


def version() -> str:
    return version_of("recommenders")


def asking(function: Callable[..., float], **options: Any) -> Callable[[Case, int], Answer]:
    """Ask a ranking function, which sorts by prediction and cuts at k itself. Every row of the relevant frame counts as
    relevant whatever its rating, so the frame holds relevant items alone, as the library's examples make it."""

    def ask(case: Case, k: int) -> Answer:
        true, predicted = frame(TRUE, *relevant_pairs(case)), frame(PREDICTED, *recommended_pairs(case))
        return Answer(function(true, predicted, k=k, **options))

    return ask


def ask_auc(case: Case, k: int) -> Answer:
    """One curve over every candidate of every user, rating 1 for relevant and 0 otherwise; k plays no part."""
    users, items, scores, labels = candidate_pairs(case)
    return Answer(evaluation.auc(frame(TRUE, users, items, labels), frame(PREDICTED, users, items, scores)))


RANKING: Dict[str, Dict[str, Any]] = {
    "precision_at_k": {},
    "recall_at_k": {},
    "r_precision_at_k": {},
    "map": {},
    "map_at_k": {},
    "ndcg_at_k": {},  # score_type="binary" is the default
    "ndcg_at_k[raw]": {"score_type": "raw"},
    "ndcg_at_k[exp]": {"score_type": "exp"},
}
"""How each function is asked; older releases have not all of them."""

SUBJECTS = {
    **{
        name: Subject(asking(function, **options), function)
        for name, options in RANKING.items()
        for function in [getattr(evaluation, name.partition("[")[0], None)]
        if function is not None
    },
    "auc": Subject(ask_auc, evaluation.auc),
    **beyond.SUBJECTS,
}
