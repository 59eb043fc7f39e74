"""Which releases are asked: the ends, some between them, then halves of what differs."""

import pytest

from metric_harness.history.search import (
    MOST_FAILURES,
    SAMPLES,
    changes_of,
    next_places,
    open_gaps,
    samples,
    still_to_ask,
)
from metric_harness.naming.identify import ProbeAnswer


def answers(value, function="ndcg"):
    return {function: {"plain": ProbeAnswer(value), "edge": ProbeAnswer(None, "ValueError")}}


def found_out(values, everything=False):
    """Ask until nothing is left, of releases with these values (None: cannot be asked); the places asked."""
    seen, order = {}, []
    while places := next_places(len(values), seen, everything):
        assert not set(places) & set(seen)
        assert still_to_ask(len(values), seen, everything) > 0 or len(values) - 2 in places
        for place in places:
            seen[place] = None if values[place] is None else answers(values[place])
            order.append(place)
    return seen, order


@pytest.mark.parametrize("total", [1, 2, 3, 8, 9, 10, 73, 300])
def test_samples_hold_both_ends(total):
    places = samples(total)
    assert places == sorted(set(places))
    assert (places[0], places[-1]) == (0, total - 1)
    assert len(places) == min(total, SAMPLES)


@pytest.mark.parametrize("total", [2, 10, 50, 257])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.77, 1.0])
def test_a_change_is_found_between_neighbours(total, share):
    at = min(total - 1, max(1, round(share * total)))
    seen, order = found_out([0.5] * at + [0.75] * (total - at))
    assert list(changes_of("ndcg", seen)) == [(at - 1, at)]
    assert len(order) <= SAMPLES + 6


def test_every_change_is_found():
    values = [0.1] * 40 + [0.2] * 33 + [0.1] * 60 + [0.3] * 7
    seen, _ = found_out(values)
    assert list(changes_of("ndcg", seen)) == [(39, 40), (72, 73), (132, 133)]


def test_without_a_change_the_samples_do():
    _, order = found_out([0.5] * 200)
    assert order == samples(200)


def test_a_change_taken_back_between_samples_needs_all():
    values = [0.5] * 101
    values[5] = 0.9
    assert list(changes_of("ndcg", found_out(values)[0])) == []
    assert list(changes_of("ndcg", found_out(values, everything=True)[0])) == [(4, 5), (5, 6)]


def test_a_change_taken_back_at_a_sample_is_found_whole():
    values = [0.5] * 101
    values[48:53] = [0.9] * 5
    assert list(changes_of("ndcg", found_out(values)[0])) == [(47, 48), (52, 53)]


def test_releases_that_cannot_be_asked_are_passed_over():
    values = [0.5] * 30 + [None] * 2 + [0.9] * 30
    assert list(changes_of("ndcg", found_out(values)[0])) == [(29, 32)]


def test_many_failures_between_two_are_enough():
    values = [0.5] * 20 + [None] * 60 + [0.9] * 20
    seen, order = found_out(values)
    ((before, after),) = changes_of("ndcg", seen)
    assert before < 20
    assert after >= 80
    between = [place for place in order if before < place < after]
    assert len(between) <= SAMPLES + MOST_FAILURES


def test_the_first_and_the_last_that_can_be_asked_are_found():
    seen, _ = found_out([None] * 37 + [0.5] * 60 + [None] * 5)
    assert {36, 37} <= set(seen)
    assert len(seen) <= SAMPLES + 9
    assert {96, 97} <= set(seen)


def test_a_broken_newest_release_is_replaced_by_the_one_below():
    _, order = found_out([0.5] * 50 + [None])
    assert order == [*samples(51), 49]


def test_nothing_that_can_be_asked_ends():
    _, order = found_out([None] * 90)
    assert order == [*samples(90), 88]


def test_the_first_release_with_a_function_is_found_and_is_no_change():
    old, new = answers(0.5), answers(0.5) | answers(0.7, "mrr")
    silent = answers(0.5) | {"mrr": {"plain": ProbeAnswer(None, "KeyError: 'mrr'")}}
    assert list(open_gaps({0: old, 2: silent, 6: new})) == [(2, 6)]
    assert list(changes_of("mrr", {0: old, 2: silent, 6: new})) == []


def test_an_error_that_becomes_a_number_is_a_change():
    before = {"mrr": {"plain": ProbeAnswer(0.5), "edge": ProbeAnswer(None, "ZeroDivisionError")}}
    after = {"mrr": {"plain": ProbeAnswer(0.5), "edge": ProbeAnswer(0.0)}}
    assert list(open_gaps({0: before, 4: after})) == [(0, 4)]
