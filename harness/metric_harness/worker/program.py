"""Programs in any language that speak the worker's protocol: how they get a case, and what an answer may omit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from metric_harness.worker.messages import Started
from metric_reference.case import Case


def read_started(answer: Mapping[str, Any]) -> Started:
    """The answer to ``start``, with defaults for all keys: a program may omit any."""
    return {
        "version": answer.get("version", ""),
        "python": answer.get("python", ""),
        "packages": answer.get("packages", {}),
        "subjects": answer.get("subjects", {"metric": {}}),
        "calls": answer.get("calls", {}),
        "taken_out": answer.get("taken_out"),
        "compiles": bool(answer.get("compiles")),
    }


def as_json(case: Case, ids: np.ndarray | None = None) -> list[dict[str, Any]]:
    """A case as JSON: one object for each user.

    Keys: ``list`` (items, best first), ``scores`` of the list if the case has any, ``relevant`` (items), their
    ``gains``. ids : the id of each item number; None: the number itself.
    """
    item_ids = np.arange(case.n_items) if ids is None else ids
    users = []
    for user in range(case.users):
        judged = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
        listed = item_ids[case.list_of(user)].tolist()
        row = {"list": listed, "relevant": item_ids[case.relevant_of(user)].tolist()}
        row["gains"] = case.judged_gains[judged][case.relevant[judged]].tolist()
        if case.scores is not None:
            row["scores"] = case.scores[user, : len(listed)].tolist()
        users.append(row)
    return users
