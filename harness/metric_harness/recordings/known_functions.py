"""Which library's number a variant is: from the recordings, identified once and kept until a recording changes."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from metric_harness.identification.identify import __file__ as identification
from metric_harness.identification.identify import identify
from metric_harness.libraries.describe import find_libraries
from metric_harness.recordings.read import path_of, read_recording
from metric_harness.system.caches import cache_dir
from metric_harness.version import __version__
from metric_reference.registry import __file__ as registry
from metric_reference.variant import Variant, twins
from metric_reports.record import write_atomically

REFERENCE = Path(registry).parent
IDENTIFICATION = Path(identification).parent


@cache
def identified() -> dict[str, list[dict[str, Any]]]:
    """What recorded functions compute: library, release, function and edges, by the printed form of a variant.

    Stale recordings are passed over. The first call after a recording, the probes or the reference have changed takes
    seconds, others no time.
    """
    libraries = find_libraries([]).values()
    found = [(one, release) for one in libraries for release in one.releases if path_of(one, release).is_file()]
    texts = [path_of(*pair).read_bytes() for pair in found] + [
        (one.folder / "library.toml").read_bytes() for one in libraries
    ]
    texts += [path.read_bytes() for path in identifying()]
    digest = hashlib.sha256(__version__.encode() + b"|".join(texts)).hexdigest()[:20]
    kept = cache_dir("evaluate") / f"functions-{digest}.json"
    if kept.is_file():
        return json.loads(kept.read_text(encoding="utf-8"))
    names: dict[str, list[dict[str, Any]]] = {}
    for library, release in found:
        recording = read_recording(library, release)
        if recording is None or recording.stale:
            continue
        for function, info in library.subjects_of(release).items():
            known = identify(info.metric, recording.answers.get(function, {}))
            if known.variant is not None:
                row = {"library": library.name, "release": release.version, "function": function}
                names.setdefault(plain(known.variant), []).append({**row, "edges": known.edges.made()})
    write_atomically(kept, json.dumps(names))
    return names


def identifying() -> list[Path]:
    """The files that decide which variant an answer is: the probes, the identification and the reference."""
    return [*sorted(IDENTIFICATION.glob("*.py")), *sorted(REFERENCE.rglob("*.py"))]


def plain(variant: Variant) -> str:
    """The printed form that stands for all variants that no input tells apart, without a cut-off."""
    same = variant.canonical()
    return str(Variant(same.metric, same.weight))


def libraries_of(variant: Variant, with_edges: bool = False) -> list[dict[str, Any]]:
    """The recorded functions whose number this variant is, its twins in other metrics included."""
    forms = dict.fromkeys([plain(variant), *(plain(twin) for twin in twins(variant))])
    found = [one for form in forms for one in identified().get(form, [])]
    return found if with_edges else [{name: one[name] for name in one if name != "edges"} for one in found]
