"""Verification of a library's function on smaller cases, asked of its worker or taken from its recording."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from metric_adapters.calls.domain import BY_ADAPTER
from metric_adapters.case_files import ARRAYS
from metric_harness.naming.cases.verification_case import VerificationCase
from metric_harness.naming.cases.verification_cases import LIBRARY, Limits, verification_cases
from metric_harness.naming.evidence import EDGES, limits_of, verify
from metric_harness.naming.identify import EDGE_OPTIONS, Identification, ProbeAnswer, edges_for, undecided_between
from metric_harness.naming.probes.probe import users_of
from metric_harness.naming.question import Difference, side_of
from metric_harness.naming.shrink import condition_of
from metric_harness.worker.reply import Reply
from metric_reference.case import Case as GivenCase
from metric_reference.variant import Variant
from metric_reports.record import to_json_number
from metric_reports.types.common import IN_PART, PROBES_ONLY, REFUSED, VERIFIED, Evidence, ShownCase

if TYPE_CHECKING:
    from metric_harness.libraries.describe import SubjectInfo

AskCase = Callable[[GivenCase, int], Reply]
"""Asks one function for a case at a cut-off."""


@dataclass(frozen=True, kw_only=True)
class Verified:
    """A function after verification.

    identification : without a variant where that was refused. evidence : as the record and a recording hold it.
    suggested : the variant that was refused; gap : the smallest case on which the function departs from it.
    """

    identification: Identification
    evidence: Evidence
    suggested: Variant | None = None
    gap: Difference | None = None


def verify_function(
    ask: AskCase,
    suggestion: Identification,
    answers: Mapping[str, ProbeAnswer],
    info: SubjectInfo | None = None,
    cases: Sequence[VerificationCase] | None = None,
) -> Verified:
    """Verify what the probes suggest of a library's function; an error of the library does not raise.

    info : what library.toml says of it. cases : asked instead of the usual ones.
    """
    limits = limits_of(suggestion, answers, LIBRARY)
    verified, verification = verify(lambda asked: ask(asked.case, asked.k), suggestion, answers, limits, cases)
    evidence: Evidence = {
        **verification.to_json(answers, BY_ADAPTER),
        "condition": None,
        "edges": {edge: departure.asked.about for edge, departure in verification.edges.items()},
        "recorded": None,
        "alternatives": [str(variant) for variant in verified.alternatives],
    }
    variant, edges = suggestion.variant, edges_for(suggestion.edges)
    if verification.departure is None or variant is None:
        return Verified(identification=verified, evidence=told_apart(evidence, verified, *_described(info)))
    condition = condition_of(
        verification.departure,
        lambda asked: ask(asked.case, asked.k),
        side_of(variant, edges),
    )
    evidence["condition"] = condition.text
    return Verified(
        identification=_refused(suggestion, variant), evidence=evidence, suggested=variant, gap=condition.smallest
    )


def _refused(suggestion: Identification, variant: Variant) -> Identification:
    """The suggestion without its variant, which did not hold."""
    return replace(suggestion, variant=None, alternatives=[], nearest=[(variant, ["at size"])], expected={})


def told_apart(
    evidence: Evidence, identified: Identification, needs: Sequence[str], worded: Collection[str] = ()
) -> Evidence:
    """Evidence that is only in part where other variants fit as well, or an edge is handled in no known way.

    An edge whose own rule library.toml gives in words (``worded``) is known. Other variants are equal for a function
    that takes one relevant item a user or no list shorter than k; those with other gains are, for one that takes labels
    of 0 and 1. Repeated items are no such edge: no pipeline should produce them.
    """
    reasons = []
    others = identified.undecided(one_relevant="one_relevant" in needs, binary="binary_labels" in needs)
    if "distinct_scores" in needs:
        others = [other for other in others if not ties_alone(other, identified.variant)]
    if others:
        reasons.append(undecided_between(others))
    unexplained = {*identified.odd, *(edge for edge in evidence["edges"] if edge != "ties")} - {"duplicates", *worded}
    if unexplained:
        edges = ", ".join(edge.replace("_", " ") for edge in EDGE_OPTIONS if edge in unexplained)
        reasons.append(f"what it does at these edges is none of the known behaviours: {edges}")
    if evidence["confidence"] != VERIFIED or not reasons:
        return evidence
    return {**evidence, "confidence": IN_PART, "reason": "; ".join(reasons)}


def ties_alone(other: Variant, variant: Variant | None) -> bool:
    """Whether two variants differ in what a tie counts alone."""
    if variant is None or "ties" not in variant.metric.made():
        return False
    ties = {"ties": variant.metric.made()["ties"]}
    return replace(other, metric=replace(other.metric, **ties)) == variant if "ties" in other.metric.made() else False


def _described(info: SubjectInfo | None) -> tuple[Sequence[str], Collection[str]]:
    """What library.toml says that a case must have, and the edges whose own rule it gives in words."""
    return ((), ()) if info is None else (info.needs, info.edges)


def from_recording(
    suggestion: Identification, evidence: Evidence, date: str, info: SubjectInfo | None = None
) -> Verified:
    """An identification from the answers of a recording, verified by the recording's evidence.

    A recording that holds the alternatives that are left after verification leaves out the others.
    """
    evidence, variant = {**evidence, "recorded": date}, suggestion.variant
    if variant is not None and evidence["condition"] is not None:
        return Verified(identification=_refused(suggestion, variant), evidence=evidence, suggested=variant)
    if variant is not None and evidence["confidence"] == REFUSED and not evidence["questions"]:
        reason = "the recording is older than this definition, so that only the probes were asked"
        evidence = {**evidence, "confidence": PROBES_ONLY, "reason": reason}
    unknown = {edge: "unspecified" if edge == "ties" else "unclear" for edge in evidence["edges"]}
    edges, known = replace(suggestion.edges, **unknown), evidence.get("alternatives")
    others = [other for other in suggestion.alternatives if known is None or str(other) in known]
    identified = replace(suggestion, edges=edges, alternatives=others)
    return Verified(identification=identified, evidence=told_apart(evidence, identified, *_described(info)))


@cache
def cases_mark(beyond: bool = False) -> str:
    """A short digest of the verification cases for libraries: evidence from other cases is out of date.

    beyond : whether the cases of the metrics beyond accuracy are included.
    """
    digest = hashlib.sha256()
    limits = [Limits(size=LIBRARY, edges=EDGES)]
    if beyond:
        limits += [Limits(size=LIBRARY, beyond=True, one_category=one_category) for one_category in (False, True)]
    for asked in (asked for limit in limits for asked in verification_cases(limit)):
        digest.update(f"{asked.name} {asked.ks} {asked.case.threshold}".encode())
        for name in ARRAYS:
            array = getattr(asked.case, name)
            digest.update(b"|" if array is None else np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


def gap_as_case(gap: Difference | None, variant: Variant) -> ShownCase | None:
    """The smallest case of a departure as a finding of the record holds it."""
    if gap is None:
        return None
    return {
        "probe": "at size",
        "k": gap.k,
        "users": users_of(gap.case),
        "value": to_json_number(gap.value),
        "error": gap.error,
        "candidates": [{"variant": str(variant), "value": to_json_number(gap.other)}],
        "arithmetic": [],
    }
