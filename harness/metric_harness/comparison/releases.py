"""The functions whose definition changed between the releases of a library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metric_harness.libraries.describe import Library, Release
from metric_harness.naming.findings.finding import between, finding
from metric_harness.naming.findings.rules import rule
from metric_harness.naming.identify import ProbeAnswer, identify
from metric_harness.recordings.read import read_recording
from metric_reference.variant import Variant
from metric_reports.record import from_json_number
from metric_reports.types.run import LibraryFinding, Subject


def release_findings(chosen: Sequence[tuple[Library, Release]], subjects: list[Subject]) -> list[LibraryFinding]:
    """REL001 for each function whose releases do not compute the same variant.

    chosen : the releases of the run; subjects : their rows of the record. Other releases count too, if they have a
    recording that is not stale.
    """
    rows = {(row["library"], row["release"], row["function"]): row for row in subjects}
    findings = []
    for library in {library.key: library for library, _ in chosen}.values():
        for info in library.subjects.values():
            variants = [
                (release.version, name, variant)
                for release in library.releases
                for name in (info.formerly, info.function)
                if name
                if (variant := _variant_of(library, release, name, rows)) is not None
            ]
            keys = ((library.key, release.version, info.function) for release in reversed(library.releases))
            newest = next((rows[key] for key in keys if key in rows), None)
            if newest is None or len({variant for *_, variant in variants}) < 2:
                continue
            message = "; ".join(f"{version} ({name}) computes {variant}" for version, name, variant in variants)
            answers = {a["probe"]: ProbeAnswer(from_json_number(a["value"]), a["error"]) for a in newest["answers"]}
            other = next(variant for *_, variant in variants if variant != newest["variant"])
            findings.append(finding(rule("REL001"), newest, message, between(Variant.parse(other), answers)))
    return findings


def _variant_of(
    library: Library, release: Release, name: str, rows: Mapping[tuple[str, str, str], Subject]
) -> str | None:
    """The printed variant of a function in a release, from its row or its recording; None if it is not known."""
    if name not in library.subjects_of(release):
        return None
    if (row := rows.get((library.key, release.version, name))) is not None:
        return row["variant"]
    recording = read_recording(library, release)
    if recording is None or recording.stale or not recording.answers.get(name):
        return None
    variant = identify(library.subjects[name].metric, recording.answers[name]).variant
    return None if variant is None else str(variant)
