"""The bundles that the options of a command ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from metric_harness.bundles.build import Bundle, build_bundle, bundle_from_files
from metric_harness.data.datasets import load_dataset, read_ratings
from metric_harness.data.split import default_protocol
from metric_harness.models.simple import MODELS, ease
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter


def asked_bundle(
    dataset: str, ratings: Path | None, recommendations: Path | None, truth: Path | None, folder: Path, depth: int,
    threshold: float | None, method: str | None, test_fraction: float | None, seed: int | None, regularisation: float,
    reporter: Reporter, float32: bool = False,
) -> Bundle:  # fmt: skip
    """One's own lists where they are given, else the split of one's own ratings or of a data set.

    HarnessError for what cannot be read or does not go together.
    """
    asked = asked_bundles(
        dataset, ratings, recommendations, truth, folder, depth, threshold, method, test_fraction, seed,
        regularisation, reporter, float32=float32,
    )  # fmt: skip
    return asked[0]


def asked_bundles(
    dataset: str, ratings: Path | None, recommendations: Path | None, truth: Path | None, folder: Path, depth: int,
    threshold: float | None, method: str | None, test_fraction: float | None, seed: int | None, regularisation: float,
    reporter: Reporter, models: Sequence[str] = (), float32: bool = False,
) -> tuple[Bundle, dict[str, Bundle]]:  # fmt: skip
    """The bundle of :func:`asked_bundle`, and that of each of ``models`` on the same split.

    EASE's is the first one itself; the others lie in ``models/<name>`` beside ``folder``.
    HarnessError also for models on one's own lists.
    """
    if recommendations is not None or truth is not None:
        if recommendations is None or truth is None:
            raise HarnessError("--recommendations and --truth go together; give both")
        if models:
            raise HarnessError(
                "--models needs a split to fit the models on, and lists of your own (--recommendations) come without "
                "training data; leave --models out, or give --dataset or --ratings instead of the lists"
            )
        return bundle_from_files(
            recommendations, truth, folder, threshold=threshold, depth=depth, reporter=reporter
        ), {}
    data = load_dataset(dataset, reporter) if ratings is None else read_ratings(ratings, reporter)
    asked: dict[str, Any] = {
        "threshold": threshold, "method": method, "test_fraction": test_fraction, "seed": seed,
    }  # fmt: skip
    protocol = replace(default_protocol(data.name), **{n: v for n, v in asked.items() if v is not None})
    first = build_bundle(data, protocol, folder, depth=depth, model=ease(regularisation, float32), reporter=reporter)
    others = {
        name: build_bundle(
            data, protocol, folder.parent / "models" / name, depth=depth, model=MODELS[name](), reporter=reporter
        )
        for name in models
        if name != "ease"
    }
    return first, {name: others.get(name, first) for name in models}
