"""What a metric does not measure, for readers of its values: a sentence, and two users that show it."""

from __future__ import annotations

from typing import NamedTuple

from metric_reports.types.common import ShownUser


class Remark(NamedTuple):
    """What a metric does not measure.

    users : two users for whom the metric is ``value`` at the cut-off ``k``. other : the printed form of a variant that
    tells them apart; others : its two values.
    """

    text: str
    k: int
    users: list[ShownUser]
    value: float
    other: str
    others: tuple[float, float]


def user(listed: int, relevant: int) -> ShownUser:
    """A user with ``listed`` items in the list, numbered from 1; the first ``relevant`` numbers are relevant."""
    return {
        "list": list(range(1, listed + 1)),
        "hits": [item <= relevant for item in range(1, listed + 1)],
        "relevant": list(range(1, relevant + 1)),
        "gains": [1.0] * relevant,
    }


REMARKS: dict[str, list[Remark]] = {
    "ndcg": [
        Remark(
            text="Irrelevant items cost nothing: listed after the last hit, any number of them leaves NDCG as it is.",
            k=5,
            users=[user(2, 2), user(5, 2)],
            value=1.0,
            other="precision(divide_by=list)",
            others=(1.0, 0.4),
        ),
        Remark(
            text="Missing items cost nothing past the cut-off, where the ideal list ends too. Where the ideal is made "
            "of the hits in the list (ideal=hits), none that is missing costs anything.",
            k=2,
            users=[user(2, 2), user(2, 4)],
            value=1.0,
            other="recall(divide_by=relevant)",
            others=(1.0, 0.5),
        ),
    ]
}
"""By metric, as records name it."""
