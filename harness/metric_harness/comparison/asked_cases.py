"""The case that a subject is asked about: the whole bundle, or its sample of users where it needs all items' scores.

A subject that takes no equal scores gets distinct ones, in which ties are broken by the item number; one that takes
labels of 0 and 1 alone gets the label 1 for each relevant item.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from metric_harness.bundles.build import Bundle
from metric_harness.bundles.user_sample import FOLDER
from metric_harness.libraries.needs import CAN_HAVE, one_relevant
from metric_harness.system.store import digest
from metric_harness.worker.case_folders import CaseFolders
from metric_reference.case import NOTHING, Case
from metric_reference.edges import Edges
from metric_reference.matching import Matches
from metric_reference.variant import matching_rules, prepare
from metric_reports.types.run import Asked

LACKING = {
    "small_grades": "whole grades of at most 4",
    "train": "the training interactions",
    "features": "features of items",
    "categories": "a category for each item",
    "train_vectors": "the training interactions of every user",
    "ratings": "predicted ratings",
    "probabilities": "scores that are probabilities",
}
"""What a bundle may lack, by the word that ``needs`` in library.toml holds."""


@dataclass(frozen=True, eq=False)
class AskedCase:
    """A case on disk that subjects are asked about. ``asked``: how many of the users it holds; None for all."""

    case: Case
    folder: Path
    digest: str
    asked: Asked | None = None
    matched: dict[tuple[str, str], Matches] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def matches(self, edges: Edges) -> Matches:
        """The matches of the case, computed once for each matching rule, in whichever thread is first."""
        with self.lock:
            rules = matching_rules(self.case, edges)
            if rules not in self.matched:
                self.matched[rules] = prepare(self.case, edges)
            return self.matched[rules]

    def lacks(self, needs: Sequence[str]) -> str | None:
        """Why a subject with these needs cannot be asked about this case, or None."""
        if "candidate_scores" in needs and self.case.candidate_scores is None:
            return "needs scores of all candidates, which this bundle does not have"
        if "one_relevant" in needs and not one_relevant(self.case):
            return "a leave-one-out function: it needs exactly one relevant item a user"
        lacking = [need for need in LACKING if need in needs and not CAN_HAVE[need](self.case)]
        return f"needs {LACKING[lacking[0]]}, which this bundle does not have" if lacking else None


class AskedCases:
    """The cases of a bundle to ask about. cases : writes those that are made of the bundle's for the workers."""

    def __init__(self, bundle: Bundle, cases: CaseFolders | None = None) -> None:
        manifest = bundle.manifest
        self._cases, self._lock = cases, threading.Lock()
        self._made: dict[tuple[int, str], AskedCase] = {}
        self.whole = AskedCase(bundle.case, bundle.folder, digest(manifest["arrays"], manifest["settings"]))
        self.sample = None
        if bundle.sample is not None:
            sample = manifest["sample"]
            asked: Asked = {"users": sample["users"], "of": sample["of"], "why": "sample"}
            sample_digest = digest(sample["arrays"], sample["settings"])
            self.sample = AskedCase(bundle.sample.case, bundle.folder / FOLDER, sample_digest, asked)

    def of(self, needs: Sequence[str]) -> AskedCase:
        """The case for a subject with these needs."""
        asked_case = self.sample if self.sample is not None and "candidate_scores" in needs else self.whole
        if "distinct_scores" in needs and asked_case.case.candidate_scores is not None:
            asked_case = self._with(asked_case, "distinct_scores", in_order_of_items)
        return self._with(asked_case, "binary_labels", with_labels_of_1) if "binary_labels" in needs else asked_case

    def _with(self, asked_case: AskedCase, need: str, made: Callable[[Case], Case]) -> AskedCase:
        """The case itself if it meets a need, else the one that is made of it, once."""
        if self._cases is None:
            return asked_case
        with self._lock:
            key = (id(asked_case), need)
            if key not in self._made:
                self._made[key] = asked_case
                if not CAN_HAVE[need](asked_case.case):
                    case = made(asked_case.case)
                    folder, mark = self._cases.folder(case), self._cases.digest(case)
                    self._made[key] = AskedCase(case, folder, mark, asked_case.asked)
            return self._made[key]


def with_labels_of_1(case: Case) -> Case:
    """The case in which each relevant item has the gain 1 and no other is judged relevant."""
    return replace(case, judged_gains=case.relevant.astype(np.float64), threshold=1.0)


def in_order_of_items(case: Case) -> Case:
    """The case with distinct scores in the same order: ranks from below, equal scores in the order of the items."""
    assert case.candidate_scores is not None
    users, items = case.candidate_scores.shape
    order = np.argsort(-case.candidate_scores, axis=1, kind="stable")
    ranks = np.empty((users, items))
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(items, 0, -1.0), (users, items)), axis=1)
    ranks[case.candidate_scores == -np.inf] = -np.inf
    listed = np.take_along_axis(ranks, np.maximum(case.recommended, 0), axis=1)
    return replace(case, candidate_scores=ranks, scores=np.where(case.recommended == NOTHING, np.nan, listed))
