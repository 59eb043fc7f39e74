"""``evaluate_files`` and ``evaluate_frames`` with all that they take as keywords, as tests of many options want it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from metric_harness.evaluation import evaluate
from metric_harness.evaluation.request import EvaluationRequest, Resources

OF_RESOURCES = ("memory", "work", "parts")
OF_REQUEST = ("threshold", "users", "strict")


def evaluate_files(recommendations: Path, truth: Path, variants: Any, ks: Any, **options: Any) -> evaluate.Evaluation:
    resources = Resources(**{name: options.pop(name) for name in OF_RESOURCES if name in options})
    request = requested(variants, ks, options)
    return evaluate.evaluate_files(recommendations, truth, request, resources=resources, **options)


def evaluate_frames(recommendations: Any, truth: Any, variants: Any, ks: Any, **options: Any) -> evaluate.Evaluation:
    from metric_harness.evaluation import spark

    return spark.evaluate_frames(recommendations, truth, requested(variants, ks, options), **options)


def requested(variants: Any, ks: Any, options: dict[str, Any]) -> EvaluationRequest:
    """The request; what is of it is taken out of the options."""
    chosen = {name: options.pop(name) for name in OF_REQUEST if name in options}
    return EvaluationRequest(variants=variants, ks=ks, **chosen)
