"""What a metric consists of: a test fails for each part that is missing and names the file to edit."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from metric_harness.naming.probes.probe import core_probes
from metric_reference import metrics
from metric_reference.catalogue import CATALOGUE
from metric_reference.metric import Metric
from metric_reference.registry import METRICS, MODULES
from metric_reference.variant import RANKING, UNINTENDED, space
from metric_reports.view.words import METRICS as WORDS
from tests.support import literal
from tests.support.places import ROOT

FOLDER = Path(metrics.__file__).parent
NO_METRIC = {"areas.curves", "areas.standing", "beyond_accuracy.exposure"}
"""Files beside the metrics that hold what several of them share."""


def test_every_file_with_a_metric_is_registered() -> None:
    files = {".".join(path.relative_to(FOLDER).with_suffix("").parts) for path in FOLDER.rglob("*.py")}
    missing = {name for name in files if not name.endswith("__init__")} - NO_METRIC - set(MODULES)
    assert not missing, f"reference/metric_reference/registry.py: MODULES lacks {', '.join(sorted(missing))}"


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_complete(name: str) -> None:
    kind = METRICS[name]
    file = Path(inspect.getfile(kind)).relative_to(ROOT)
    assert kind.about, f"{file}: {kind.__name__}.about is missing"
    assert kind.__doc__, f"{file}: {kind.__name__} has no docstring"
    for method in ("parts", "bounds", "formula"):
        assert getattr(kind, method) is not getattr(Metric, method), f"{file}: {kind.__name__}.{method} is missing"
    assert name in literal.KNOWN, f"tests/support/literal: {name} has no twin"
    rows = [entry for entry in CATALOGUE if entry.variant.metric.name == name]
    assert rows, f"reference/metric_reference/catalogue.json: no row for {name}, and so no source"


@pytest.mark.parametrize("name", RANKING)
def test_a_ranking_metric_is_known_to_the_reports_and_the_probes(name: str) -> None:
    script = (ROOT / "reports/metric_reports/html/templates/variants.js").read_text(encoding="utf-8")
    assert re.search(rf"^    {name}: {{$", script, re.MULTILINE), (
        f"reports/metric_reports/html/templates/variants.js: METRICS lacks {name}"
    )
    assert name in WORDS, f"reports/metric_reports/view/words.py: METRICS lacks {name}"
    assert any(not probe.metrics or name in probe.metrics for probe in core_probes()), (
        f"harness/metric_harness/naming/probes/probes.toml: {name}"
    )
    assert all(variant.metric.bounds(5) for variant in space(name))


def test_what_is_not_intended_is_not_among_the_metrics_of_rankings() -> None:
    assert not set(RANKING) & set(UNINTENDED)
