"""A role is added by one row: hits as a text of 0 and 1, for a function that counts in it."""

from __future__ import annotations

import pytest

from metric_adapters import own
from metric_adapters.calls import builders, rank, role, table
from metric_adapters.calls.call import Call
from metric_adapters.calls.role import ROLES, Fact, Role
from metric_reference.case import case_from_lists

MARKS = Role(
    "marks",
    "a text with 0 or 1 for each rank of the list",
    {"relevance": 3, "marks": 4},
    lambda view, user: "".join(map(str, builders.relevance(view, user).tolist())),
    Fact.BINARY,
)
CASE = case_from_lists([[3, 1, 0], [2, 0, 4]], [[1, 6], [2, 4]], 8)


@pytest.fixture
def with_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The row, and its place among the calls."""
    monkeypatch.setitem(ROLES, MARKS.name, MARKS)
    monkeypatch.setattr(rank, "CALLS", (*table.CALLS, Call((MARKS.name,))))


def test_one_row_is_a_role(with_marks, tmp_path) -> None:
    call = Call((MARKS.name,))
    assert call.about.startswith("a text with 0 or 1 for each rank of the list; lists; called for one user at a time")
    assert (call.domain.gains, call.domain.unlisted, call.domain.ids) == ("binary", False, "none")
    file = tmp_path / "marks.py"
    file.write_text("def precision(hits, k):\n    return hits[:k].count('1') / k\n")
    offered = {row["name"]: row for row in own.calls(f"{file}:precision")}
    assert offered["marks"]["supports"] == ["hits is marks"]
    answer = own.subjects(f"{file}:precision")["marks"].ask(CASE, 2)
    assert answer.values is not None
    assert answer.values.tolist() == [0.5, 0.5]


def test_every_fact_of_a_role_stands_in_its_row() -> None:
    """The core asks a row for its facts; names of roles are written where one role alone is meant."""
    assert set(ROLES) == {row.name for row in role.TABLE}
    assert all(row.words and row.names for row in role.TABLE)
