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
def reported(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, Any]]:
    """What the evaluation of a library reports; it runs once."""
    known: dict[str, dict[str, Any]] = {}

    def report(key: str) -> dict[str, Any]:
        if key not in known:
            folder: Path = tmp_path_factory.mktemp(key)
            known[key] = run(key, folder)
        return known[key]

    return report


@pytest.mark.slow
@pytest.mark.live
@pytest.mark.parametrize("key", KEYS)
def test_our_subjects_are_fed_as_the_library_feeds_itself(
    live: Live, reported: Callable[[str], dict[str, Any]], key: str
) -> None:
    answer, library = reported(key), LIBRARIES[key]
    assert {*answer["values"], *library.not_run} == set(library.subjects_of(library.newest()))
    case = case_of(answer)
    ours = {name: live.ask(key, name, case, K) for name in answer["values"]}
    assert {name: reply.error for name, reply in ours.items() if reply.error is not None} == {}
    within = answer.get("within", WITHIN)
    assert {name: reply.value for name, reply in ours.items()} == pytest.approx(answer["values"], abs=within, rel=0)


def test_every_live_library_of_recommenders_has_a_script_and_says_what_it_runs() -> None:
    assert {key for key, library in LIBRARIES.items() if library.evaluator} == set(KEYS)
    asked_by_default = {key for key, library in LIBRARIES.items() if library.of_paper() or library.live}
    assert asked_by_default <= set(KEYS)


def test_a_function_that_is_not_run_is_not_reported() -> None:
    for key in KEYS:
        assert set(LIBRARIES[key].not_run) <= set(LIBRARIES[key].subjects_of(LIBRARIES[key].newest()))
