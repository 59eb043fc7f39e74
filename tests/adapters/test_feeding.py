"""A library's own evaluation, run end to end, gives the numbers that our subjects give for the same lists and truth."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.feeding import KEYS, K, case_of, run
from tests.support.live import LIBRARIES, Live

WITHIN = 1e-9
"""How far the two may be apart, where the library's evaluation does not print fewer digits."""


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[dict[str, Any]]]:
    """What the evaluation of a library reports, for each feeding; it runs once."""
    known: dict[str, list[dict[str, Any]]] = {}

    def report(key: str) -> list[dict[str, Any]]:
        if key not in known:
            folder: Path = tmp_path_factory.mktemp(key)
            known[key] = run(key, folder)
        return known[key]

    return report


@pytest.mark.slow
@pytest.mark.live
@pytest.mark.parametrize("key", KEYS)
def test_our_subjects_are_fed_as_the_library_feeds_itself(
    live: Live, reported: Callable[[str], list[dict[str, Any]]], key: str
) -> None:
    feedings, library = reported(key), LIBRARIES[key]
    run = [name for feeding in feedings for name in feeding["values"]]
    assert sorted([*run, *library.not_run]) == sorted(library.subjects_of(library.newest()))
    for feeding in feedings:
        case = case_of(feeding)
        ours = {name: live.ask(key, name, case, K) for name in feeding["values"]}
        assert {name: reply.error for name, reply in ours.items() if reply.error is not None} == {}
        within = feeding.get("within", WITHIN)
        assert {name: reply.value for name, reply in ours.items()} == pytest.approx(
            feeding["values"], abs=within, rel=0
        )


def test_every_library_has_a_script_and_says_what_it_runs_or_why_there_is_nothing_to_run() -> None:
    assert {key for key, library in LIBRARIES.items() if library.evaluator} == set(KEYS)
    assert {key for key, library in LIBRARIES.items() if not library.evaluator and not library.no_evaluator} == set()


def test_a_function_that_is_not_run_is_not_reported() -> None:
    for key in KEYS:
        assert set(LIBRARIES[key].not_run) <= set(LIBRARIES[key].subjects_of(LIBRARIES[key].newest()))
