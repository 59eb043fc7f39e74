"""Ask one subject all probes; comparisons and audits share this."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from metric_harness.identification.identify import ProbeAnswer
from metric_harness.identification.probes import Probe
from metric_harness.worker.reply import Reply
from metric_reference.case import Case

PROBE_TIMEOUT = 60.0
GIVE_UP = 2
"""A subject that crashed or timed out on this many probes is not asked the rest."""


def ask_probes(
    probes: Iterable[Probe],
    metric: str | None,
    ask: Callable[[Probe], Reply],
    step: Callable[[], None] = lambda: None,
    needs: Sequence[str] = (),
) -> dict[str, ProbeAnswer]:
    """The answers of a subject, by the names of the probes.

    metric : the metric that the subject claims, or None; probes of other metrics are skipped. ask : asks one probe.
    step : called before each probe, asked or not. needs : words of ``CAN_HAVE``; probes that lack one are skipped.
    """
    answers: dict[str, ProbeAnswer] = {}
    failed = 0
    for probe in probes:
        step()
        if not probe.asked_of(metric):
            continue
        if any(need in CAN_HAVE and not CAN_HAVE[need](probe.case) for need in needs):
            continue
        if failed >= GIVE_UP:
            answers[probe.name] = ProbeAnswer(None, f"not asked: {failed} probes before it crashed or timed out")
            continue
        reply = ask(probe)
        failed += reply.kind not in ("answer", "exception")
        answers[probe.name] = ProbeAnswer(reply.value, reply.error, reply.users, reply.values)
    return answers


def one_relevant(case: Case) -> bool:
    """Whether every user has exactly one relevant item."""
    return bool(np.all(np.bincount(case.judged_users[case.relevant], minlength=case.users) == 1))


def distinct_scores(case: Case) -> bool:
    """Whether no user has two items of equal score, listed or not."""
    for scores in (case.scores, case.candidate_scores):
        if scores is not None:
            ordered = np.sort(scores, axis=1)
            if np.any(np.isfinite(ordered[:, 1:]) & (ordered[:, 1:] == ordered[:, :-1])):
                return False
    return True


def train_vectors(case: Case) -> bool:
    """Whether the vector of each item is its column of the training matrix, so that their cosine is co-occurrence."""
    if case.item_vectors is None or case.train_indptr is None or case.train_items is None:
        return False
    columns = np.zeros((case.n_items, case.users))
    columns[case.train_items, np.repeat(np.arange(case.users), np.diff(case.train_indptr))] = 1.0
    return np.array_equal(case.item_vectors, columns)


def categories(case: Case) -> bool:
    """Whether the vector of each item names one category: a single 1 among zeros."""
    vectors = case.item_vectors
    return vectors is not None and bool(np.isin(vectors, (0, 1)).all() and (vectors.sum(axis=1) == 1).all())


def probabilities(case: Case) -> bool:
    """Whether the scores of the candidates can be probabilities."""
    if case.candidate_scores is None:
        return False
    scores = case.candidate_scores[case.candidate_scores > -np.inf]
    return bool(((scores > 0) & (scores < 1)).all())


def train(case: Case) -> bool:
    """Whether the case has the training interactions of its users and of each item."""
    return not any(array is None for array in (case.train_indptr, case.item_counts, case.n_train_users))


CAN_HAVE: dict[str, Callable[[Case], bool]] = {
    "one_relevant": one_relevant,
    "distinct_scores": distinct_scores,
    "train": train,
    "features": lambda case: case.item_vectors is not None,
    "categories": categories,
    "train_vectors": train_vectors,
    "ratings": lambda case: case.predicted_ratings is not None,
    "probabilities": probabilities,
}
"""For each word that ``needs`` in library.toml may hold: whether a case meets it."""


def probe_digest(probe: Probe) -> str:
    """A digest of a probe's case and cut-off: a changed probe is asked again."""
    case = probe.case
    arrays = (
        case.recommended,
        case.judged_indptr,
        case.judged_items,
        case.judged_gains,
        case.scores,
        case.candidate_scores,
        case.train_indptr,
        case.train_items,
    )
    digest = hashlib.sha256(f"{probe.k} {case.n_items} {case.threshold}".encode())
    for array in arrays:
        digest.update(b"|" if array is None else b"|" + np.ascontiguousarray(array).tobytes())
    for name in ("item_counts", "n_train_users", "item_vectors", "predicted_ratings"):
        if (array := getattr(case, name)) is not None:
            digest.update(f"|{name}".encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
