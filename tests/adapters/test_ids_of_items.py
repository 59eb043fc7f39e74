"""Items are handed over under the ids of the data, and a change of what was handed over is seen."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from metric_adapters.calls.table import CALLS, OF_LABELS
from metric_adapters.own import subjects
from metric_reference.case import case_from_lists
from tests.adapters.test_calling_styles import FOUND, N_ITEMS, STYLES, random_case

IDS = np.array([0, 5, 2**24 + 1, 2**24 + 2, 2**31, 2**33 + 1, *range(7, 7 + N_ITEMS - 6)], dtype=np.int64)
PRESENTED = {
    "relevant,recommended": ([2**24 + 1, 2**31], [2**24 + 2, 0]),
    "recommended,relevant:sets": ([2**24 + 2, 0], {2**24 + 1, 2**31}),
    "grades,recommended": ({2**24 + 1: 2.0, 2**31: 5.0}, [2**24 + 2, 0]),
    "relevant,recommended:strings": (["0000016777217", "0002147483648"], ["0000016777218", "0000000000000"]),
    "relevant,recommended:dicts": ({0: [2**24 + 1, 2**31], 1: [5]}, {0: [2**24 + 2, 0], 1: [5]}),
    "qrels,run": (
        {"0": {"16777217": 2.0, "2147483648": 5.0}, "1": {"5": 3.0}},
        {"0": {"16777218": 0.9, "0": 0.5}, "1": {"5": 0.7}},
    ),
    "scored,relevant": ([(2**24 + 2, 0.9), (0, 0.5)], [2**24 + 1, 2**31]),
    "y_true,y_score": ([0, 0, 1, 0, 1], [0.5, -0.5, -1.5, 0.9, -2.5]),
    "relevance": ([0, 0],),
}


@pytest.mark.parametrize("name", PRESENTED)
def test_items_are_handed_over_under_the_ids_of_the_data(name, tmp_path):
    """Where an item is a place in a vector, its id is its number."""
    case = case_from_lists([[3, 0], [1]], [[2, 4], [1]], 5, gains=[[2, 5], [3]], scores=[[0.9, 0.5], [0.7]])
    convention = next(each for each in CALLS if each.name == name)
    names = ", ".join("abc"[: convention.arity])
    path = tmp_path / f"seen_{abs(hash(name))}.py"
    path.write_text(f"SEEN = []\ndef metric({names}, k):\n    SEEN.append(({names},))\n    return 0.0\n")
    subject = subjects(f"{path}:metric", name)["metric"]
    subject.ask(case, 2, ids=IDS)
    assert subject.source.__globals__["SEEN"][0] == PRESENTED[name]


SAME_WITH_IDS = (
    "several.py:per_user_arrays#[1]",
    "scored_items.py:map_of_run",
    "targets.py:hit_rate_of_batch",
    "labelled.py:recall_of_labelled",
)


@pytest.mark.parametrize("target", SAME_WITH_IDS)
def test_ids_change_no_value(target):
    place, _, element = target.partition("#")
    if place.startswith("labelled"):
        pytest.importorskip("pandas")
    subject = subjects(f"{STYLES}/{place}", FOUND[target][0])[place.partition(":")[2]]
    case = random_case(3, one="targets" in target)
    values = [subject.ask(case, 4, ids=ids, element=element or None).value for ids in (None, IDS)]
    assert values[0] == values[1]


def test_a_change_of_the_input_is_seen_in_every_container():
    """Conventions whose arguments cannot be compared would hide it."""
    case = random_case(1, one=True)
    from metric_adapters.calls.builders import View
    from metric_adapters.calls.mutation import unchanged
    from metric_adapters.calls.rank import installed

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for convention in CALLS:
            if all(map(installed, convention.packages)):
                view = View(OF_LABELS.get(convention.domain.labels, case), 3)
                assert unchanged(convention.arguments(view, 1), convention.arguments(view, 1)), convention.name
