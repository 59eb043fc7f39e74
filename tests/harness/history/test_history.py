"""A library's history, from real installations of planted releases: no network, no stand-ins."""

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console
from typer.testing import CliRunner

from metric_harness.cli.app import app
from metric_harness.history.ask import Asking, ask_release, kept_at
from metric_harness.history.bisection import ask_releases
from metric_harness.history.changes import history_of, read_history
from metric_harness.history.recipes import neighbours, ways
from metric_harness.history.releases import releases_of
from metric_harness.libraries.describe import find_libraries
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from tests.support.toy_releases import (
    CHANGED,
    NAME,
    NOT_IMPORTED,
    NOT_INSTALLED,
    TAKEN_BACK,
    VERSIONS,
)

HERE = "3.11"


def run(toy, *arguments):
    return CliRunner().invoke(app, ["library", "history", "toy", "--adapters", str(toy.folder.parent), *arguments])


class Said(Reporter):
    """A reporter that keeps what it says, and is interrupted where a line begins so."""

    def __init__(self, until: str | None = None):
        super().__init__(quiet=False, verbose=True, console=Console(file=io.StringIO(), force_terminal=False))
        self.said, self.until = [], until

    def say(self, text):
        self.said.append(text)
        if self.until and text.startswith(self.until):
            raise KeyboardInterrupt


@pytest.mark.thorough
def test_the_releases_of_the_index(toy):
    assert releases_of(NAME, HERE) == VERSIONS
    assert releases_of(NAME, HERE, "1.9.5", "1.11") == ["1.10", "1.11"]
    with pytest.raises(HarnessError, match="no release from 3 to now"):
        releases_of(NAME, HERE, "3")
    with pytest.raises(HarnessError, match="--to latest: that is no version"):
        releases_of(NAME, HERE, None, "latest")
    with pytest.raises(HarnessError, match="nobody-has-this: pip lists no releases: ERROR: No matching distribution"):
        releases_of("nobody-has-this", HERE)


def test_a_dry_run_lists_the_releases(toy):
    ran = run(toy, "--dry-run", "--from", "1.3")
    assert ran.exit_code == 0
    assert ran.stdout.splitlines()[0] == f"{NAME}: 10 releases; * are asked first"
    assert ran.stdout.splitlines()[1] == "* 1.3"
    assert not (toy.folder.parent.parent / "cache" / "environments").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--function", "ndcg"], "--function ndcg: toy has average_precision, precision"),
        (["--write", "--function", "precision"], "--write holds all functions of a library; leave --function out"),
        (["--from", "x"], "--from x: that is no version; write for example 1.2.0"),
    ],
)
def test_what_cannot_be_is_refused(toy, arguments, said):
    assert str(run(toy, *arguments).exception) == said


def test_a_release_is_put_together_as_the_next_described_one(toy):
    (first, *_) = ways(toy, "1.4", "", [toy])
    assert [each.version for each in neighbours(toy, "1.4")] == ["1.12"]
    assert first.requirements[1:] == (f"{NAME}==1.4",)
    assert first.requirements[0] == toy.newest().requirements[0]
    known = find_libraries()
    haystack = known["haystack"]
    asked = next(iter(ways(haystack, "3.1.0", "", known.values())))
    names = {each.partition("==")[0] for each in asked.requirements}
    assert "haystack-ai==3.1.0" in asked.requirements
    assert not names & {"llama-index-core", "mlflow-skinny", "ragas"}
    assert [each.version for each in neighbours(haystack, "2.21.0")] == ["3.4.0", "2.20.0"]


def test_a_release_for_a_python_that_is_missing_is_asked_again(toy):
    old = replace(toy.newest(), version="1.0", python=">=9.9")
    asking = Asking(replace(toy, releases=(old, *toy.releases)), [toy])
    assert "needs Python >=9.9, none found" in ask_release(asking, "1.0").error
    assert not kept_at(asking, "1.0").exists()


@pytest.mark.slow
def test_the_changes_are_found_and_go_on_after_an_interruption(toy):
    stopped = Said(until="Toy 1.3: environment built")
    with pytest.raises(KeyboardInterrupt):
        ask_releases(Asking(toy, [toy], reporter=stopped), VERSIONS)
    environments = toy.folder.parent.parent / "cache" / "environments"
    assert not [path for path in environments.iterdir() if path.is_dir()]
    again = Said()
    asked = ask_releases(Asking(toy, [toy], reporter=again), VERSIONS)
    assert "Toy 1.0: building its environment" in stopped.said
    assert "Toy 1.0: building its environment" not in again.said
    assert "Toy 1.3: building its environment" in again.said
    assert not list(environments.iterdir())

    history = history_of(toy, VERSIONS, asked)
    (change,) = history["changes"]
    assert (change["function"], change["before"], change["after"]) == ("average_precision", "1.4", CHANGED)
    assert change["variants"] == ["average_precision(divide_by=k)", "average_precision(divide_by=min_k_relevant)"]
    assert change["values"][0] < change["values"][1]
    assert (change["packages"], change["errors"]) == ({}, [])
    assert history["functions"] == {"average_precision": "1.0", "precision": "1.0"}
    assert set(history["refused"]) == {NOT_INSTALLED, NOT_IMPORTED}
    assert history["refused"][NOT_IMPORTED] == "RuntimeError: this release is broken"
    assert "nobody-has-this" in history["refused"][NOT_INSTALLED]
    assert TAKEN_BACK not in history["asked"]


@pytest.mark.slow
def test_every_release_shows_what_was_taken_back(toy):
    ran = run(toy, "--all", "--json", "--quiet", "--jobs", "2", "--write")
    assert ran.exit_code == 0
    history = json.loads(ran.stdout)
    assert read_history(toy.folder) == history
    assert [(one["function"], one["before"], one["after"]) for one in history["changes"]] == [
        ("average_precision", "1.4", CHANGED),
        ("precision", "1.6", TAKEN_BACK),
        ("precision", TAKEN_BACK, "1.8"),
    ]
    assert len(history["asked"]) == len(VERSIONS) - 2
    printed = run(toy, "--all", "--quiet", "--function", "precision")
    assert printed.exit_code == 0
    assert "computes      precision(divide_by=k) -> precision(divide_by=list)" in printed.stdout
    assert "average_precision" not in printed.stdout
    assert f"  {NOT_IMPORTED}  RuntimeError: this release is broken" in printed.stdout


@pytest.mark.slow
def test_a_limit_of_time_tells_what_is_known(toy):
    ask_release(Asking(toy, [toy]), "1.4")
    ask_release(Asking(toy, [toy]), "1.6")
    ran = run(toy, "--minutes", "0", "--json", "--quiet", "--from", "1.4", "--to", "1.6")
    (change,) = json.loads(ran.stdout)["changes"]
    assert (change["before"], change["after"]) in {("1.4", "1.6"), ("1.4", CHANGED)}
    assert change["untried"] == (["1.5"] if change["after"] == "1.6" else [])


@pytest.mark.slow
def test_an_environment_that_was_there_stays(toy, tmp_path, monkeypatch):
    from metric_harness.libraries.environments import environment_for, find_environment

    environment_for(toy, toy.newest())
    ask_release(Asking(toy, [toy], fresh=True), toy.newest().version)
    assert find_environment(toy, toy.newest()) is not None


@pytest.mark.slow
def test_no_release_that_can_be_asked_is_an_error(toy):
    ran = run(toy, "--from", NOT_INSTALLED, "--to", NOT_INSTALLED, "--quiet")
    assert ran.exit_code != 0
    assert str(ran.exception).startswith("toy: no release could be asked:\n1.2: ")
