"""The rows of a record: libraries, subjects and cells, as schema/run.schema.json describes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from metric_harness.audit_text.evidence import evidence_line
from metric_harness.bundles.own_lists import RANK_ORDER
from metric_harness.identification.identify import Identification, ProbeAnswer
from metric_harness.libraries.describe import Library as Described
from metric_harness.libraries.describe import Release, SubjectInfo
from metric_harness.libraries.mistake import LibraryError
from metric_reference.registry import METRICS
from metric_reference.signatures.signature import signature_of
from metric_reports.record import to_json_number
from metric_reports.types.common import Who
from metric_reports.types.run import Cell, Finding, Library, SizeEvidence, Source, Status, Subject


def merge(findings: list[Finding], more: list[Finding]) -> list[Finding]:
    """One finding a code; what the split itself shows stands before what only a probe shows."""
    codes = {finding["code"]: finding for finding in findings}
    for finding in more:
        shown = codes.get(finding["code"])
        codes[finding["code"]] = {**finding, "case": finding["case"] or (shown or finding)["case"]}
    return list(codes.values())


def identity(row: Library, info: SubjectInfo) -> Who:
    """What every row about a subject of the library of a row begins with."""
    return {"library": row["name"], "release": row["release"], "function": info.function, "metric": info.metric}


def printed(found: Identification) -> str | None:
    """The variant's printed form, or None."""
    return None if found.variant is None else str(found.variant)


def signed(cell: Cell, found: Identification, manifest: Mapping[str, Any], threshold: float) -> Cell:
    """The cell with the signature of its number in both forms; None where no definition explains the number.

    A function that keeps the order it is given was given lists ordered by score and then by item id, or by rank.
    """
    lists = manifest.get("lists") or {"users": "truth"}  # a split's users are those of the test set
    by_rank, edges = lists.get("order") == RANK_ORDER, found.edges
    if edges.ties == "input_order" and not by_rank:
        edges = replace(edges, ties="id_ascending")
    signature = None
    if found.variant is not None and cell["status"] in ("explained", "not_available"):
        variant = found.variant.at(cell["k"])
        signature = signature_of(variant, edges, users=lists["users"], threshold=threshold)
    cell["signature"] = None if signature is None else str(signature)
    cell["signature_short"] = None if signature is None else signature.short()
    return cell


def empty_cell(who: Who, k: int, status: Status, error: str | None, variant: str | None = None) -> Cell:
    """A cell without a value."""
    return {
        "library": who["library"],
        "release": who["release"],
        "function": who["function"],
        "metric": who["metric"],
        "k": k,
        "value": None,
        "variant": variant,
        "predicted": None,
        "difference": None,
        "agreement": None,
        "status": status,
        "seconds": None,
        "findings": [],
        "error": error,
        "warnings": [],
        "users": None,
    }


def describe_library(library: Described, release: Release) -> Library:
    """A library's row of the record, before it was asked."""
    return {
        "name": library.key,
        "title": library.name,
        "release": release.version,
        "homepage": library.homepage,
        "licence": library.licence,
        "family": library.family,
        "status": "ran",
        "reason": None,
        "note": release.note or None,
        "commit": release.commit or None,
        "repository": library.repository or None,
        "date": release.date or None,
        "paper": release.paper,
        "newest": release is library.newest(),
        "shims": list(release.shims),
        "recorded": None,
    }


def describe_unusable(error: LibraryError) -> tuple[Library, list[SubjectInfo]]:
    """The row of a library whose folder has mistakes, and its functions, as far as its library.toml can be read."""

    def text(table: Any, key: str, default: str) -> str:
        value = table.get(key) if isinstance(table, dict) else None
        return value if isinstance(value, str) and value.strip() else default

    table, key = error.table, error.folder.name
    releases, subjects = table.get("releases"), table.get("subjects")
    release = text(releases[-1] if isinstance(releases, list) and releases else {}, "version", "unknown")
    row: Library = {
        "name": key,
        "title": text(table, "name", key),
        "release": release,
        "homepage": text(table, "homepage", ""),
        "licence": text(table, "licence", "unknown"),
        "status": "not_available",
        "reason": error.summary(),
        "note": None,
        "commit": None,
        "repository": None,
        "date": None,
        "paper": False,
        "newest": True,
        "shims": [],
        "recorded": None,
    }
    entries = subjects.items() if isinstance(subjects, dict) else ()
    known = [(name, entry) for name, entry in entries if text(entry, "metric", "") in METRICS]
    return row, [SubjectInfo(name, entry["metric"], (), text(entry, "claim", ""), "") for name, entry in known]


def subject_row(
    who: Who,
    info: SubjectInfo,
    found: Identification,
    answers: Mapping[str, ProbeAnswer],
    source: Source,
    *,
    asked: bool,
    call: str | None = None,
    evidence: SizeEvidence | None = None,
) -> Subject:
    """A subject's row of the record."""
    variant = found.variant
    edges = found.edges.made() if asked and variant is not None else {}
    return {
        **who,
        "claim": info.claim or None,
        "claims": None if info.claims is None else str(info.claims),
        "diagnostic": info.diagnostic,
        "apart": info.apart or None,
        "address": info.address or None,
        "source": source,
        "call": call,
        "identified": variant is not None,
        "variant": printed(found),
        "evidence": None if evidence is None else {**evidence, "summary": evidence_line(evidence)},
        "formula": None if variant is None else variant.metric.formula(),
        "choices": {} if variant is None else {**variant.choices(), "users": found.edges.users},
        "edges": {name: value for name, value in edges.items() if value != "unclear"},
        "alternatives": [str(other) for other in found.alternatives[:20]],
        "nearest": [{"variant": str(near), "fails": failed} for near, failed in found.nearest],
        "answers": [
            {
                "probe": name,
                "value": to_json_number(answer.value),
                "error": answer.error,
                "expected": to_json_number(found.expected.get(name)),
            }
            for name, answer in answers.items()
        ],
    }
