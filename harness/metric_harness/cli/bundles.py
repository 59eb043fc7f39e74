"""The bundles that the options of a command ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from metric_harness.bundles.build import Bundle, build_bundle, bundle_from_files
from metric_harness.data.datasets import load_dataset, read_ratings, whereabouts
from metric_harness.data.split import Protocol, default_protocol
from metric_harness.models.simple import MODELS, Model, ease
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter


@dataclass(frozen=True, kw_only=True)
class BundleRequest:
    """What a comparison is made on, as the options of a command say it.

    recommendations, truth : the user's own lists and judgements; else ``ratings`` or ``dataset`` are split.
    threshold, method, test_fraction, seed : of the split; None is the data set's default protocol.
    depth : how many items each list holds. regularisation, float32 : of EASE. models : further models on the split.
    """

    folder: Path
    depth: int
    dataset: str = "ml-100k"
    ratings: Path | None = None
    recommendations: Path | None = None
    truth: Path | None = None
    threshold: float | None = None
    method: str | None = None
    test_fraction: float | None = None
    seed: int | None = None
    regularisation: float = 0.5
    float32: bool = False
    models: Sequence[str] = ()

    def protocol(self, data: str) -> Protocol:
        """The default protocol of a data set, with the choices made here."""
        choices: dict[str, Any] = {
            "threshold": self.threshold,
            "method": self.method,
            "test_fraction": self.test_fraction,
            "seed": self.seed,
        }
        given = {name: value for name, value in choices.items() if value is not None}
        return replace(default_protocol(data), **given)


def requested_bundles(request: BundleRequest, reporter: Reporter) -> tuple[Bundle, dict[str, Bundle]]:
    """The bundle of a request, and that of each of its models on the same split.

    EASE's is the first one itself; the others lie in ``models/<name>`` beside the request's folder.
    Raises HarnessError for what cannot be read or does not go together.
    """
    if request.recommendations is not None or request.truth is not None:
        return own_lists(request, reporter), {}
    if request.ratings is None:
        data = load_dataset(request.dataset, reporter)
    else:
        data = read_ratings(request.ratings, reporter)
    protocol = request.protocol(data.name)

    def built(folder: Path, model: Model) -> Bundle:
        return build_bundle(data, protocol, folder, depth=request.depth, model=model, reporter=reporter)

    first = built(request.folder, ease(request.regularisation, request.float32))
    return first, {
        name: first if name == "ease" else built(request.folder.parent / "models" / name, MODELS[name]())
        for name in request.models
    }


def data_line(request: BundleRequest) -> str:
    """The data that a request would read or download."""
    if request.recommendations is not None or request.truth is not None:
        return f"Data: {request.recommendations} and {request.truth}"
    if request.ratings is not None:
        return f"Data: {request.ratings}"
    return f"Data: {whereabouts(request.dataset)}"


def own_lists(request: BundleRequest, reporter: Reporter) -> Bundle:
    """The bundle of the user's own lists and judgements."""
    if request.recommendations is None or request.truth is None:
        raise HarnessError("--recommendations and --truth go together; give both")
    if request.models:
        raise HarnessError(
            "--models needs a split to fit the models on, and lists of your own (--recommendations) come without "
            "training data; leave --models out, or give --dataset or --ratings instead of the lists"
        )
    return bundle_from_files(
        request.recommendations,
        request.truth,
        request.folder,
        threshold=request.threshold,
        depth=request.depth,
        reporter=reporter,
    )
