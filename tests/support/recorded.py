"""The signature of a recorded function, as an audit of the library would print it."""

from __future__ import annotations

from metric_harness.libraries.describe import Library, Release
from metric_harness.naming.identify import identify
from metric_harness.naming.library_evidence import from_recording
from metric_harness.recordings.read import read_recording
from metric_reference.signatures.signature import signature_of


def recorded_signature(library: Library, release: Release, function: str) -> str | None:
    """The full form; None where no definition is verified, or nothing is recorded."""
    recording = read_recording(library, release)
    if recording is None or function not in recording.answers:
        return None
    found = identify(library.subjects[function].metric, recording.answers[function])
    known = from_recording(found, recording.evidence[function], recording.date)
    if known.suggested is not None or known.identification.variant is None:
        return None
    return str(signature_of(known.identification.variant, known.identification.edges, users="all"))
