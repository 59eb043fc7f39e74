"""The recordings of the releases on both sides of each change tell the changes that the histories hold."""

from __future__ import annotations

import json

import pytest

from metric_harness.history.changes import read_history
from metric_harness.history.sides import FILE, otherwise, read_sides, sides, told_by
from metric_harness.libraries.describe import find_libraries
from metric_harness.naming.probes.probe import library_probes
from metric_harness.recordings.read import mark
from metric_harness.system.errors import HarnessError

LIBRARIES = find_libraries()
CHANGED = [
    key for key, one in LIBRARIES.items() if (history := read_history(one.folder)) is not None and history["changes"]
]


@pytest.mark.parametrize("key", CHANGED)
def test_the_recorded_answers_tell_every_change(key: str) -> None:
    library = LIBRARIES[key]
    history, asked = read_history(library.folder), read_sides(library.folder)
    assert history is not None
    assert set(asked) == set(sides(history["changes"])), f"metric-harness library history {key} --recordings"
    assert otherwise(history, told_by(library, history, asked)) == []


@pytest.mark.parametrize("key", CHANGED)
def test_the_recorded_probes_are_those_of_today(key: str) -> None:
    recorded = json.loads((LIBRARIES[key].folder / FILE).read_text(encoding="utf-8"))["probes"]
    now = {probe.name: mark(probe) for probe in library_probes()}
    assert recorded == {name: now.get(name) for name in recorded}


def test_an_altered_answer_is_told_otherwise() -> None:
    library = LIBRARIES["recommenders"]
    history, asked = read_history(library.folder), read_sides(library.folder)
    assert history is not None
    change = history["changes"][0]
    one = asked[change["after"]].answers[change["function"]]
    one.update(asked[change["before"]].answers[change["function"]])
    (line,) = [
        line for line in otherwise(history, told_by(library, history, asked)) if line.startswith(change["function"])
    ]
    assert line.endswith("not asked")


def test_a_damaged_file_is_named(tmp_path) -> None:
    (tmp_path / FILE).write_text('{"schema_version": 99}', encoding="utf-8")
    with pytest.raises(HarnessError, match=r"history_recordings\.json: no recordings .*schema_version 99, expected 1"):
        read_sides(tmp_path)
    assert read_sides(tmp_path / "nothing") == {}
