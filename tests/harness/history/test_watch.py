"""The watch finds what planted releases changed since a known one, and says nothing twice."""

import json
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from metric_harness.cli.app import app
from metric_harness.history import watch as room
from metric_harness.history.ask import Asking
from metric_harness.history.watch import in_first_way, known_release, new_issues
from metric_harness.naming.options import Options
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reports.formats.atom import NAMESPACE, atom
from tests.support.toy_releases import CHANGED, NOT_IMPORTED

CHANGE = {
    "function": "RetrievalNormalizedDCG",
    "metric": "ndcg",
    "before": "1.1.1",
    "before_day": "2023-08-29",
    "after": "1.1.2",
    "after_day": "2023-09-11",
    "untried": [],
    "variants": [],
    "edges": {"ties": ["unspecified", "expected"]},
    "probe": "ties_ascending",
    "k": 3,
    "values": [0.21, None],
    "errors": [],
    "packages": {},
}
ENTRY = {
    "day": "2026-11-25",
    "library": "toy",
    "name": "Toy <1>",
    "distribution": "toy-history",
    "since": "1.1.1",
    "newest": "1.13",
    "changes": [CHANGE],
    "refused": {},
    "error": "",
    "files": [],
}


def watch(toy, *arguments):
    folder = toy.folder.parent
    return CliRunner().invoke(app, ["library", "watch", "toy", "--adapters", str(folder), "-q", *arguments])


def entries_of(feed):
    return ElementTree.fromstring(feed).findall(f"{{{NAMESPACE}}}entry")


def test_a_run_begins_where_the_last_one_ended(toy):
    assert known_release(toy, []) == "1.12"
    assert known_release(toy, [ENTRY]) == "1.13"
    assert known_release(toy, [{**ENTRY, "refused": {"1.13": "it is broken"}}]) == "1.12"
    assert known_release(toy, [{**ENTRY, "error": "no network"}]) == "1.12"
    assert known_release(toy, [{**ENTRY, "library": "another"}]) == "1.12"


def test_an_entry_of_the_feed_says_what_changed_and_keeps_its_name():
    (one,), (again,) = entries_of(atom([ENTRY])), entries_of(atom([{**ENTRY, "day": "2027-01-01"}]))
    texts = {part.tag.partition("}")[2]: part.text for part in one}
    assert texts["title"] == "Toy <1> 1.1.2: RetrievalNormalizedDCG: ties changed"
    assert texts["updated"] == "2023-09-11T00:00:00Z"
    assert "ties: unspecified -> expected" in texts["content"]
    assert "k = 3: 0.21 -> an error" in texts["content"]
    assert texts["id"] == again.findtext(f"{{{NAMESPACE}}}id")
    assert entries_of(atom([])) == []


def test_without_a_newer_release_there_is_one_line(toy, tmp_path):
    ran = watch(toy, "--out", str(tmp_path))
    assert (ran.exit_code, ran.stdout) == (0, "1 library: 0 with a newer release, 0 changed\n")
    assert json.loads((tmp_path / "watch.json").read_text())["entries"] == []


@pytest.mark.slow
def test_a_change_since_an_earlier_release_is_found_and_a_broken_one_costs_its_row(toy, tmp_path):
    ran = watch(toy, "--since", "1.4", "--out", str(tmp_path))
    assert ran.exit_code == 1, ran.output
    assert "Toy 1.4 -> 1.12" in ran.stdout
    assert f"{NOT_IMPORTED} could not be asked: RuntimeError: this release is broken" in ran.stdout
    (entry,) = json.loads((tmp_path / "watch.json").read_text())["entries"]
    (change,) = [row for row in entry["changes"] if row["function"] == "average_precision"]
    assert (change["before"], change["after"]) == ("1.4", CHANGED)
    assert len(entries_of((tmp_path / "feed.atom").read_text())) == len(entry["changes"])
    assert entry["files"] == ["recordings/toy/1.12.json"]
    recording = json.loads((tmp_path / "recordings" / "toy" / "1.12.json").read_text())
    assert (recording["release"], set(recording["subjects"])) == ("1.12", {"average_precision", "precision"})
    again = watch(toy, "--out", str(tmp_path))
    assert again.stdout == "1 library: 0 with a newer release, 0 changed\n"
    assert len(json.loads((tmp_path / "watch.json").read_text())["entries"]) == 1


@pytest.mark.slow
def test_an_error_or_warning_that_the_known_release_had_not_is_an_issue(toy):
    asking, options = Asking(toy, [toy]), Options(adapters=(toy.folder.parent,))
    back = {**ENTRY, "since": CHANGED, "newest": "1.4"}
    ((file, text),) = new_issues(asking, back, options).items()
    assert file == "toy-1.4-average_precision.md"
    assert text.startswith("# `average_precision`: ")
    assert "average precision divides by k" in text
    assert new_issues(asking, {**back, "since": "1.3"}, options) == {}


def test_a_release_is_used_in_the_first_way_that_can_be(toy, monkeypatch):
    """The pins of the newest release may exclude an old one, whose requirements as of its day can be installed."""
    monkeypatch.setattr(room, "date_of", lambda *arguments: "2024-02-16")
    monkeypatch.setattr(room, "ways", lambda *arguments: iter(["pinned", "older", "dated"]))
    asking, asked = Asking(toy, [toy], 0, False, Reporter(quiet=True)), []

    def use(release):
        asked.append(release)
        if release == "pinned":
            raise HarnessError("numpy==2 and this release are incompatible")
        return f"used {release}"

    assert in_first_way(asking, "1.0", use) == "used older"
    assert asked == ["pinned", "older"]
    monkeypatch.setattr(room, "ways", lambda *arguments: iter(["pinned", "pinned"]))
    with pytest.raises(HarnessError, match="numpy==2"):
        in_first_way(asking, "1.0", use)
