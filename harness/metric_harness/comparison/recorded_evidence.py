"""What recordings replace: the answers of a release that cannot run, and verification that was done before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metric_harness.libraries.describe import Library, Release
from metric_harness.naming.findings.finding import finding
from metric_harness.naming.findings.rules import rule
from metric_harness.naming.identify import ProbeAnswer
from metric_harness.naming.library_evidence import Verified, cases_mark, gap_as_case
from metric_harness.naming.question import differ
from metric_harness.recordings.read import Recording, read_recording
from metric_reports.types.common import Who
from metric_reports.types.run import LibraryFinding


def usable_recording(library: Library, release: Release, reason: str) -> tuple[Recording | None, str]:
    """The recording that replaces a release or function that cannot be asked, if it is usable, and why it cannot be."""
    recording = read_recording(library, release)
    if recording is None or not recording.stale:
        return recording, reason
    return None, f"{reason}; its recording is stale (changed since: {', '.join(recording.stale)}) and was not used"


def applies_here(
    recording: Recording, function: str, base: tuple[Any, ...], answers: Mapping[str, ProbeAnswer]
) -> bool:
    """Whether a recording has the release, adapter and cases of this run, and the same answers to the probes."""
    _, _, packages, code, *_ = base
    recorded = recording.answers.get(function, {})
    return (
        function in recording.evidence
        and (recording.packages, recording.code) == (packages, code)
        and recording.cases in (cases_mark(), cases_mark(beyond=True))
        and recorded.keys() == answers.keys()
        and all(_same_answer(recorded[name], answer) for name, answer in answers.items())
    )


def _same_answer(first: ProbeAnswer, second: ProbeAnswer) -> bool:
    """Whether two answers to a probe are the same number, or both an error."""
    return not differ(first.value, second.value)


def refused_at_size(subject: Who, verified: Verified) -> LibraryFinding:
    """VER001: the variant that the probes suggest does not hold at size."""
    suggested = verified.suggested
    assert suggested is not None
    message = f"it agrees with {suggested} on the probes, not at size. It departs {verified.evidence['condition']}."
    return finding(rule("VER001"), subject, message, gap_as_case(verified.gap, suggested))
