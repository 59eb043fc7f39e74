"""A program of any language that speaks the worker's protocol: how it gets a case, and what an answer may leave out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from metric_harness.worker.messages import Started
from metric_reference.case import Case


def read_started(answer: Mapping[str, Any]) -> Started:
    """What an answer to ``start`` says; a program may leave out everything."""
    return {
        "version": answer.get("version", ""),
        "python": answer.get("python", ""),
        "packages": answer.get("packages", {}),
        "subjects": answer.get("subjects", {"metric": {}}),
        "calls": answer.get("calls", {}),
    }


def as_json(case: Case, ids: np.ndarray | None = None) -> list[dict[str, Any]]:
    """A case as JSON, an object a user.

    ``list`` (items, best first), ``scores`` of the list where the case has any, ``relevant`` (items), their ``gains``.
    ids : the id that stands for each item number; None: the number itself.
    """
    names = np.arange(case.n_items) if ids is None else ids
    users = []
    for user in range(case.users):
        part = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
        listed = names[case.list_of(user)].tolist()
        row = {"list": listed, "relevant": names[case.relevant_of(user)].tolist()}
        row["gains"] = case.judged_gains[part][case.relevant[part]].tolist()
        if case.scores is not None:
            row["scores"] = case.scores[user, : len(listed)].tolist()
        users.append(row)
    return users
