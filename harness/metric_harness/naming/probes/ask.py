"""Ask one subject all probes; comparisons and audits share this."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from metric_harness.libraries.needs import CAN_HAVE
from metric_harness.naming.identify import ProbeAnswer
from metric_harness.naming.probes.probe import Probe, all_probes, beyond_probes, one_relevant_probes
from metric_harness.naming.question import differ
from metric_harness.worker.reply import Reply
from metric_reference.variant import BEYOND

if TYPE_CHECKING:
    from metric_harness.libraries.describe import SubjectInfo

GIVE_UP = 2
"""A subject that crashed or timed out on this many probes is not asked the rest."""
CHANGING = "asked again it gives another number"
"""Said of an answer to a probe of ties beside its number, where they are broken at random."""


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
        if not probe.asked_of(metric, needs):
            continue
        if any(need in CAN_HAVE and not CAN_HAVE[need](probe.case) for need in needs):
            continue
        if failed >= GIVE_UP:
            answers[probe.name] = ProbeAnswer(None, f"not asked: {failed} probes before it crashed or timed out")
            continue
        reply = ask(probe)
        failed += reply.failed
        shown, error = reply.kind != "cannot_show", reply.error
        if probe.edge == "ties" and reply.value is not None and differ(reply.value, ask(probe).value):
            error = CHANGING
        answers[probe.name] = ProbeAnswer(
            reply.value, error, reply.users, reply.values, shown=shown, unsettled=reply.unsettled
        )
    return answers


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


CHECKED = ("plain", "two_users", "graded_users", "threshold", "no_relevant", "no_list")
"""The probes that a check of a folder asks: one user and several, gains, a user without relevant items or a list."""


def probes_to_check(info: SubjectInfo) -> list[Probe]:
    """The probes that a check asks a function; their cases have what the function needs."""
    if "one_relevant" in info.needs:
        return [*one_relevant_probes()]
    if info.metric in BEYOND:
        needed = [CAN_HAVE[need] for need in info.needs if need in CAN_HAVE]
        return [probe for probe in beyond_probes() if all(has(probe.case) for has in needed)]
    return [probe for probe in all_probes() if probe.name in CHECKED]
