"""Which libraries compute a variant: identified from their recordings, and kept until a recording changes."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from metric_harness.libraries.describe import find_libraries
from metric_harness.naming.identify import __file__ as identification
from metric_harness.naming.identify import identify
from metric_harness.recordings.read import path_of, read_recording
from metric_harness.system import store
from metric_harness.system.caches import cache_root
from metric_harness.version import __version__
from metric_reference.registry import __file__ as registry
from metric_reference.variant import Variant, twins

REFERENCE = Path(registry).parent
IDENTIFICATION = Path(identification).parent


@cache
def identified() -> dict[str, list[dict[str, Any]]]:
    """The recorded functions that compute a variant, by its printed form: library, release, function and edges.

    Stale recordings are skipped. The first call after a recording, the probes, the reference or this file have changed
    takes seconds; other calls read a file.
    """
    libraries = find_libraries([]).values()
    recorded = [
        (library, release)
        for library in libraries
        for release in library.releases
        if path_of(library, release).is_file()
    ]
    files = [path_of(*pair) for pair in recorded] + [library.folder / "library.toml" for library in libraries]
    code = (path for folder in (IDENTIFICATION, REFERENCE) for path in sorted(folder.rglob("*.*")))
    files += [Path(__file__), *(path for path in code if path.suffix in (".py", ".toml"))]
    texts = b"|".join(path.read_bytes() for path in files)
    digest = hashlib.sha256(__version__.encode() + texts).hexdigest()[:20]
    file = cache_root() / "evaluate" / f"functions-{digest}.json"
    kept: dict[str, list[dict[str, Any]]] | None = store.kept(file)
    if kept is not None:
        return kept
    by_variant: dict[str, list[dict[str, Any]]] = {}
    for library, release in recorded:
        recording = read_recording(library, release)
        if recording is None or recording.stale:
            continue
        for function, info in library.subjects_of(release).items():
            identification = identify(info.metric, recording.answers.get(function, {}))
            if identification.variant is not None:
                edges = identification.edges.made()
                row = {"library": library.name, "release": release.version, "function": function, "edges": edges}
                by_variant.setdefault(plain(identification.variant), []).append(row)
    store.keep(file, by_variant)
    return by_variant


def plain(variant: Variant) -> str:
    """The printed form that stands for all variants that no input tells apart, without a cut-off."""
    same = variant.canonical()
    return str(same.plain())


def libraries_of(variant: Variant, with_edges: bool = False) -> list[dict[str, Any]]:
    """The recorded functions that compute this variant or one of its twins, whose values are always the same."""
    forms = dict.fromkeys([plain(variant), *(plain(twin) for twin in twins(variant))])
    rows = [row for form in forms for row in identified().get(form, [])]
    return rows if with_edges else [{key: row[key] for key in row if key != "edges"} for row in rows]
