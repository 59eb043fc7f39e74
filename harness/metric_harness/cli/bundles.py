"""The bundles that the options of a command ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from metric_harness.bundles.build import Bundle, build_bundle, bundle_from_files
from metric_harness.cli.matching import say_matching
from metric_harness.data.datasets import load_dataset, read_ratings, whereabouts
from metric_harness.data.split import Protocol, default_protocol
from metric_harness.models.simple import MODELS, Model, ease
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter


@dataclass(frozen=True, kw_only=True)
class BundleRequest:
    """The data and the models of a comparison, as the options of a command give them.

    recommendations, truth : the user's own lists and judgements; else ``ratings`` or ``dataset`` are split.
    threshold, method, test_fraction, seed : of the split; None stands for the data set's default.
    depth : length of each list. regularisation, float32 : of EASE. models : names of models fitted on the same split.
    strict : whether own lists whose ids hardly match are an error.
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
    strict: bool = False

    def protocol(self, data: str) -> Protocol:
        """The default protocol of a data set, changed as the options say."""
        choices: dict[str, Any] = {
            "threshold": self.threshold,
            "method": self.method,
            "test_fraction": self.test_fraction,
            "seed": self.seed,
        }
        changes = {name: value for name, value in choices.items() if value is not None}
        return replace(default_protocol(data), **changes)


def requested_bundles(request: BundleRequest, reporter: Reporter) -> tuple[Bundle, dict[str, Bundle]]:
    """The bundle of EASE, or of the user's own lists, and the bundle of each of ``request.models``, by name.

    Bundles of models other than EASE lie in ``models/<name>`` beside the request's folder. Raises HarnessError for
    files that cannot be read and options that exclude each other.
    """
    if request.recommendations is not None or request.truth is not None:
        return own_lists(request, reporter), {}
    if request.ratings is None:
        data = load_dataset(request.dataset, reporter)
    else:
        data = read_ratings(request.ratings, reporter)
    protocol = request.protocol(data.name)

    def build(folder: Path, model: Model) -> Bundle:
        return build_bundle(data, protocol, folder, depth=request.depth, model=model, reporter=reporter)

    of_ease = build(request.folder, ease(request.regularisation, request.float32))
    return of_ease, {
        name: of_ease if name == "ease" else build(request.folder.parent / "models" / name, MODELS[name]())
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
    bundle = bundle_from_files(
        request.recommendations,
        request.truth,
        request.folder,
        threshold=request.threshold,
        depth=request.depth,
        strict=request.strict,
        reporter=reporter,
    )
    say_matching(bundle.manifest["lists"]["matching"])
    return bundle
