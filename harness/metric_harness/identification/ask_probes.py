"""Asking one subject all probes: what a comparison and an audit have in common."""

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
"""After this many crashes or time-outs on probes a subject is asked no more."""


def ask_probes(
    probes: Iterable[Probe],
    metric: str | None,
    ask: Callable[[Probe], Reply],
    step: Callable[[], None] = lambda: None,
    needs: Sequence[str] = (),
) -> dict[str, ProbeAnswer]:
    """The answers of a subject to the probes, by name.

    metric : what it claims to be; probes for other metrics alone are passed over (None: it is asked everything).
    ask : asks one probe. step : called before each probe, asked or not. needs : what the subject needs of a case.
    """
    answers: dict[str, ProbeAnswer] = {}
    failed = 0
    for probe in probes:
        step()
        if metric is not None and probe.metrics and metric not in probe.metrics:
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


CAN_HAVE: dict[str, Callable[[Case], bool]] = {"one_relevant": one_relevant, "distinct_scores": distinct_scores}
"""By the word of a library.toml's ``needs``: whether a case can be handed to a subject that needs it."""


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
    told = hashlib.sha256(f"{probe.k} {case.n_items} {case.threshold}".encode())
    for array in arrays:
        told.update(b"|" if array is None else b"|" + np.ascontiguousarray(array).tobytes())
    return told.hexdigest()
