"""The other forms of a record: Markdown, LaTeX, CSV, JSON; read back by parsers that others wrote."""

from __future__ import annotations

import copy
import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from metric_reports.formats.csv import COLUMNS, render_csv
from metric_reports.formats.latex import escaped, render_latex
from metric_reports.formats.markdown import render_markdown
from metric_reports.record import write_record
from tests.reports.forms import FORMS, MAKERS, NASTY, STEERING, nasty_record, shown
from tests.reports.test_reports_hostile import hostile_record
from tests.support.command import run
from tests.support.sample_record import LIBRARIES, sample_record


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("form", FORMS)
def test_no_form_steers_a_terminal_or_touches_the_record(form: str, make: Any) -> None:
    record = make()
    before = copy.deepcopy(record)
    text = FORMS[form](record)
    assert not STEERING.search(text)
    text.encode("utf-8")
    assert record == before


@pytest.mark.parametrize("form", FORMS)
def test_a_record_of_nothing(form: str) -> None:
    record = {**sample_record(), "cells": [], "subjects": [], "findings": [], "libraries": []}
    assert FORMS[form](record)


# Markdown


def test_markdown_holds_the_table() -> None:
    table, findings, definitions = shown(render_markdown(sample_record())).tables
    assert table[0] == [
        "library", "HitRate@20", "Precision@20", "Recall@20", "MRR@20", "MAP@20", "NDCG@20", "AUC",
    ]  # fmt: skip
    rows = {row[0]: dict(zip(table[0], row, strict=True)) for row in table[1:]}
    assert list(rows) == [f"{title} {release}" for title, release, _ in LIBRARIES.values()]
    assert rows["RecBole 1.2.1"]["MAP@20"].split() == ["A", "0.03927"]
    assert rows["Recommenders 1.2.1"]["MAP@20"].split() == ["A", "0.03927", "B", "0.03169", "⚠️"]
    assert rows["RecPack 0.3.6"]["MRR@20"] == "error"
    assert rows["RecPack 0.3.6"]["NDCG@20"].split() == ["?", "0.09121", "❌"]
    assert rows["Elliot git fc27efed"]["MAP@20"].split() == ["D", "~0.07299", "⚠️"]
    assert rows["Elliot git fc27efed"]["HitRate@20"] == "n/a"
    assert rows["rs_metrics 0.6.0"]["AUC"] == "–"
    assert [row[1] for row in findings[1:]][:4] == ["HR001", "NAN001", "RNG001", "UNX001"]
    assert ["average precision", "A", "AP", "average_precision", "recbole MAP; recommenders map_at_k"] in definitions


def test_markdown_has_a_table_for_each_cutoff() -> None:
    tables = shown(render_markdown(sample_record((5, 10)))).tables
    assert [table[0][1] for table in tables[:2]] == ["HitRate@5", "HitRate@10"]


@pytest.mark.parametrize("make", [hostile_record, nasty_record])
def test_hostile_texts_are_text_in_markdown(make: Any) -> None:
    text = render_markdown(make())
    seen, plain = shown(text), shown(render_markdown(sample_record()))
    assert set(seen.tags) <= set(plain.tags), "no link, image or script"
    assert len(seen.tables) == 3
    for table in seen.tables:
        assert len({len(row) for row in table}) == 1
    assert "alert(1)" in seen.tables[0][1][0]
    outside = re.sub(r"(?s)(?<![`\\])(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    assert not re.search(r"(?<!\\)@[a-z]", outside), "nobody is called"


def test_markdown_fits_a_comment() -> None:
    record = nasty_record()
    for number in range(400):
        release = f"{number} {NASTY * 3}"
        record["libraries"].append({**record["libraries"][0], "release": release})
        record["cells"] += [{**cell, "release": release} for cell in record["cells"][:8]]
        record["findings"].append({**record["findings"][0], "release": release, "code": f"ZZ{number:03}"})
    text = render_markdown(record)
    assert len(text) < 65536
    assert all(f"more {what} are left out" in text for what in ("libraries", "findings"))
    assert len(render_markdown(sample_record())) < 6000


# LaTeX


def test_latex_holds_the_table() -> None:
    text = render_latex(sample_record())
    body = text.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
    rows = [line.removesuffix(r" \\").split(" & ") for line in body.strip().splitlines()]
    assert {len(row) for row in rows} == {8}
    assert [row[0] for row in rows[:2]] == ["RecBole 1.2.1", ""], "its second AUC has a line of its own"
    assert rows[0][1] == r"0.4746\textsuperscript{a}"
    assert r"rs\_metrics 0.6.0" in [row[0] for row in rows]
    assert r"0.07299\textsuperscript{d$\dagger$}" in text
    assert r"0.09121\textsuperscript{$\ast$}" in text
    assert r"\textsuperscript{a}~AP, \texttt{average\_precision}" in text
    assert text.count(r"\begin{table*}") == text.count(r"\caption{") == 1
    assert "4 definitions of average precision" in text
    assert render_latex(sample_record((5, 10))).count(r"\label{tab:metric-harness-") == 2


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a_b & 5% #1 $x$ {y}", r"a\_b \& 5\% \#1 \$x\$ \{y\}"),
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("~^<>|", r"\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}\textbar{}"),
        ("ml-100k --- [3]", r"ml-100k -{}-{}- {[}3{]}"),
        ("Größe, café, Čapek, 中", r"Gr\"{o}\ss{}e, caf\'{e}, \v{C}apek, {[}U+4E2D{]}"),
        ("a\nb\x00", r"a b{[}U+FFFD{]}"),
    ],
)
def test_latex_escapes(text: str, written: str) -> None:
    assert escaped(text) == written


