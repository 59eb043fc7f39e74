"""One comparison, and its record."""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from metric_harness.bundles.build import Bundle
from metric_harness.comparison.asked_cases import AskedCases
from metric_harness.comparison.citations import citations, publications, signatures_of
from metric_harness.comparison.kept_parts import kept_parts
from metric_harness.comparison.models import models_section
from metric_harness.comparison.running import Comparison
from metric_harness.comparison.sampled_order import sampled_section
from metric_harness.comparison.shared import Chosen, Settings
from metric_harness.comparison.user_pairs import user_pairs
from metric_harness.libraries.mistake import LibraryError
from metric_harness.naming.probes.probe import describe
from metric_harness.system.progress import Reporter
from metric_harness.version import __version__
from metric_reports.types.run import Record
from metric_reports.versions import SCHEMA_VERSION

__all__ = ["Settings", "add_models", "compare"]


def compare(
    bundle: Bundle,
    chosen: Sequence[Chosen],
    settings: Settings,
    out: Path,
    *,
    unusable: Sequence[LibraryError] = (),
    command: str = "",
    reporter: Reporter | None = None,
) -> Record:
    """Compare releases of libraries on a bundle and return the record.

    unusable : libraries whose folders have mistakes; each gets a row that says so.

    Answers are kept in ``out/answers`` and, where they do not depend on the data, in the cache: an interrupted run
    continues where it stopped.
    """
    begun = time.perf_counter()
    comparison = Comparison(bundle, settings, out, reporter or Reporter())
    libraries = [*(error.folder.name for error in unusable), *(library.key for library, _ in chosen)]
    comparison.run(chosen, unusable)
    signatures = signatures_of(comparison.cells)
    return {
        "schema_version": SCHEMA_VERSION,
        "harness": {
            "version": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "platform": platform.platform(terse=True),
        },
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(time.perf_counter() - begun, 3),
        "command": command,
        "settings": {
            "ks": list(settings.ks),
            "libraries": list(dict.fromkeys(libraries)),
            "environment": settings.environment,
            "timeout": settings.timeout,
            "memory": settings.memory,
        },
        "bundle": bundle.manifest,
        "libraries": comparison.libraries,
        "subjects": comparison.subjects,
        "cells": comparison.cells,
        "findings": comparison.findings,
        "citations": comparison.kept.once("citations", signatures, lambda: citations(signatures)),
        "publications": publications(comparison.subjects),
        "user_pairs": comparison.kept.once(
            "user_pairs",
            [bundle.manifest, settings.ks, [(row["metric"], row["variant"]) for row in comparison.subjects]],
            lambda: user_pairs(AskedCases(bundle), comparison.subjects, settings.ks),
        ),
        "probes": [describe(probe) for probe in comparison.probes],
    }


def add_models(record: Record, bundles: Mapping[str, Bundle], out: Path, fresh: bool) -> None:
    """Add the sections of the models to the record of a comparison: :func:`models_section`, :func:`sampled_section`.

    bundles : by model. out : the folder of the run, where an earlier run may have left the section. fresh : ignore it.
    """
    subjects = [
        [row["library"], row["release"], row["function"], row["metric"], row["variant"]] for row in record["subjects"]
    ]
    depends = [{name: bundle.manifest for name, bundle in bundles.items()}, record["settings"]["ks"], subjects]
    kept = kept_parts(out, fresh)
    record["models"] = kept.once("models", depends, lambda: models_section(record, bundles))
    sampled = kept.once("sampled", depends[:2], lambda: sampled_section(bundles, record["settings"]["ks"]))
    if sampled is not None:
        record["sampled"] = sampled
