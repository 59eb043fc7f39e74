"""Judgements and runs as retrieval libraries take them."""

import numpy as np
import pytest

from metric_adapters.subject import CannotShow
from metric_adapters.trec import by_query, documents, qrels, run
from metric_reference.case import Case, case_from_lists


def three_queries(gains: list[list[float]] | None = None) -> Case:
    """Twelve documents; the second query has nothing relevant, the third no list."""
    return case_from_lists([[10, 2, 5], [3], []], [[2, 11], [], [4]], 12, gains=gains)


def test_ids_sort_as_the_items_do() -> None:
    assert documents(three_queries(), np.array([10, 2])) == ["d10", "d02"]
    names = documents(three_queries(), np.arange(12))
    assert sorted(names) == names


def test_a_query_without_rows_is_in_neither() -> None:
    assert qrels(three_queries()) == {"0": {"d02": 1, "d11": 1}, "2": {"d04": 1}}
    assert run(three_queries()) == {"0": {"d10": 3.0, "d02": 2.0, "d05": 1.0}, "1": {"d03": 1.0}}


def test_a_run_is_cut_at_k() -> None:
    assert run(three_queries(), 2)["0"] == {"d10": 3.0, "d02": 2.0}


def test_a_cut_between_equal_scores_is_refused() -> None:
    tied = case_from_lists([[10, 2, 5], [3, 1]], [[2], [3]], 12, scores=[[0.9, 0.5, 0.5], [0.7, 0.6]])
    assert run(tied, 1)["0"] == {"d10": 2.0}
    assert run(tied)["0"] == {"d10": 2.0, "d02": 1.0, "d05": 1.0}
    with pytest.raises(CannotShow, match="user 0 has equal scores on both sides of rank 2"):
        run(tied, 2)


def test_relevance_is_graded_where_it_is_asked_for() -> None:
    graded = three_queries(gains=[[3, 2], [], [5]])
    assert qrels(graded, graded=True) == {"0": {"d02": 3, "d11": 2}, "2": {"d04": 5}}
    assert qrels(graded)["0"] == {"d02": 1, "d11": 1}
    with pytest.raises(CannotShow, match=r"whole number in judgements, not 2\.5"):
        qrels(three_queries(gains=[[3, 2.5], [], [5]]), graded=True)


def test_a_document_listed_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="item 7 is recommended 2 times"):
        run(case_from_lists([[7, 7]], [[7]], 12))


def test_values_come_in_the_order_of_the_queries() -> None:
    answer = by_query(0.5, {"10": 0.25, "2": 0.75})
    assert answer.users is not None
    assert answer.values is not None
    assert (answer.value, answer.users.tolist(), answer.values.tolist()) == (0.5, [2, 10], [0.75, 0.25])