@pytest.mark.parametrize("make", MAKERS)
def test_latex_is_sound(make: Any) -> None:
    """Without a TeX: ASCII, balanced, only commands of ours, every special sign escaped."""
    text = render_latex(make())
    assert text.isascii()
    body = text.partition("\n")[2]
    commands = set(re.findall(r"\\([A-Za-z]+)", body))
    assert commands <= {
        "begin", "end", "centering", "caption", "label", "small", "footnotesize", "setlength", "tabcolsep", "toprule",
        "midrule", "bottomrule", "par", "smallskip", "linewidth", "textsuperscript", "texttt", "allowbreak", "ldots",
        "dagger", "ast", "textbackslash", "textasciitilde", "textasciicircum", "textless",
        "textgreater", "textbar", "char", "textendash",
    }  # fmt: skip
    assert re.findall(r"\\(?:begin|end)\{([a-z*]+)\}", body).count("tabular") == 2 * text.count(r"\begin{tabular}")
    bare = re.sub(r"\\[^A-Za-z]", "", body)
    depth = 0
    for sign in bare:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    assert not re.search(r"[$%#_^]", re.sub(r"\$(-|\\dagger|\\ast)\$", "", bare))
    assert not re.search(r"\\\\\s*\[", body)


@pytest.mark.parametrize("make", MAKERS)
def test_latex_compiles(make: Any, tmp_path: Path) -> None:
    engine = next(filter(None, map(shutil.which, ("pdflatex", "xelatex", "lualatex", "tectonic"))), None)
    if engine is None:
        pytest.skip("no TeX is installed; the test above checks the source alone")
    (tmp_path / "table.tex").write_text(render_latex(make()), encoding="utf-8")
    (tmp_path / "paper.tex").write_text(
        r"\documentclass{article}\usepackage{booktabs}\begin{document}\input{table}\end{document}"
    )
    options = [] if "tectonic" in engine else ["-draftmode", "-no-shell-escape", "-halt-on-error"]
    done = subprocess.run([engine, *options, "paper.tex"], cwd=tmp_path, capture_output=True, input=b"", check=False)
    assert done.returncode == 0, done.stdout[-2000:].decode(errors="replace")


# CSV


def test_csv_numbers_stay_numbers() -> None:
    record = sample_record()
    record["cells"][0].update(value=-0.25, difference="-inf")
    table = pd.read_csv(io.StringIO(render_csv(record)))
    assert (table["value"][0], table["difference"][0]) == (-0.25, float("-inf"))
    assert table["value"].dtype == float


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\n-1", "\uff1d1"])
def test_no_text_of_a_csv_is_a_formula(start: str) -> None:
    record = sample_record()
    for name in ("library", "release", "function", "metric", "variant", "error"):
        record["cells"][0][name] = start
    first = next(csv.DictReader(io.StringIO(render_csv(record))))
    assert [first[name] for name in ("library", "release", "function", "metric", "variant", "error")] == [
        f"'{start}"
    ] * 6


def test_a_hostile_csv_keeps_its_shape() -> None:
    rows = list(csv.reader(io.StringIO(render_csv(nasty_record()))))
    assert {len(row) for row in rows} == {len(COLUMNS)}
    assert len(rows) == len(sample_record()["cells"]) + 1


# The command


@pytest.fixture
def run_json(tmp_path: Path) -> Path:
    write_record(sample_record(), tmp_path / "run.json")
    return tmp_path / "run.json"


def test_forms_go_to_standard_output_or_a_file(run_json: Path, tmp_path: Path) -> None:
    indented = json.dumps(json.loads(run_json.read_text()), indent=1, ensure_ascii=False)
    expected = {form: render(sample_record()) for form, render in FORMS.items()} | {"json": indented}
    for form, text in expected.items():
        done = run("report", "--format", form, str(run_json))
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.rstrip("\n") == text.rstrip("\n"), form
    target = tmp_path / "deep" / "table.tex"
    assert (
        run("report", "write", str(run_json), "--format", "latex", "--out", str(target)).stdout == f"Report: {target}\n"
    )
    assert target.read_text() == expected["latex"]


def test_the_page_goes_beside_the_record(run_json: Path) -> None:
    done = run("report", str(run_json))
    assert done.stdout == f"Report: {run_json.with_name('report.html')}\n"
    assert run_json.with_name("report.html").read_text().lower().startswith("<!doctype html>")


def test_mistakes_are_one_line(run_json: Path, tmp_path: Path) -> None:
    assert not list(tmp_path.glob("*.part"))
    for arguments, message in (
        ([str(run_json), "--format", "pdf"], "html, markdown, csv, json, sarif, latex"),
        ([str(run_json), "--format", "csv", "--out", str(tmp_path)], "it is a folder; name a file in it"),
        ([str(tmp_path / "none.json")], "no such file"),
    ):
        done = run("report", *arguments)
        assert (done.returncode, done.stdout, len(done.stderr.strip().splitlines())) == (2, "", 1)
        assert message in done.stderr
    assert "diff" in run("report", "--help").stdout
