"""The functions of libraries as the site shows them, each from the recording of its release."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metric_harness.libraries.describe import Library, Release, SubjectInfo
from metric_harness.naming.findings.constant_scorer import constant_scorer
from metric_harness.naming.findings.finding import documents, edge_of, subject_findings
from metric_harness.naming.findings.reproduce import candidate_of
from metric_harness.naming.findings.rules import rule
from metric_harness.naming.findings.shown_case import edge_case
from metric_harness.naming.findings.worked_case import work_out
from metric_harness.naming.identify import Identification, ProbeAnswer, identify
from metric_harness.naming.library_evidence import from_recording
from metric_harness.naming.probes.predictions import matched
from metric_harness.recordings.known_functions import plain
from metric_harness.recordings.read import Recording, read_recording
from metric_harness.recordings.snippets import call_lines
from metric_harness.version import __version__
from metric_reference.signatures.signature import signature_of
from metric_reference.variant import Variant
from metric_reports.audit.issue import expected_candidate, issue, script
from metric_reports.evidence_line import evidence_line
from metric_reports.record import to_json_number
from metric_reports.types.common import ShownCase, Who
from metric_reports.types.run import LibraryFinding
from metric_reports.types.site import SiteFinding, SiteFunction


def slug(text: str) -> str:
    """A text as part of an address: letters, digits, underscores and hyphens."""
    return re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-")


def functions_of(libraries: Sequence[Library]) -> Iterator[SiteFunction]:
    """Every function of every described release, the newest release of each library first."""
    for library in libraries:
        for release in reversed(library.releases):
            recording = read_recording(library, release)
            for info in library.subjects_of(release).values():
                yield function_of(library, release, info, recording)


def function_of(library: Library, release: Release, info: SubjectInfo, recording: Recording | None) -> SiteFunction:
    """One function: what it computes and on which evidence, or why it was not asked."""
    answers = recording.answers.get(info.function, {}) if recording else {}
    row: SiteFunction = {
        "id": re.sub(r"[^A-Za-z0-9_]", "-", f"{library.key}-{release.version}-{info.function}"),
        "library": library.key,
        "release": release.version,
        "newest": release is library.newest(),
        "function": info.function,
        "formerly": info.formerly,
        "metric": info.metric,
        "claim": info.claim,
        "quote": info.quote,
        "address": info.address,
        "documented": None if info.claims is None else str(info.claims),
        "as_documented": None,
        "diagnostic": info.diagnostic,
        "apart": info.apart,
        "variant": None,
        "definition": None,
        "signature": None,
        "confidence": None,
        "evidence": "",
        "condition": None,
        "missing": "" if answers else missing(recording, info.function),
        "edges": {},
        "findings": [],
        "fed": fed(library, info.function) if release is library.newest() else "no test",
        "constant_scorer": "",
        "answers": {name: to_json_number(answer.value) for name, answer in answers.items()},
    }
    if recording is None or not answers:
        return row
    suggestion, recorded = identify(info.metric, answers), recording.evidence[info.function]
    known = from_recording(suggestion, recorded, recording.date, info)
    identified, evidence = known.identification, known.evidence
    row["confidence"], row["condition"] = evidence["confidence"], evidence["condition"]
    row["evidence"] = evidence_line(evidence)
    if identified.variant is not None:
        row["variant"], row["definition"] = str(identified.variant), slug(plain(identified.variant))
        row["signature"] = str(signature_of(identified.variant, identified.edges, users="all"))
        row["edges"] = identified.edges.made()
        row["constant_scorer"] = constant(info, identified, answers)
        if info.claims is not None:
            row["as_documented"] = documents(info.claims, (identified.variant, *identified.alternatives))
    who: Who = {
        "library": library.key,
        "release": release.version,
        "function": info.function,
        "metric": info.metric,
    }
    findings = subject_findings(who, info.metric, identified, answers, info)
    row["findings"] = [shown(finding, identified, answers, library, row) for finding in findings]
    return row


def constant(info: SubjectInfo, identified: Identification, answers: Mapping[str, ProbeAnswer]) -> str:
    """What a scorer that gives every item the same score gets; empty where that does not follow from the answers.

    Not computed for a function that cannot be shown equal scores. One with a rule of its own for them has it in words,
    but where they are broken at random: the answer to such a probe is a number and an error.
    """
    at_random = any(answer.value is not None and answer.error is not None for answer in answers.values())
    if "ties" in info.edges and not at_random:
        return f"what a rule of its own gives: {info.edges['ties']}"
    if identified.variant is None or "distinct_scores" in info.needs:
        return ""
    return constant_scorer(identified.variant, identified.edges) or ""


def fed(library: Library, function: str) -> str:
    """Whether a test compares a function with the library's own evaluation, or why it cannot."""
    if function in library.not_run:
        return f"not run: {library.not_run[function]}"
    if library.no_evaluator:
        return f"no evaluator: {library.no_evaluator}"
    return "tested" if library.evaluator else "no test"


def missing(recording: Recording | None, function: str) -> str:
    """Why a function has no answers."""
    return "not recorded" if recording is None else " ".join(recording.missing.get(function, "not recorded").split())


def shown(
    finding: LibraryFinding,
    identified: Identification,
    answers: Mapping[str, ProbeAnswer],
    library: Library,
    row: SiteFunction,
) -> SiteFinding:
    """A finding with the text of its issue; notes and findings without a case have none.

    The snippets call the newest release; for an older one the issue has the data of the case and no call.
    """
    case = case_of(finding, identified, answers)
    text = code = None
    if finding["severity"] != "note" and case is not None and case["candidates"]:
        subject: dict[str, Any] = {
            "target": f"{row['library']}:{row['function']}",
            "variant": row["variant"],
            "formula": None if identified.variant is None else identified.variant.metric.formula(),
            "evidence": {"confidence": row["confidence"], "summary": row["evidence"]},
        }
        graded = identified.variant is None or identified.variant.choices().get("gain", "binary") != "binary"
        call = call_lines(library, row["function"], case, graded) if row["newest"] else []
        called: ShownCase = {**case, "call": call}
        about = {**finding, "case": called}
        text = issue(subject, about, __version__)
        code = "\n".join(script(subject, called, expected_candidate(about))) + "\n" if call else None
    return {
        "code": finding["code"],
        "severity": finding["severity"],
        "title": finding["title"],
        "message": finding["message"],
        "advice": finding["advice"],
        "issue": text,
        "script": code,
    }


def case_of(
    finding: LibraryFinding, identified: Identification, answers: Mapping[str, ProbeAnswer]
) -> ShownCase | None:
    """The case of a finding with all that the text of an issue says of the usual variant."""
    edge = edge_of(rule(finding["code"]), identified)
    if edge is not None:
        return edge_case(identified, edge, answers)
    case = work_out(finding, identified)["case"]
    if case is None or case["candidates"][0]["value"] is None:
        return None
    probe, (candidate,) = matched(case["probe"])[0], case["candidates"]
    described = candidate_of(Variant.parse(candidate["variant"]), probe.case, case["k"])
    return {**case, "candidates": [{**described, "value": candidate["value"]}]}
