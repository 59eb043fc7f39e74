"""What other forms of a record say beside its table: the models, the paper's tables, the signatures."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from metric_reports.formats.diff_text import render_markdown as diff_markdown
from metric_reports.formats.diff_text import render_text
from metric_reports.formats.latex import render_latex
from metric_reports.formats.markdown import render_markdown
from metric_reports.formats.sarif import render_sarif
from metric_reports.record import validate
from metric_reports.view.diff import diff_records
from tests.reports.forms import RULES
from tests.reports.test_matters import compared

SIGNED = "average_precision@20|users:truth|norel:0|mh:1.0#12345678"


@pytest.fixture
def record() -> dict[str, Any]:
    """Two models, one table of the paper, one signature."""
    made = compared(0.99)
    cell = next(one for one in made["cells"] if one["library"] == "recbole" and one["function"] == "MAP")
    cell.update(signature=SIGNED, signature_short=SIGNED)
    shown = {"value": 0.039, "how": "measured", "variant": "average_precision", "reason": None}
    published = {
        **shown,
        "published": 0.041,
        "text": None,
        "digits": 3,
        "function": "MAP",
        "newest_function": None,
        "newest": None,
        "kind": None,
        "why": None,
        "difference": -0.002,
        "verdict": "contradicted",
    }
    row = {
        "library": "RecBole",
        "release": "0.2.1",
        "newest": "1.2.1",
        "note": None,
        "cells": {"average_precision": published},
    }
    made["paper"] = {
        "k": 20,
        "same_data": False,
        "claims": [],
        "title": "Quality metrics",
        "address": "https://a.org",
        "articles": {"counts": {}, "known": []},
        "tables": [
            {"name": "Table 1", "title": "At 20 & more", "columns": ["average_precision", "ndcg"], "rows": [row]}
        ],
    }
    return validate(made)


def test_markdown(record: dict[str, Any]) -> None:
    text = render_markdown(record)
    assert "**Does it matter here?** Yes: which of EASE and Popularity is ahead depends on" in text
    assert "EASE and Popularity swap places, beyond the luck of these users |" in text
    assert "**The paper's tables**: 1 contradicted" in text
    assert "| RecBole | 0.04100 / 0.03900 \\! | – |" in text
    assert "<summary>Signatures (1)</summary>" in text
    assert f"| `{SIGNED.replace('|', chr(92) + '|')}` | `recbole MAP` |" in text


def test_latex(record: dict[str, Any]) -> None:
    text = render_latex(record)
    assert r"\label{tab:metric-harness-models}" in text
    assert r"MAP@20 & 0.0200 to 0.0400 (2) & 0.0360 to 0.0440 & EASE and Popularity swap places" in text
    assert r"\label{tab:metric-harness-paper-1}" in text
    assert r"RecBole & 0.04100 / 0.03900 ! & \textendash{} \\" in text
    assert r"At 20 \& more" in text


def test_sarif(record: dict[str, Any]) -> None:
    run = json.loads(render_sarif(record, RULES))["runs"][0]
    (signed,) = [one for one in run["properties"]["subjects"] if one["signatures"]]
    assert (signed["target"], signed["signatures"]) == ("recbole:MAP", [SIGNED])
    assert run["properties"]["models"]["answer"].startswith("Yes: ")
    assert run["properties"]["models"]["metrics"][0]["interval"] == "0.0360 to 0.0440"
    assert run["properties"]["paper"] == {"Table 1": {"RecBole": {"average_precision": "contradicted"}}}


def test_diff(record: dict[str, Any]) -> None:
    new = copy.deepcopy(record)
    assert not diff_records(record, new)["changed"]
    cell = next(one for one in new["cells"] if one.get("signature"))
    cell["signature_short"] = SIGNED.replace("norel:0", "norel:1")
    new["models"]["metrics"][0]["variants"][1]["order"] = [["ease"], ["popularity"]]
    new["paper"]["tables"][0]["rows"][0]["cells"]["average_precision"]["verdict"] = "reproduced"
    found = diff_records(record, validate(new))
    text = render_text(found)
    assert text.startswith("Changed: 1 signature, 1 order of models and 1 verdict on the paper\n")
    assert "recbole==1.2.1:MAP k=20: average_precision@20|users:truth|norel:0" in text
    assert "average_precision(divide_by=relevant) k=20: popularity > ease -> ease > popularity" in text
    assert "Table 1, RecBole, average_precision: contradicted -> reproduced" in text
    assert "<details open><summary>Orders of models changed (1)</summary>" in diff_markdown(found)
    bare = copy.deepcopy(record)
    del bare["models"], bare["paper"]
    assert not diff_records(bare, record)["changed"], "a record that says nothing of models has changed nothing"
