"""The evidence for a name as one line, which every format of an audit shows."""

from __future__ import annotations

from metric_reports.types.common import IN_PART, VERIFIED, Evidence, Reach


def evidence_line(evidence: Evidence) -> str:
    """The evidence in one line: probes answered; questions at size, with their users and cut-offs.

    evidence : as the JSON of an audit holds it. Its word of confidence, printed beside the line, is not repeated.
    """
    branches = evidence.get("branches")
    ran = f"; {branches['ran']} of {branches['of']} branches" if branches else "; branches not counted"
    ran = ran if "branches" in evidence else ""  # an older record, which does not say
    answered, total = evidence["probes"]["answered"], evidence["probes"]["of"]
    probes = f"{answered} of {total} probes answered"
    if not evidence["questions"]:
        return f"{probes}; {reason(evidence)}"
    low, high = evidence["cutoffs"][0], evidence["cutoffs"][-1]
    cut = f"k = {low}" if low == high else f"k = {low} to {high}"
    size = f"{counted(evidence['questions'], 'question')} at size ({counted(evidence['users'], 'user')}, {cut})"
    if evidence["confidence"] == VERIFIED:
        precision = "1e-12" if evidence["agreement"] == "same" else "1e-6 (float32)"
        return f"{probes}; {size}: all {evidence['values']:,} numbers agree to {precision}{ran}"
    if evidence["confidence"] == IN_PART:
        return f"{probes}; {size}: all agree{ran}; {evidence['reason']}"
    return f"{probes}; {size} agree, then: {reason(evidence)}"


GAINS = {"binary": "binary gains", "graded": "graded gains, none negative", "unknown": ""}
IDS = {
    "numbers": "item numbers",
    "text": "text ids",
    "positions": "items by place in a vector",
    "none": "no ids",
    "unknown": "",
}


def reach_line(reach: Reach) -> str:
    """What was asked and answered: ``lists of 1 to 1,100 items; 1 to 150 relevant items a user; binary gains``."""
    words = [
        f"lists of {span(reach['lists'])}",
        f"{span(reach['relevant'])} relevant a user",
        f"{span(reach['users'])} users",
        GAINS[reach["gains"]],
        IDS[reach["ids"]],
        "" if reach.get("seed") is None else f"drawn with seed {reach['seed']}",
    ]
    return "; ".join(filter(None, words))


def span(numbers: list[int]) -> str:
    """``1 to 1,100``, or one number."""
    low, high = numbers
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def reason(evidence: Evidence) -> str:
    """Why the name is not verified."""
    return str(evidence["reason"])


def counted(number: int, word: str) -> str:
    """``1 note``, ``2 notes``, ``2,068 users``."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"
