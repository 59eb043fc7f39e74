"""Verification of a library's function: the same cases, smaller, asked of its worker or taken from its recording."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from metric_adapters.case_files import ARRAYS
from metric_harness.identification.identify import Identification, ProbeAnswer, edges_for
from metric_harness.identification.small_cases import Difference
from metric_harness.verification.cases import LIBRARY, Limits, verification_cases
from metric_harness.verification.conditions import condition_of
from metric_harness.verification.reduce import Question
from metric_harness.verification.verify import EDGES, Departure, Verification, limits_of, verify
from metric_harness.worker.reply import Reply
from metric_reference.case import Case as GivenCase
from metric_reference.variant import Variant
from metric_reports.record import to_json_number
from metric_reports.types.run import Case, SizeEvidence

AskCase = Callable[[GivenCase, int], Reply]
"""Asks one function for a case at a cut-off."""


@dataclass(frozen=True, kw_only=True)
class Verified:
    """A function after verification.

    found : its identification as it stands; without a variant where the name was refused. evidence : as the record and
    a recording hold it. gap : the smallest case on which it departs from ``suggested``, if it was refused.
    """

    found: Identification
    evidence: SizeEvidence
    suggested: Variant | None = None
    gap: Difference | None = None


def verify_function(ask: AskCase, found: Identification, answers: Mapping[str, ProbeAnswer]) -> Verified:
    """Verify what the probes suggest of a library's function; never raises for what the library does."""
    limits = limits_of(found, dict(answers), LIBRARY)
    after, evidence = verify(lambda asked, k: ask(asked.case, k), found, dict(answers), limits)
    page: SizeEvidence = {
        **evidence.to_json(dict(answers)),
        "condition": None,
        "edges": {edge: departure.asked.about for edge, departure in evidence.edges.items()},
        "recorded": None,
    }
    if evidence.departure is None or found.variant is None:
        return Verified(found=after, evidence=page)
    page["condition"], gap = condition(ask, found, evidence, evidence.departure)
    return Verified(found=refused(found), evidence=page, suggested=found.variant, gap=gap)


def condition(
    ask: AskCase, found: Identification, evidence: Verification, departure: Departure
) -> tuple[str, Difference | None]:
    """The condition of a departure in words, and the smallest case that shows it."""
    variant, edges = found.variant, edges_for(found.edges)
    assert variant is not None

    def answer(question: Question) -> float | None:
        return ask(question.case, question.k).value

    said = condition_of(departure, answer, lambda question: variant.value(question.case, edges, question.k))
    return said.text, said.smallest


def refused(found: Identification) -> Identification:
    """An identification without the name that did not hold."""
    variant = found.variant
    assert variant is not None
    return replace(found, variant=None, alternatives=[], nearest=[(variant, ["at size"])], expected={})


def from_recording(found: Identification, evidence: SizeEvidence, date: str) -> Verified:
    """What a recording's evidence makes of an identification from its answers."""
    page: SizeEvidence = {**evidence, "recorded": date}
    if found.variant is not None and evidence["condition"] is not None:
        return Verified(found=refused(found), evidence=page, suggested=found.variant)
    unknown = {edge: "unspecified" if edge == "ties" else "unclear" for edge in evidence["edges"]}
    return Verified(found=replace(found, edges=replace(found.edges, **unknown)), evidence=page)


@cache
def cases_mark(beyond: bool = False) -> str:
    """A short digest of the verification cases for libraries: evidence of other cases is asked again.

    beyond : of those of the metrics beyond accuracy as well.
    """
    total = hashlib.sha256()
    limits = [Limits(size=LIBRARY, edges=EDGES)]
    if beyond:
        limits += [Limits(size=LIBRARY, beyond=True, one_category=one) for one in (False, True)]
    for asked in (asked for one in limits for asked in verification_cases(one)):
        total.update(f"{asked.name} {asked.ks} {asked.case.threshold}".encode())
        for name in ARRAYS:
            array = getattr(asked.case, name)
            total.update(b"|" if array is None else np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:16]


def gap_as_case(gap: Difference | None, variant: Variant) -> Case | None:
    """The smallest case of a departure as a finding of the record holds it."""
    from metric_harness.identification.probes import shown_users

    if gap is None:
        return None
    return {
        "probe": "at size",
        "k": gap.k,
        "users": shown_users(gap.case),
        "value": to_json_number(gap.value),
        "standard": str(variant),
        "standard_value": to_json_number(gap.other),
    }
