"""What a recording stands in for: answers of a release that cannot run, evidence that need not be asked again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metric_harness.identification.agreement import agrees
from metric_harness.identification.findings import finding
from metric_harness.identification.identify import ProbeAnswer
from metric_harness.identification.rules import rule
from metric_harness.libraries.describe import Library, Release
from metric_harness.recordings.read import Recording, read_recording
from metric_harness.verification.library import Verified, cases_mark, gap_as_case
from metric_reports.types.common import Who
from metric_reports.types.run import Finding


def usable_recording(library: Library, release: Release, reason: str) -> tuple[Recording | None, str]:
    """The recording that replaces a release or function that cannot be asked, and the reason why it cannot."""
    recording = read_recording(library, release)
    if recording is None or not recording.stale:
        return recording, reason
    return None, f"{reason}; its recording is stale (changed since: {', '.join(recording.stale)}) and was not used"


def applies_here(
    recording: Recording, function: str, base: tuple[Any, ...], answers: Mapping[str, ProbeAnswer]
) -> bool:
    """Whether a recording's evidence is of the release, the adapter and the cases of this run, and it answers alike."""
    _, _, packages, code, *_ = base
    recorded = recording.answers.get(function, {})
    return (
        function in recording.evidence
        and (recording.packages, recording.code) == (packages, code)
        and recording.cases in (cases_mark(), cases_mark(beyond=True))
        and recorded.keys() == answers.keys()
        and all(same_answer(recorded[name], answer) for name, answer in answers.items())
    )


def same_answer(one: ProbeAnswer, two: ProbeAnswer) -> bool:
    """Whether two answers to a probe are the same number, or both an error."""
    if one.value is None or two.value is None:
        return one.value is two.value
    return agrees(one.value, two.value)


def refused_at_size(who: Who, known: Verified) -> Finding:
    """VER001: the name that the probes suggest does not hold at size."""
    assert known.suggested is not None
    message = f"it agrees with {known.suggested} on the probes, not at size. It departs {known.evidence['condition']}."
    return finding(rule("VER001"), who, message, gap_as_case(known.gap, known.suggested))
