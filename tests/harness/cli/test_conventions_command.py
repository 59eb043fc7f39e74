"""``metric-harness explain conventions``: the list, the page made from it, and what is said of an unknown name."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from metric_adapters.calls.packages import Shown
from metric_adapters.calls.table import CALLS, by_name, entries
from metric_harness.cli.app import app
from tests.support.places import ROOT

PAGE = ROOT / "docs" / "conventions.md"


def run(*arguments):
    return CliRunner().invoke(app, ["explain", "conventions", *arguments], env={"COLUMNS": "200"})


def test_the_page_is_current():
    """Made by: metric-harness explain conventions --format markdown > docs/conventions.md."""
    assert PAGE.read_text(encoding="utf-8") == run("--format", "markdown").stdout


def test_every_convention_has_a_line_and_an_example():
    listed = entries()
    assert {each.name for each in CALLS} < {entry.name for entry in listed}
    assert len({entry.name for entry in listed}) == len(listed)
    for entry in listed:
        assert entry.example.startswith("metric(")
        assert entry.example.endswith(", k=2)")
        assert "object at" not in entry.example
        assert entry.about.endswith(".")
    examples = {entry.name: entry.example for entry in listed}
    assert examples["relevant,recommended:sets"] == "metric({1}, [3, 1], k=2)"
    assert examples["y_score,item"] == "metric([-0.5, 0.5, -1.5, 0.9], 1, k=2)"
    assert examples["recommended,item:tensor-column"] == "metric(tensor([[3, 1], [2, 0]]), tensor([[1], [2]]), k=2)"
    assert examples["rank:flat"] == "metric(array([2, 1]), k=2)"
    assert examples["y_true,y_score:pairs"].startswith("metric([(0, -0.5), (1, 0.5),")
    assert repr(Shown("x")) == "x"


def test_the_list_is_searched():
    shown = run("--search", "csr").stdout
    assert "Sparse matrices\n\n  y_true,y_score:csr\n      0 or 1 for each item" in shown
    assert "metric(csr_matrix([[0.0, 1.0, 0.0, 0.0]" in shown
    rows = json.loads(run("--search", "csr", "--format", "json").stdout)
    groups = {"Features, and the relevant items", "Sparse matrices", "Sparse matrices of ranks"}
    assert {row["group"] for row in rows} == groups
    assert "no convention holds that text" in str(run("--search", "xyzzy").exception)
    assert "give one of text, markdown, json" in str(run("--format", "yaml").exception)


def test_an_unknown_name_is_answered_with_near_names_and_all_names():
    with pytest.raises(ValueError, match="is no convention") as refused:
        by_name("relevant,reccomended:set")
    said = str(refused.value)
    assert "Did you mean relevant,recommended:sets or " in said
    assert "`metric-harness explain conventions` explains each" in said
    assert "relevant,recommended (:sets :arrays :tensors" in said
    assert "truth_frame,prediction_frame with (:COLUMNS :text-frames:COLUMNS" in said


def test_audit_names_the_list():
    shown = CliRunner().invoke(app, ["audit", "--help"], env={"COLUMNS": "200", "TERM": "dumb"}).stdout
    assert "metric-harness explain conventions" in " ".join(shown.split())
