"""Precision at k, written here because the toy has no library to ask."""

from __future__ import annotations

from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    """The version of the library."""
    return "1.0"


def precision(case: Case, k: int) -> Answer:
    """Hits among the first k, over k; the mean over users."""
    hits = [len({*case.list_of(user, k).tolist()} & {*case.relevant_of(user).tolist()}) for user in range(case.users)]
    return Answer(sum(hits) / k / case.users)


SUBJECTS = {"precision": Subject(precision, precision)}
