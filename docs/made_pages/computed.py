"""What each recorded function of a release computes, and on what evidence."""

from __future__ import annotations

from collections.abc import Iterator

from metric_harness.libraries.describe import Library, Release, SubjectInfo
from metric_harness.naming.identify import identify
from metric_harness.naming.library_evidence import from_recording
from metric_harness.recordings.read import Recording, read_recording

OTHERS_NAMED = 2
"""Variants that a table names beside the first one that fits."""


def function_rows(library: Library, release: Release) -> Iterator[tuple[SubjectInfo, str, str, str | None]]:
    """For each function: what it computes, why it was not asked, and the evidence (None where it was not asked)."""
    recording = read_recording(library, release)
    for info in library.subjects_of(release).values():
        yield info, *_computes(info, recording)


def _computes(info: SubjectInfo, recording: Recording | None) -> tuple[str, str, str | None]:
    if recording is None or not recording.answers.get(info.function):
        why = "not recorded" if recording is None else recording.missing.get(info.function, "not recorded")
        return "", " ".join(why.split()), None
    suggestion = identify(info.metric, recording.answers[info.function])
    known = from_recording(suggestion, recording.evidence[info.function], recording.date, info)
    found, evidence = known.identification, known.evidence
    if found.variant is not None:
        others = sorted(found.alternatives, key=lambda other: other != info.claims)[:OTHERS_NAMED]
        also = "".join(f" or `{other}`" for other in others)
        more = len(found.alternatives) - len(others)
        also += f" or {more} more" if more else ""
        apart = ", which no case that could be shown tells apart" if also else ""
        return f"`{found.variant}`{also}{apart}", "", evidence["confidence"]
    condition = evidence["condition"]
    return f"no known definition{f' ({condition})' if condition else ''}", "", evidence["confidence"]
