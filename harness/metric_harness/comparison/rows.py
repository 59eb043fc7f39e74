"""The rows of a record: libraries, subjects and cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from metric_harness.bundles.own_lists import RANK_ORDER
from metric_harness.libraries.describe import Library as Described
from metric_harness.libraries.describe import Release, SubjectInfo
from metric_harness.libraries.mistake import LibraryError
from metric_harness.naming.identify import Identification, ProbeAnswer
from metric_reference.edges import Edges
from metric_reference.registry import METRICS
from metric_reference.signatures.signature import signature_of
from metric_reports.evidence_line import evidence_line
from metric_reports.record import to_json_number
from metric_reports.types.common import Evidence, Who
from metric_reports.types.run import Cell, Library, LibraryFinding, Source, Status, Subject


def merge(findings: list[LibraryFinding], more: list[LibraryFinding]) -> list[LibraryFinding]:
    """One finding for each code: one of ``more``, about the split, replaces that of a probe, and keeps its case."""
    by_code = {finding["code"]: finding for finding in findings}
    for finding in more:
        earlier = by_code.get(finding["code"], finding)
        by_code[finding["code"]] = {**finding, "case": finding["case"] or earlier["case"]}
    return list(by_code.values())


def identity(row: Library, info: SubjectInfo) -> Who:
    """The keys that identify a subject, with which each of its rows begins; ``row`` is that of its library."""
    return {"library": row["name"], "release": row["release"], "function": info.function, "metric": info.metric}


def printed(identification: Identification) -> str | None:
    """The variant's printed form, or None."""
    return None if identification.variant is None else str(identification.variant)


def signed(cell: Cell, identification: Identification, manifest: Mapping[str, Any], threshold: float) -> Cell:
    """The cell with the long and the short signature of its number; None where no variant explains the number.

    A function that keeps the order of its input had lists ordered by rank, or by score and then by item id.
    """
    lists = manifest.get("lists") or {"users": "truth"}  # a split's users are those of the test set
    variant, edges = identification.variant, identification.edges
    if edges.ties == "input_order" and lists.get("order") != RANK_ORDER:
        edges = replace(edges, ties="id_ascending")
    signature = None
    if variant is not None and cell["status"] in ("explained", "not_available"):
        signature = signature_of(variant.at(cell["k"]), edges, users=lists["users"], threshold=threshold)
    cell["signature"] = None if signature is None else str(signature)
    cell["signature_short"] = None if signature is None else signature.short()
    return cell


def empty_cell(subject: Who, k: int, status: Status, error: str | None, variant: str | None = None) -> Cell:
    """A cell without a value."""
    return {
        "library": subject["library"],
        "release": subject["release"],
        "function": subject["function"],
        "metric": subject["metric"],
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
    """A library's row of the record, before the library is asked."""
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
    readable = [(name, entry) for name, entry in entries if text(entry, "metric", "") in METRICS]
    return row, [SubjectInfo(name, entry["metric"], (), text(entry, "claim", ""), "") for name, entry in readable]


def rows_without_answers(row: Library, info: SubjectInfo, ks: Sequence[int], reason: str) -> tuple[Subject, list[Cell]]:
    """The rows of a function that was not asked: its subject, and a cell for each cut-off with the reason."""
    subject = identity(row, info)
    cells = [empty_cell(subject, k, "not_available", reason) for k in ks]
    return subject_row(subject, info, Identification(None, [], Edges(), []), {}, {}), cells


def subject_row(
    subject: Who,
    info: SubjectInfo,
    identification: Identification,
    answers: Mapping[str, ProbeAnswer],
    source: Source,
    *,
    call: str | None = None,
    evidence: Evidence | None = None,
) -> Subject:
    """A subject's row of the record."""
    variant, edges = identification.variant, identification.edges
    return {
        **subject,
        "claim": info.claim or None,
        "claims": None if info.claims is None else str(info.claims),
        "diagnostic": info.diagnostic,
        "apart": info.apart or None,
        "address": info.address or None,
        "source": source,
        "call": call,
        "identified": variant is not None,
        "variant": printed(identification),
        "evidence": None if evidence is None else {**evidence, "summary": evidence_line(evidence)},
        "formula": None if variant is None else variant.metric.formula(),
        "choices": {} if variant is None else {**variant.choices(), "users": edges.users},
        "edges": {} if variant is None else {name: made for name, made in edges.made().items() if made != "unclear"},
        "alternatives": [str(other) for other in identification.alternatives[:20]],
        "nearest": [{"variant": str(other), "fails": failed} for other, failed in identification.nearest],
        "answers": [
            {
                "probe": name,
                "value": to_json_number(answer.value),
                "error": answer.error,
                "expected": to_json_number(identification.expected.get(name)),
            }
            for name, answer in answers.items()
        ],
    }
