"""Frames whose columns are written into the function."""

import ast

import pytest

from metric_adapters.calls.columns import column_sets
from metric_adapters.calls.facts import read_source
from metric_adapters.calls.keys import read_keys
from metric_harness import audit
from tests.support.places import SUPPORT

pytest.importorskip("pandas")
from tests.support.styles import fixed_columns

pytestmark = pytest.mark.slow

FILE = SUPPORT / "styles" / "fixed_columns.py"
NAMED = {
    "ndcg_of_visits": (
        "graded_frame:visit_id,item_id,view_flag,pred_order,rank",
        "ndcg(gain=exponential, ideal=relevant, cut=none)",
    ),
    "quality": ("graded_frame", "ndcg(gain=linear)"),
    "judged": ("labelled_frame", "reciprocal_rank(over=first)"),
}


def only(name):
    (subject,) = audit(f"{FILE}:{name}").to_json()["subjects"]
    return subject


@pytest.mark.parametrize("name", NAMED)
def test_each_is_named(name):
    found = only(name)
    assert (found["convention"], found["variant"], found["evidence"]["confidence"]) == (*NAMED[name], "verified")


def test_columns_of_zeros_are_conditions():
    assert {"`pred_view` 0 in every row", "`order_flag` 0 in every row"} <= {*only("ndcg_of_visits")["where"]}


def test_a_column_that_means_something_else_is_not_hidden_by_zeros():
    assert only("recall_of_unpopular")["variant"] is None


def test_each_label_and_each_score_is_the_one_in_a_set_of_columns():
    sets = column_sets({}, read_source(fixed_columns.ndcg_of_visits))
    assert [(one.rating, one.score, one.zeros) for one in sets] == [
        ("order_flag", "pred_order", ("pred_view", "view_flag")),
        ("order_flag", "pred_view", ("pred_order", "view_flag")),
        ("view_flag", "pred_order", ("pred_view", "order_flag")),
        ("view_flag", "pred_view", ("pred_order", "order_flag")),
    ]


def test_reciprocal_ranks_are_no_zeros():
    (found,) = column_sets({}, read_source(fixed_columns.judged))
    assert (found.user, found.rank, found.more, found.zeros) == ("query_id", "rank", ("reciprocal_rank",), ())


@pytest.mark.parametrize(
    ("body", "keys"),
    [
        ("return df[df.rank < 3]['hit'].mean()", {"df": ("rank", "hit")}),
        ("df['new'] = df['old']\n    return df['new'].sum()", {"df": ("old",)}),
        ("df['hit'] = df['hit'] > 0\n    return df['hit'].sum()", {"df": ("hit",)}),
        ("rows = df[['a', 'b']]\n    return rows.a.sum()", {"df": ("a", "b")}),
        ("return df.groupby('u').apply(lambda row: row['x'])", {"df": ("u", "x")}),
        ("return df.sort_values(by=['s', 't']).shape", {"df": ("s", "t")}),
        ("for row in df.itertuples():\n        total = row.gain\n    return total", {"df": ("gain",)}),
        ("found = {}\n    found['recall'] = df.sum()\n    return found", {}),
    ],
)
def test_keys_are_those_that_are_read_of_a_parameter(body, keys):
    assert read_keys(ast.parse(f"def metric(df, k):\n    {body}\n")) == keys
