"""The command ``evaluate``: its page, what it prints, and the steps it tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from metric_harness.bundles.own_lists import bundle_from_files
from metric_harness.cli.app import app
from metric_harness.evaluation import local
from metric_harness.system.errors import HarnessError
from metric_reference.catalogue import CATALOGUE
from metric_reference.evaluate import evaluate
from tests.harness.evaluation.made_files import KS, VARIANTS, files, in_memory
from tests.support.evaluated import evaluate_files


def test_the_command(tmp_path: Path) -> None:
    lists, truth = files(tmp_path, ids="text")
    target = tmp_path / "values.json"
    words = ["evaluate", "--recommendations", str(lists), "--truth", str(truth), "--k", "5,10", "--quiet",
             "--variants", "hit_rate, average_precision(divide_by=min_k_relevant, sum_over=hits),coverage,mae",
             "--work", str(tmp_path / "work"), "--json", str(target),
             "--by-user", str(tmp_path / "u.parquet")]  # fmt: skip
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    page = json.loads(target.read_text(encoding="utf-8"))
    values = {row["variant"]: row for table in page["metrics"] for row in table["values"]}
    expected = in_memory(lists, truth, tmp_path / "bundle")
    hit = next(entry.variant for entry in CATALOGUE if str(entry.variant) == "hit_rate(value=any)")
    assert values["hit_rate(value=any)@10"]["value"] == pytest.approx(
        evaluate(bundle_from_files(lists, truth, tmp_path / "bundle").case, [hit], [10])["hit_rate(value=any)@10"]
    )
    assert values["coverage(of=items)@10"]["value"] == pytest.approx(expected["coverage(of=items)@10"])
    assert {"RecBole", "replay"} & {one["library"] for one in values["hit_rate(value=any)@5"]["libraries"]}
    assert "mae(over=ratings)@5" in [row["variant"] for table in page["metrics"] for row in table["not_available"]]
    assert "hit_rate@5" in done.output
    assert "rows a second" in done.output
    wrong = CliRunner().invoke(app, [*words[:5], "--variants", "nonsense"])
    assert isinstance(wrong.exception, HarnessError)


def test_the_steps_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from rich.console import Console

    from metric_harness.system.progress import Reporter

    monkeypatch.setattr(local, "SECONDS_BETWEEN_LINES", 0.0)
    text = io.StringIO()
    evaluate_files(*files(tmp_path), VARIANTS, KS, work=tmp_path / "work",
                   reporter=Reporter(False, Console(file=text, width=200)))  # fmt: skip
    said = text.getvalue()
    assert "Reading the recommendations and the truth" in said
    assert all(f" s: {title}" in said for title in local.TITLES.values())
    assert list((tmp_path / "work").iterdir()) == []
