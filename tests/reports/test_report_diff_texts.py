"""The differences of two records as texts: hostile words stay text, long ones are cut, exit codes say what came out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from metric_reports.formats.diff_text import render_markdown, render_text
from metric_reports.record import write_record
from metric_reports.view.diff import diff_records
from tests.reports.forms import NASTY, STEERING, shown
from tests.reports.test_report_diff import after, another_bundle, changed_parts, of
from tests.support.command import run
from tests.support.sample_record import sample_record


def everything(record: dict[str, Any]) -> None:
    of(record["subjects"], "MAP")["variant"] = NASTY
    of(record["subjects"], "NDCG")["edges"] = {"no_list": NASTY, NASTY: "zero"}
    of(record["cells"], "Hit")["value"] = 0.9
    record["subjects"].append({**record["subjects"][0], "function": NASTY, "library": NASTY})
    record["libraries"].append({**record["libraries"][0], "name": NASTY, "release": NASTY})
    record["findings"].append({**record["findings"][0], "title": NASTY, "function": NASTY})
    record["created"] = NASTY
    record["bundle"][NASTY] = NASTY


@pytest.mark.parametrize("old_is_hostile", [False, True])
def test_hostile_texts_stay_text(old_is_hostile: bool) -> None:
    hostile = sample_record()
    everything(hostile)
    pair = (hostile, sample_record()) if old_is_hostile else (sample_record(), hostile)
    found = diff_records(*pair)
    wanted = {"libraries", "variants", "edges", "values"}
    wanted |= {"subjects.removed", "findings.gone"} if old_is_hostile else {"subjects.added", "findings.new"}
    assert changed_parts(found) == wanted
    text = render_text(found)
    assert not STEERING.search(text)
    plain = after(another_bundle)
    known = set(shown(render_markdown(plain)).tags) | {"details", "summary", "ul", "li", "code", "p", "h3"}
    markdown = render_markdown(found)
    assert not STEERING.search(markdown)
    assert set(shown(markdown).tags) <= known
    assert markdown.count("<details") == markdown.count("</details>") == len(wanted)
    text.encode("utf-8")


@pytest.mark.slow
def test_markdown_fits_a_comment() -> None:
    def change(record: dict[str, Any]) -> None:
        twins = [{**record["subjects"][0], "function": f"f{n} {NASTY}"} for n in range(2000)]
        record["subjects"] += twins
        record["findings"] += [{**record["findings"][0], "function": twin["function"]} for twin in twins]

    markdown = render_markdown(after(change))
    assert len(markdown) < 65536
    assert "more changes are left out" in markdown
    assert "Functions added (2000)" in markdown


def test_exit_codes_and_formats(tmp_path: Path) -> None:
    old, new, out = (str(tmp_path / name) for name in ("old.json", "new.json", "diff.md"))
    write_record(sample_record(), Path(old))
    record = sample_record()
    of(record["cells"], "MAP")["value"] = 0.5
    write_record(record, Path(new))
    same = run("report", "diff", old, old)
    assert (same.returncode, same.stdout.splitlines()[0]) == (0, "Nothing changed")
    assert (run("report", "diff", old, new).returncode, run("report", "diff", new, old).returncode) == (1, 1)
    found = run("report", "diff", old, new, "--format", "json")
    assert (found.returncode, json.loads(found.stdout)) == (1, diff_records(sample_record(), record))
    assert run("report", "diff", old, new, "--format", "markdown", "--out", out).stdout == f"Report: {out}\n"
    assert Path(out).read_text() == render_markdown(diff_records(sample_record(), record))
    for arguments, message in (
        ([old, str(tmp_path / "none")], "no such file"),
        ([old, new, "--format", "csv"], "json"),
    ):
        failed = run("report", "diff", *arguments)
        assert (failed.returncode, message in failed.stderr, "Traceback" in failed.stderr) == (2, True, False)
