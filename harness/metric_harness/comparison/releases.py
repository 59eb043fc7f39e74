"""What changed between the releases of a library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metric_harness.identification.findings import between, finding
from metric_harness.identification.identify import ProbeAnswer, identify
from metric_harness.identification.rules import rule
from metric_harness.libraries.describe import Library, Release
from metric_harness.recordings.read import read_recording
from metric_reference.variant import Variant
from metric_reports.record import from_json_number
from metric_reports.types.run import Finding, Subject


def release_findings(chosen: Sequence[tuple[Library, Release]], subjects: list[Subject]) -> list[Finding]:
    """REL001 for each function whose releases do not compute the same variant.

    chosen : the releases of the run; subjects : their rows of the record. A release that is not among them counts too
    where there is a recording of it that is not stale.
    """
    known = {(row["library"], row["release"], row["function"]): row for row in subjects}
    rows = []
    for library in {library.key: library for library, _ in chosen}.values():
        for info in library.subjects.values():
            seen = [
                (release.version, name, variant)
                for release in library.releases
                for name in (info.formerly, info.function)
                if name
                if (variant := _variant_of(library, release, name, known)) is not None
            ]
            who = next(
                (
                    row
                    for release in reversed(library.releases)
                    if (row := known.get((library.key, release.version, info.function)))
                ),
                None,
            )
            if who is None or len({variant for *_, variant in seen}) < 2:
                continue
            message = "; ".join(f"{version} ({name}) computes {variant}" for version, name, variant in seen)
            answers = {a["probe"]: ProbeAnswer(from_json_number(a["value"]), a["error"]) for a in who["answers"]}
            other = next(variant for *_, variant in seen if variant != who["variant"])
            rows.append(finding(rule("REL001"), who, message, between(Variant.parse(other), answers)))
    return rows


def _variant_of(
    library: Library, release: Release, name: str, known: Mapping[tuple[str, str, str], Subject]
) -> str | None:
    if name not in library.subjects_of(release):
        return None
    if (row := known.get((library.key, release.version, name))) is not None:
        return row["variant"]
    recording = read_recording(library, release)
    if recording is None or recording.stale or not recording.answers.get(name):
        return None
    variant = identify(library.subjects[name].metric, recording.answers[name]).variant
    return None if variant is None else str(variant)
