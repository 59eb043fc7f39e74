"""The evidence for a name as one line, which every format of an audit shows."""

from __future__ import annotations

from metric_reports.types.common import REFUSED, VERIFIED, BaseEvidence


def evidence_line(evidence: BaseEvidence) -> str:
    """The evidence in one line: probes answered; questions at size, with their users and cut-offs.

    evidence : as the JSON of an audit holds it. Its word of confidence, printed beside the line, is not repeated.
    """
    answered, total = evidence["probes"]["answered"], evidence["probes"]["of"]
    probes = f"{answered} of {total} probes answered"
    if not evidence["questions"]:
        return f"{probes}; {reason(evidence)}"
    low, high = evidence["cutoffs"][0], evidence["cutoffs"][-1]
    cut = f"k = {low}" if low == high else f"k = {low} to {high}"
    size = f"{counted(evidence['questions'], 'question')} at size ({counted(evidence['users'], 'user')}, {cut})"
    if evidence["confidence"] == VERIFIED:
        precision = "1e-12" if evidence["agreement"] == "same" else "1e-6 (float32)"
        return f"{probes}; {size}: all {evidence['values']:,} numbers agree to {precision}"
    return f"{probes}; {size} agree, then: {reason(evidence)}"


def reason(evidence: BaseEvidence) -> str:
    """Why the name is not verified."""
    if evidence["confidence"] == REFUSED and evidence["questions"]:
        return "one departs"
    return str(evidence["reason"])


def counted(number: int, word: str) -> str:
    """``1 note``, ``2 notes``, ``2,068 users``."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"
