"""The bundle that the options of a command ask for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.bundle import Bundle, build_bundle, bundle_from_files
from harness.datasets import load_dataset, read_ratings
from harness.errors import HarnessError
from harness.progress import Reporter
from harness.splits import default_protocol


def asked_bundle(
    dataset: str, ratings: Path | None, recommendations: Path | None, truth: Path | None, folder: Path, depth: int,
    threshold: float | None, method: str | None, test_fraction: float | None, seed: int | None, regularisation: float,
    reporter: Reporter,
) -> Bundle:  # fmt: skip
    """One's own lists where they are given, else the split of one's own ratings or of a data set.

    HarnessError for what cannot be read or does not go together.
    """
    if recommendations is not None or truth is not None:
        if recommendations is None or truth is None:
            raise HarnessError("--recommendations and --truth go together; give both")
        return bundle_from_files(recommendations, truth, folder, threshold=threshold, depth=depth, reporter=reporter)
    data = load_dataset(dataset, reporter) if ratings is None else read_ratings(ratings, reporter)
    asked: dict[str, Any] = {
        "threshold": threshold, "method": method, "test_fraction": test_fraction, "seed": seed,
    }  # fmt: skip
    protocol = replace(default_protocol(data.name), **{n: v for n, v in asked.items() if v is not None})
    return build_bundle(data, protocol, folder, depth=depth, regularisation=regularisation, reporter=reporter)
