"""Two functions held against each other: the same definition, or the smallest case where they differ."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import harness
from harness.audit_cases import case_of
from harness.audit_own import own_worker
from harness.audit_session import Options, Session, library_worker
from harness.auditing import audit
from harness.errors import HarnessError
from harness.examine import SubjectAudit
from harness.libraries import Library, find_libraries
from harness.progress import Reporter
from harness.record import to_json_number
from harness.rules import rule
from harness.shrink import TRIES, smallest_difference
from harness.targets import parse_target

TRIES_ALIKE = 100
"""Small cases tried where both functions give every answer of one variant to the probes already."""


def compare_targets(one: str, two: str, options: Options, reporter: Reporter) -> dict[str, Any]:
    """Whether two functions follow the same definition, and if not the smallest case on which they differ.

    Returns what harness/schema/audit.schema.json describes: the two subjects; ``same``; ``edges``, the edge behaviours
    in which they differ; ``findings``, one where they are not the same; ``case``, the smallest one, or None.
    """
    libraries = find_libraries(list(options.adapters))
    for text in (one, two):
        target = parse_target(text, libraries)
        if target.library is not None and target.function is None:
            raise HarnessError(f"--compare takes two functions; {text} is a library: give {text}:FUNCTION")
    results = [audit(text, options, reporter) for text in (one, two)]
    for text, result in zip((one, two), results, strict=True):
        if len(result.subjects) != 1:
            raise HarnessError(
                f"--compare takes two functions; {text} has {len(result.subjects)}: give {text}:FUNCTION"
            )
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="metric-harness-")))
        asked = []
        for number, (text, result) in enumerate(zip((one, two), results, strict=True)):
            asked.append(_asker(stack, text, result.subjects[0], libraries, options, folder / str(number), reporter))
        audits = [result.subjects[0] for result in results]
        variants = [subject.variant for subject in audits]
        alike = variants[0] is not None and variants[0] == variants[1]
        gap = smallest_difference(asked[0], asked[1], TRIES_ALIKE if alike else TRIES)
    case = None
    if gap is not None:
        case = case_of(gap, [v for v in variants if v is not None])
        if case is not None:
            case["other"] = to_json_number(gap.other)
    return {
        "subjects": [subject.to_json() for subject in audits], "same": gap is None, "edges": edges_apart(*audits),
        "findings": [] if gap is None else [apart(*audits)], "case": case,
        "harness": {"version": harness.__version__},
    }  # fmt: skip


def edges_apart(one: SubjectAudit, two: SubjectAudit) -> dict[str, list[str]]:
    """The edge behaviours in which two functions differ, with both values; those not known of both are left out."""
    left, right = one.to_json()["edges"], two.to_json()["edges"]
    return {name: [left[name], right[name]] for name in left if name in right and left[name] != right[name]}


def apart(one: SubjectAudit, two: SubjectAudit) -> dict[str, Any]:
    """The finding that two functions differ."""
    about = rule("CMP001")

    def computes(subject: SubjectAudit) -> str:
        return f"{subject.target} computes {subject.variant or 'none of the known variants'}"

    return {
        "code": about.code, "severity": about.severity, "title": about.title,
        "message": f"{computes(one)}; {computes(two)}.", "advice": about.advice,
    }  # fmt: skip


def _asker(
    stack: ExitStack, text: str, subject: SubjectAudit, libraries: dict[str, Library], options: Options, folder: Path,
    reporter: Reporter,
) -> Any:  # fmt: skip
    target = parse_target(text, libraries)
    folder.mkdir(parents=True)
    if target.library is not None and target.release is not None:
        worker = library_worker(target.library, target.release, options, folder, reporter)
    else:
        worker = own_worker(target, subject.convention, folder, options)
    stack.enter_context(worker)
    session = Session(worker, target, folder, options)
    offered = session.start()
    function = target.function if target.library is not None and target.function else offered[0]
    return lambda case, k: session.value(function, case, k)
