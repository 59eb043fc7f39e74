"""What files may look like: layouts and types that are read, and what is refused in one clear line.

Each file goes through ``evaluate`` and through the bundle of ``compare``: same values, same messages.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from metric_harness.bundles import own_lists
from metric_harness.bundles.own_lists import bundle_from_files
from metric_harness.bundles.store import Bundle
from metric_harness.cli.app import app
from metric_harness.evaluation.evaluate import Evaluation
from metric_harness.system.errors import HarnessError
from metric_reference.evaluate import evaluate
from metric_reference.variant import Variant
from tests.support.evaluated import evaluate_files

pytestmark = pytest.mark.thorough

ASKED = [Variant.parse(one) for one in ("reciprocal_rank", "recall", "coverage")]
TRUTH = {"user": [1, 2], "item": [11, 20]}
ROWS = {"user": [1, 1, 2], "item": [10, 11, 20]}


def both(folder: Path, lists: Path, truth: Path | None = None, **how: Any) -> tuple[Evaluation, Bundle]:
    """The evaluation and the bundle of two files, which give the same values; HarnessError where both refuse them."""
    truth = truth or parquet(folder / "truth.parquet", TRUTH)
    refusal, bundle = None, None
    try:
        bundle = bundle_from_files(lists, truth, folder / "bundle", **how)
    except HarnessError as error:
        refusal = error
    if bundle is None:
        with pytest.raises(HarnessError) as caught:
            evaluate_files(lists, truth, ASKED, [5], work=folder / "work", **how)
        assert str(caught.value) == str(refusal)
        raise caught.value
    found = evaluate_files(lists, truth, ASKED, [5], work=folder / "work", **how)
    assert found.numbers == pytest.approx(evaluate(bundle.case, ASKED, [5]), rel=1e-15)
    assert found.threshold == bundle.case.threshold
    return found, bundle


def parquet(path: Path, columns: Any, names: list[str] | None = None) -> Path:
    pq.write_table(pa.table(columns, names=names) if names else pa.table(columns), path)
    return path


def usual(found: Evaluation, bundle: Bundle) -> None:
    """User 1 has 10, 11 and hits at rank 2; user 2 has 20 and hits at rank 1."""
    kept = [row for row in bundle.case.recommended.tolist() if row != [-1, -1]]
    assert kept == [[0, 1], [2, -1]]
    assert found.numbers["recall(divide_by=relevant)@5"] == 1.0
    assert found.numbers["reciprocal_rank(over=first)@5"] == 0.75
    assert found.counts["rows_recommended"] == 3


CSV = "user,item,score\n1,10,0.9\n1,11,0.8\n2,20,0.7\n"
LAYOUTS: dict[str, bytes] = {
    "usual": CSV.encode(),
    "CR line ends": CSV.replace("\n", "\r").encode(),
    "CR LF line ends": CSV.replace("\n", "\r\n").encode(),
    "UTF-16 little end first": CSV.encode("utf-16"),
    "UTF-16 big end first": b"\xfe\xff" + CSV.encode("utf-16-be"),
    "UTF-8 with a mark": CSV.encode("utf-8-sig"),
    "no line end at the end": CSV.rstrip().encode(),
    "blank lines before": b"\n\n" + CSV.encode(),
    "a quoted header with the delimiter": b'user,item,score,"note; 1; 2; 3; 4"\n1,10,0.9,a\n1,11,0.8,b\n2,20,0.7,c\n',
    "a quoted header with a comma": b'user;item;score;"a, b, c, d, e"\n1;10;0.9;a\n1;11;0.8;b\n2;20;0.7;c\n',
    "a quoted header with a line end": b'user,item,score,"two\nlines"\n1,10,0.9,a\n1,11,0.8,b\n2,20,0.7,c\n',
    "a quoted field with a line end": b'user,item,score,note\n1,10,0.9,"two\nlines"\n1,11,0.8,b\n2,20,0.7,c\n',
    "numbers with spaces and signs": b"user,item,score\n1,10, +9e-1\n1,11,.8\n2,20,7E-1\n",
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_text_files(layout: str, tmp_path: Path) -> None:
    path = tmp_path / "lists.csv"
    path.write_bytes(LAYOUTS[layout])
    usual(*both(tmp_path, path))


SCORES: dict[str, Any] = {
    "decimal": [Decimal("0.9"), Decimal("0.8"), Decimal("0.7")],
    "text": ["0.9", "0.8", "7e-1"],
    "whole numbers past 2^53": [2**53 + 1, 2**53, 2**53],
    "text of whole numbers past 2^53": [str(2**53 + 1), str(2**53), "1"],
    "unsigned": pa.array([2**64 - 1, 2**64 - 2, 5], pa.uint64()),
    "half precision": pa.array([0.75, 0.5, 0.25], pa.float16()),
    "bool": [True, False, True],
    "dictionary": pa.array(["0.9", "0.8", "0.7"]).dictionary_encode(),
}


@pytest.mark.parametrize("scores", SCORES)
def test_scores_of_other_types(scores: str, tmp_path: Path) -> None:
    """Item 10 stands above 11 by its score alone: where both are given the other way round, 11 comes first."""
    values = SCORES[scores]
    usual(*both(tmp_path, parquet(tmp_path / "l.parquet", {**ROWS, "score": values})))
    values = values if isinstance(values, pa.Array) else pa.array(values)
    swapped = values.take(pa.array([1, 0, 2]))
    found, _ = both(tmp_path, parquet(tmp_path / "m.parquet", {**ROWS, "score": swapped}))
    assert found.numbers["reciprocal_rank(over=first)@5"] == 1.0


def test_scores_past_2_53_in_text_files(tmp_path: Path) -> None:
    path = tmp_path / "lists.csv"
    path.write_text(f"user,item,score\n1,10,{2**53}\n1,11,{2**53 + 1}\n2,20,1\n", encoding="utf-8")
    found, bundle = both(tmp_path, path)
    assert found.numbers["reciprocal_rank(over=first)@5"] == 1.0
    assert bundle.case.scores is None
    assert own_lists.INEXACT in bundle.manifest["notes"]


@pytest.mark.parametrize("item", [2**63 - 1, -(2**63), "9223372036854775807", "NaN", "07"])
@pytest.mark.parametrize("users", ["both", "truth", "recommended", "all"])
def test_item_ids_at_the_edges(item: int | str, users: str, tmp_path: Path) -> None:
    other = "x" if isinstance(item, str) else 5
    lists = parquet(tmp_path / "l.parquet", {"user": [1, 1], "item": [item, other], "score": [2.0, 1.0]})
    truth = parquet(tmp_path / "t.parquet", {"user": [1], "item": [item]})
    found, bundle = both(tmp_path, lists, truth, users=users)
    assert found.numbers["recall(divide_by=relevant)@5"] == 1.0
    assert bundle.item_ids.dtype.kind == ("U" if item in ("NaN", "07") or isinstance(other, str) else "i")


def test_ids_as_numbers_in_one_file_and_text_in_the_other(tmp_path: Path) -> None:
    lists = {"user": ["1", "1", "2.0"], "item": [10.0, 11.0, 20.0], "score": [0.9, 0.8, 0.7]}
    usual(*both(tmp_path, parquet(tmp_path / "l.parquet", lists)))


@pytest.mark.parametrize(
    "values", [[b"a", b"c", b"\xff"], [b"0123456789abcde\0", b"0123456789abcdeF", b"0123456789abcdef"]]
)
def test_binary_ids(values: list[bytes], tmp_path: Path) -> None:
    lists = parquet(tmp_path / "l.parquet", {"user": [1, 1, 2], "item": pa.array(values), "score": [3.0, 2.0, 1.0]})
    truth = parquet(tmp_path / "t.parquet", {"user": [1, 2], "item": pa.array(values[1:])})
    usual(*both(tmp_path, lists, truth))


@pytest.mark.parametrize("scores", [{}, {"scores": [[0.9, 0.8], [0.7], []]}, {"rank": [[4, 6], [1], []]}])
def test_a_list_for_each_user(scores: dict[str, Any], tmp_path: Path) -> None:
    """A row holds the whole list of a user, best item first where there are neither scores nor ranks."""
    lists = {"user": [1, 2, 3], "items": pa.array([[10, 11], [20], []], pa.list_(pa.int64())), **scores}
    usual(*both(tmp_path, parquet(tmp_path / "l.parquet", lists), users="all"))
    truth = parquet(tmp_path / "t.parquet", {"user": [1, 2], "item": [[11], [20]]})
    usual(*both(tmp_path, parquet(tmp_path / "l.parquet", lists), truth))


def test_parts_of_other_types(tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    parts.mkdir()
    parquet(
        parts / "a.parquet", {"user": pa.array([1], pa.int8()), "item": ["10"], "score": pa.array([0.5], pa.float32())}
    )
    parquet(parts / "b.parquet", {"item": [11, 20], "user": [1, 2], "score": [0.25, 1.0]})
    usual(*both(tmp_path, parts))


def test_a_part_without_truth(tmp_path: Path) -> None:
    lists = parquet(
        tmp_path / "l.parquet", {"user": [1, 1, 2, 3], "item": [10, 11, 20, 5], "score": [3.0, 2.0, 1.0, 1.0]}
    )
    for users, recall in (("both", 1.0), ("truth", 1.0), ("recommended", 1.0), ("all", 1.0)):
        truth = parquet(tmp_path / "truth.parquet", TRUTH)
        found = evaluate_files(lists, truth, ASKED, [5], work=tmp_path / "work", users=users, parts=7)
        assert found.numbers == both(tmp_path, lists, users=users)[0].numbers
        assert found.numbers["recall(divide_by=relevant)@5"] == recall
        assert found.counts["users"] == (2 if users in ("both", "truth") else 3)


REFUSED: list[tuple[Callable[[Path], Path], str]] = [
    (lambda p: text(p, "user,item,score\n1,10,1_0\n1,11,1\n"), r"l\.csv: line 2, column score: '1_0' is not a number"),
    (lambda p: text(p, "user,item,score\n1,10,2\n1,11,x\n"), r"line 3, column score: 'x' is not a number"),
    (lambda p: text(p, "user,item,score\n1,10,2\n1,11,\n"), r"line 3, column score: the score is empty or NaN"),
    (lambda p: text(p, "user,item,score\n1,10,2\n1,11,-inf\n"), r"line 3, column score: the score is -inf"),
    (lambda p: text(p, "user,item,score\n1,10,2\nNaN,11,1\n"), r"line 3, column user: the user is empty or NaN"),
    (lambda p: text(p, "user,item,score\n1,10,2\n1,11\n"), r"line 3 has 2 fields where 3 are expected"),
    (lambda p: text(p, "user,item,score\n"), r"there is no row below the column names"),
    (lambda p: text(p, ""), r"the file is empty"),
    (lambda p: text(p, "user,item,score,score\n1,10,2,3\n"), r"several columns for the score \('score', 'score'\)"),
    (lambda p: text(p, "user,user_id,item,itemId,item_id,score\n1,1,10,10,10,3\n"), r"several columns for the item"),
    (lambda p: text(p, "user,item,score\n1,10,2\n\n1,11,1\n1,10,3\n"),
     r"l\.csv: line 5, columns user and item: user 1 and item 10 stand in line 2 already; keep one row for each"),
    (lambda p: text(p, "user,item,score\na'b,10,2\nx,11,1\na'b,10,3\n"),
     r"line 4, columns user and item: user a'b and item 10 stand in line 2 already"),
    (lambda p: text(p, "user,item,rank\n1,10,1\n1,11,1\n"),
     r"line 3, columns user and rank: user 1 and rank 1 stand in line 2 already; keep one row for each user and rank"),
    (lambda p: text(p, "user,item,rank,score\n1,10,1,0.5\n1,11,2,0.6\n"),
     r"line 3, column score: the score is higher than at the rank before, so rank and score disagree"),
    (lambda p: text(p, "user,item,score\nann,10,2\n"),
     r"no user stands in both .*l\.csv \(such as ann\) and .*\(such as 1\)"),
    (lambda p: text(p, "user,item,score\n1,7,2\n").with_name("absent.csv"), r"absent\.csv: no such file or folder"),
    (lambda p: text(p, "user,item\n1,7\n"), r"no column for the score or the rank"),
    (lambda p: text(p, "user,score\n1,7\n"), r"l\.csv: no column for the item \(looked for"),
    (lambda p: text(p, "1,10,2\n1,11,1\n"), r"line 1 holds numbers, not column names"),
    (lambda p: folder(p / "empty"), r"empty: the folder holds none of \*\.parquet") ,
    (lambda p: parquet(p / "l.parquet", {"user": [1, 1], "item": [[1, 2], [3, 1]], "score": [[2, 1], [2, 1]]}),
     r"l\.parquet: row 2, columns user and item: user 1 and item 1 stand in .*row 1 already"),
    (lambda p: parquet(p / "l.parquet", {"user": [1.0, float("nan")], "item": [1, 2], "score": [1, 2]}),
     r"l\.parquet: row 2, column user: the user is empty or NaN"),
    (lambda p: parquet(p / "l.parquet", {"user": [1, 2], "item": [1, 2], "score": pa.nulls(2)}),
     r"row 1, column score: the score is empty or NaN"),
    (lambda p: parquet(p / "l.parquet", {"user": pa.nulls(2), "item": [1, 2], "score": [1, 2]}),
     r"row 1, column user: the user is empty or NaN"),
    (lambda p: parquet(p / "l.parquet", {"user": [1, 2], "item": [1, 2], "score": [date(2020, 1, 1)] * 2}),
     r"column score holds date32\[day\] values where the score must be a number; convert the column"),
    (lambda p: parquet(p / "l.parquet", {"user": [1], "item": [[1, 2]], "score": [1.0]}),
     r"of the columns item and score only one holds lists"),
    (lambda p: parquet(p / "l.parquet", {"user": [1, 2], "item": [[1, 2], [3]], "score": [[1.0, 0.5], [1.0, 2.0]]}),
     r"l\.parquet: row 2: its lists have different lengths"),
    (lambda p: parquet(p / "l.parquet", {"user": [1], "item": [[{"item": 1, "score": 2.0}]], "score": [[1.0]]}),
     r"column item holds list.* write columns of their own"),
    (lambda p: parquet(p / "l.parquet", [pa.array([1]), pa.array([1]), pa.array([1]), pa.array([2])],
                       ["user", "item", "score", "Score"]), r"several columns for the score \('score', 'Score'\)"),
]  # fmt: skip


def folder(path: Path) -> Path:
    path.mkdir()
    return path


def text(folder: Path, content: str) -> Path:
    path = folder / "l.csv"
    path.write_text(content, encoding="utf-8")
    return path


@pytest.mark.parametrize(("make", "message"), REFUSED)
def test_what_is_refused(make: Callable[[Path], Path], message: str, tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match=message) as error:
        both(tmp_path, make(tmp_path))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("options", [["--k", str(10**20)], ["--threshold", "nan"], ["--k", "0"], ["--k", "x"]])
def test_numbers_that_have_no_meaning_to_both(options: list[str], tmp_path: Path) -> None:
    lists, truth = text(tmp_path, CSV), parquet(tmp_path / "truth.parquet", TRUTH)
    files = ["--recommendations", str(lists), "--truth", str(truth)]
    said = []
    for words in (["evaluate", "--work", str(tmp_path / "work")], ["compare", "--out", str(tmp_path / "out")]):
        done = CliRunner().invoke(app, [*words, *files, *options])
        assert isinstance(done.exception, HarnessError)
        said.append(str(done.exception))
    assert said[0] == said[1]
    assert options[1] in said[0]


@pytest.mark.parametrize("memory", ["nan", "inf", "0", "0.01"])
def test_a_memory_that_has_no_meaning(memory: str, tmp_path: Path) -> None:
    lists, truth = text(tmp_path, CSV), parquet(tmp_path / "truth.parquet", TRUTH)
    words = ["evaluate", "--recommendations", str(lists), "--truth", str(truth), "--work", str(tmp_path / "work")]
    done = CliRunner().invoke(app, [*words, "--memory", memory])
    assert isinstance(done.exception, HarnessError)
    assert str(done.exception).startswith("--memory: ")


def test_the_folder_of_a_killed_run_is_removed(tmp_path: Path) -> None:
    left = tmp_path / "work" / "metric-harness_abandoned"
    left.mkdir(parents=True)
    (left / "lock").touch()
    (left / "000000.parquet").write_bytes(b"half")
    both(tmp_path, text(tmp_path, CSV))
    assert list((tmp_path / "work").iterdir()) == []
