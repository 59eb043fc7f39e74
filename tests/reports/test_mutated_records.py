"""Whatever the schema lets pass renders in every form, and a command that reads it ends with 0, 1 or a plain error."""

from __future__ import annotations

import copy
import io
import random
import traceback
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest

from metric_harness.cli.audit import rendered as rendered_audit
from metric_harness.cli.scan import rendered as rendered_scan
from metric_harness.scanning.groups import metric_groups
from metric_harness.system.terminal import Console, to_json
from metric_reports.audit.scan_text import scan_lines
from metric_reports.audit.text import audit_lines
from metric_reports.formats.diff_text import render_markdown as diff_markdown
from metric_reports.formats.diff_text import render_text as diff_text
from metric_reports.formats.paper_text import print_paper, print_short
from metric_reports.formats.screen import print_screen
from metric_reports.formats.terminal import print_table
from metric_reports.html.page import render_html
from metric_reports.record import RecordError, validate, validate_audit, validate_scan
from metric_reports.versions import SCHEMA_VERSION
from metric_reports.view.diff import diff_records
from metric_reports.view.models import print_models
from tests.reports.forms import FORMS
from tests.support.sample_audit import a_comparison, an_audit
from tests.support.sample_record import sample_record

Record = dict[str, Any]


def printed(print_them: Callable[[Any, Console], None], content: Any) -> None:
    print_them(content, Console(file=io.StringIO(), width=100))


def render_run(record: Record) -> None:
    """Every form of a comparison."""
    render_html(record)
    for render in FORMS.values():
        render(record)
    to_json(record)
    for print_them in (print_screen, print_table, print_models):
        printed(print_them, record)
    if "paper" in record:
        printed(print_paper, record["paper"])
        printed(print_short, record["paper"])
    for one, other in ((record, sample_record()), (sample_record(), record)):
        changes = diff_records(one, other)
        for text in (diff_text, diff_markdown, to_json):
            text(changes)


ODD: list[Any] = [
    None, True, 0, -1, 1, 2**53, 2**64, -(2**70), 10**400, 0.5, -0.0, 1e308, 5e-324, "", " ", "x", "nan", "inf", "-inf",
    "0", "é中", "\ud800", "\u202e[bold]", "a\nb", "x" * 5000, [], {}, [[]], [None], {"": None}, [0], ["x"],
]  # fmt: skip
"""Values that take the place of any other."""


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container and key below a value."""
    for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(inner, dict | list):
            yield from places(inner)


def mutated(sample: Record, rng: random.Random) -> Record:
    """A copy of a record with one to three changes: a value replaced, left out, doubled, or taken from elsewhere."""
    record = copy.deepcopy(sample)
    for _ in range(rng.choice((1, 1, 2, 3))):
        everywhere = list(places(record))
        names = sorted({str(key) for _, key in everywhere})  # a name first: else cells and answers are nearly all
        name = rng.choice(names)
        container, key = rng.choice([place for place in everywhere if str(place[1]) == name])
        like = [inner[other] for inner, other in everywhere if other == key and inner is not container]
        change = rng.choice(("odd", "odd", "like", "like", "left out", "doubled", "emptied", "scaled"))
        value = container[key]
        if change == "odd":
            container[key] = copy.deepcopy(rng.choice(ODD))
        elif change == "like" and like:
            container[key] = copy.deepcopy(rng.choice(like))
        elif change == "left out":
            del container[key]
        elif change == "doubled" and isinstance(value, list):
            container[key] = copy.deepcopy([*value, *value])
        elif change == "emptied" and isinstance(value, list | dict | str):
            container[key] = type(value)()
        elif change == "scaled" and isinstance(value, int | float):
            container[key] = value * rng.choice((-1, 0, 1e-300, 1000, 10**30))
    return record


def a_scan() -> Record:
    """A scan of the functions of the hand-made audit, and of others that were not audited."""
    row = {"file": "a.py", "line": 3, "name": "recall", "metric": "recall", "label": "recall", "why": ["name: recall"]}
    rows = [
        {**row, "state": "audited", "reason": None, "seconds": 1.5, "subjects": an_audit()["subjects"]},
        {**row, "name": "broken", "state": "failed", "reason": "no", "seconds": 0.1, "missing": "x", "subjects": []},
        {**row, "name": "loss", "state": "left out", "reason": "a loss", "seconds": None, "subjects": []},
    ]
    return {
        "schema_version": SCHEMA_VERSION,
        "path": "tree",
        "files": {"read": 1, "left_out": {"tests": 2}, "unread": {"b.py": "cannot be parsed"}},
        "functions": rows,
        "metrics": metric_groups(cast("Any", rows)),
        "errors": 1,
        "harness": {"version": "1.0.0"},
    }


def render_audit(record: Record) -> None:
    """Every form of an audit, or of two functions held against each other."""
    for verbose in (False, True):
        for format in ("text", "json", "issue", "sarif", "github", "markdown", "html"):
            rendered_audit(record, format, verbose)
        list(audit_lines(record, 100, verbose))


def render_scan(record: Record) -> None:
    """Every form of a scan."""
    for format in ("json", "sarif", "markdown"):
        rendered_scan(record, format)
    for verbose in (False, True):
        list(scan_lines(record, 100, verbose))


KINDS: dict[str, tuple[Callable[[], Record], Callable[[Any], Any], Callable[[Record], None]]] = {
    "run": (lambda: sample_record((5, 20)), validate, render_run),
    "audit": (an_audit, validate_audit, render_audit),
    "comparison": (a_comparison, validate_audit, render_audit),
    "scan": (a_scan, validate_scan, render_scan),
}


def broken_of(kind: str, times: int, seed: int) -> tuple[int, list[str]]:
    """How many of the mutated records pass, and which of them a renderer breaks on."""
    make, check, render = KINDS[kind]
    sample, rng, passed, broken = make(), random.Random(seed), 0, []
    check(sample)
    render(sample)
    for number in range(times):
        record = mutated(sample, rng)
        try:
            check(record)
        except RecordError:
            continue
        passed += 1
        try:
            render(record)
        except Exception as error:  # every one is a mistake of ours, and all are shown at once
            last = traceback.extract_tb(error.__traceback__)[-1]
            broken.append(f"{number}: {type(error).__name__}: {error} ({last.filename}:{last.lineno})")
    return passed, broken


@pytest.mark.parametrize("kind", KINDS)
def test_what_passes_renders(kind: str) -> None:
    passed, broken = broken_of(kind, 50, seed=7)
    assert broken == []
    assert passed > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", KINDS)
def test_what_passes_renders_at_length(kind: str, seed: int) -> None:
    passed, broken = broken_of(kind, 750, seed)
    assert broken == []
    assert passed > 150
