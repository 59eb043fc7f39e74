"""Ties: the order of a list after a rule has broken its equal scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from metric_reference.case import NOTHING, Case
from metric_reference.matching import match

DETERMINISTIC = ("input_order", "id_ascending", "id_descending", "optimistic", "pessimistic")


def has_ties(case: Case) -> bool:
    """Whether two neighbouring items of any list have the same score."""
    if case.scores is None:
        return False
    return bool(np.any((case.scores[:, 1:] == case.scores[:, :-1]) & (case.recommended[:, 1:] != NOTHING)))


def break_ties(case: Case, rule: str) -> Case:
    """The case with every list ordered by score, equal scores by ``rule``.

    rule : ``input_order``: in the order given; ``id_ascending`` or ``id_descending``: by item number; ``optimistic``:
        larger gains first; ``pessimistic``: larger gains last.

    Raises ValueError for any other rule, and for a case without scores.
    """
    if rule not in DETERMINISTIC:
        raise ValueError(f"ties: {rule!r} does not give one order; choose one of {', '.join(DETERMINISTIC)}")
    if case.scores is None:
        raise ValueError("ties: the case has no scores, so nothing is tied")
    rank = np.broadcast_to(np.arange(case.width), case.recommended.shape)
    if rule == "input_order":
        key = rank
    elif rule.startswith("id_"):
        key = case.recommended if rule == "id_ascending" else -case.recommended
    else:
        gains = match(case).gains
        key = -gains if rule == "optimistic" else gains
    empty = case.recommended == NOTHING
    score = np.where(empty, -np.inf, np.where(np.isnan(case.scores), -np.inf, case.scores))
    order = np.lexsort((rank, key, -score, empty), axis=1)
    return replace(
        case,
        recommended=np.take_along_axis(case.recommended, order, axis=1),
        scores=np.take_along_axis(case.scores, order, axis=1),
    )
