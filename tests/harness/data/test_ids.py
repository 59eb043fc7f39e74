"""Ids of two files in one form, lists in one row, and what hardly matches: by the commands, as a user meets them."""

from __future__ import annotations

import json
import uuid
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metric_harness.bundles.own_lists import bundle_from_files
from metric_harness.evaluation.whole_case import read_files
from metric_harness.system.errors import HarnessError
from metric_reference.signatures.signature import Signature
from metric_reference.variant import Variant
from tests.support.command import run
from tests.support.evaluated import evaluate_files

U = [uuid.UUID(int=0xABCDEF << 100 | n) for n in range(3)]
SMALL, CAPITAL = [str(one) for one in U], [str(one).upper() for one in U]
IDS: dict[str, tuple[Any, Any, list[Any]]] = {
    "text, int64": (["1", "2", "3"], [1, 2, 3], [1, 2, 3]),
    "zeros, int64": (["001", "02", "3"], [1, 2, 3], [1, 2, 3]),
    "zeros, float32": (["001", "02", "3"], pa.array([1, 2, 3], pa.float32()), [1, 2, 3]),
    "zeros, both": (["001", "02"], ["002", "001"], [1, 2]),
    "point, one word": (["1.0", "2.0", "x"], ["1", "2", "x"], ["1", "2", "x"]),
    "zeros, int64, one word": (["001", "002", "x"], [1, 2, 3], ["1", "2", "3", "x"]),
    "decimal, text": ([Decimal("1.00"), Decimal("2.00")], ["1", "2"], [1, 2]),
    "decimal256 of few digits": (pa.array([Decimal(1), Decimal(2)], pa.decimal256(20, 0)), [1, 2], [1, 2]),
    "float64, uint64": ([1.0, -0.0], pa.array([1, 0, 2**64 - 1], pa.uint64()), ["0", "1", str(2**64 - 1)]),
    "bytes, text": ([b"i1", b"i2"], ["i1", "i2"], ["i1", "i2"]),
    "bytes, int64": ([b"01", b"2"], [1, 2], [1, 2]),
    "bytes, no text": ([b"\xff", b"i2"], ["ff", "6932"], ["6932", "ff"]),
    "UUIDs, capitals": (SMALL, CAPITAL, SMALL),
    "UUIDs, bytes": (pa.array([one.bytes for one in U], pa.binary(16)), CAPITAL, SMALL),
    "UUIDs, bytes of any length": ([one.bytes for one in U], SMALL, SMALL),
    "beyond int64": ([str(2**70), f"{2**70 + 1}.0"], [str(2**70 + 1), "1"], ["1", str(2**70), str(2**70 + 1)]),
    "versions": (["1.10", "1.1"], ["1.1", "1.10"], ["1.1", "1.10"]),
    "signs": (["-1", "-0"], [-1, 0], [-1, 0]),
}


def parquet(path: Path, **columns: Any) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("role", ["user", "item"])
def test_one_form(name: str, role: str, tmp_path: Path) -> None:
    """Every id of both files, either way round; recall of items, users in the case."""
    first, second, expected = IDS[name]
    for at, (own, other) in enumerate(((first, second), (second, first))):
        rest = "item" if role == "user" else "user"
        lists = parquet(
            tmp_path / f"l{at}.parquet", **{role: own, rest: [1] * len(own), "score": range(len(own), 0, -1)}
        )
        truth = parquet(tmp_path / f"t{at}.parquet", **{role: other, rest: [1] * len(other)})
        bundle = bundle_from_files(lists, truth, tmp_path / f"b{at}", users="all")
        ids = bundle.user_ids if role == "user" else bundle.item_ids
        assert ids.tolist() == expected
        shared = len(own) + len(other) - len(expected)
        found = evaluate_files(lists, truth, [Variant.parse("hit_rate(value=hits)")], [5], users="all")
        assert found.counts["hits"] == shared
        assert getattr(found.overlap, f"{role}s").both == shared
        with read_files(lists, truth) as files:
            assert files.overlap == found.overlap


SIGNATURE = str(Signature(Variant.parse("hit_rate@2"), ties="id_ascending"))
ROWS = {"user": [1, 1, 2], "item": [10, 11, 20], "score": [3.0, 2.0, 1.0]}
TRUTH = {"user": [1, 2], "item": [11, 20]}
LISTS = pa.list_(pa.int64())
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a fraction": ({**ROWS, "item": [10.0, 11.5, 20.0]}, r"row 2, column item: the item 11\.5 is no whole number"),
    "a decimal with a fraction": (
        {**ROWS, "item": [Decimal("10.0"), Decimal("11.5"), Decimal("20.0")]},
        r"item 11\.5 is no",
    ),
    "a rounded float": (
        {**ROWS, "user": [1.0, 2.0**53, 2.0]},
        r"row 2, column user: the user 9007199254740992\.0 is no whole",
    ),
    "a rounded float32": (
        {**ROWS, "user": pa.array([1, 2**24, 2], pa.float32())},
        r"row 2, column user: the user 16777216\.0",
    ),
    "infinity": ({**ROWS, "user": [1.0, float("inf"), 2.0]}, r"row 2, column user: the user inf is no whole number"),
    "NaN": ({**ROWS, "user": [1.0, float("nan"), 2.0]}, r"row 2, column user: the user is empty or NaN"),
    "missing bytes": ({**ROWS, "user": [b"1", None, b"2"]}, r"row 2, column user: the user is empty or NaN"),
    "true and false": ({**ROWS, "user": [True, True, False]}, r"column user holds bool values where the user must be"),
    "long decimals": (
        {**ROWS, "score": pa.array([Decimal(1), Decimal(2), Decimal(3)], pa.decimal256(60, 30))},
        r"column score holds decimal256\(60, 30\) values, which are not read exactly; convert it to at most 38 digits",
    ),
    "a user in two rows": (
        {"user": [1, 2, 1], "item": pa.array([[10], [20], [11]], LISTS)},
        r"row 3, column user: user 1 has a list in row 1 already; keep one list, or add ranks or scores",
    ),
    "no list": ({"user": [1, 2], "item": pa.array([[10], None], LISTS)}, r"row 2: its list is missing; write an empty"),
    "an empty list of nobody": (
        {"user": [1, None], "item": pa.array([[10], []], LISTS)},
        r"row 2, column user: the user is",
    ),
    "lists of lists": ({"user": [1], "item": [[[10]]]}, r"column item holds list<.* write columns of their own"),
    "only empty lists": ({"user": [1], "item": pa.array([[]], LISTS)}, r"there is no row below the column names"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_refused(name: str, tmp_path: Path) -> None:
    columns, message = WRONG[name]
    lists, truth = parquet(tmp_path / "l.parquet", **columns), parquet(tmp_path / "t.parquet", **TRUTH)
    said = set()
    for read in (
        lambda: evaluate_files(lists, truth, [Variant.parse("ndcg")], [5]),
        lambda: bundle_from_files(lists, truth, tmp_path / "b"),
        lambda: read_files(lists, truth).__enter__(),
    ):
        with pytest.raises(HarnessError, match=message) as caught:
            read()
        said.add(str(caught.value))
    assert len(said) == 1


@pytest.mark.parametrize(
    ("users", "recall"), [("both", 1 / 2), ("recommended", 1 / 2), ("truth", 1 / 3), ("all", 1 / 3)]
)
def test_a_user_with_an_empty_list_counts(users: str, recall: float, tmp_path: Path) -> None:
    """User 1 hits, user 2 has an empty list, user 3 none; user 1 has an empty list besides, which adds nothing."""
    lists = parquet(tmp_path / "l.parquet", user=[1, 2, 1], item=pa.array([[10], [], []], LISTS))
    truth = parquet(tmp_path / "t.parquet", user=[1, 2, 3], item=[10, 20, 30])
    asked = [Variant.parse("recall")]
    for parts in (1, 3):
        found = evaluate_files(lists, truth, asked, [5], users=users, parts=parts)
        assert list(found.numbers.values()) == [pytest.approx(recall)]
    assert (found.counts["lists"], found.counts["users_with_list"]) == (1, 1)
    assert found.overlap.users.recommendations == 2


def test_few_matches_and_conversions_are_said(tmp_path: Path) -> None:
    """Numbers in text, padded on one side: 2 of 12 users match. Items in bytes."""
    users = [f"u{n:02d}" for n in range(1, 13)]
    lists = parquet(tmp_path / "l.parquet", user=users, item=[b"7"] * 12, score=[1.0] * 12)
    (tmp_path / "t.csv").write_text("user,item\n" + "".join(f"u{n - 1},7\n" for n in range(1, 13)), encoding="utf-8")
    files = ["--recommendations", lists, "--truth", tmp_path / "t.csv"]
    evaluated = ["evaluate", *files, "--variants", "hit_rate", "--k", "2", "--json", tmp_path / "values.json", "-q"]
    verified = ["signature", "verify", SIGNATURE, *files, "--json"]
    done, second = run(*evaluated), run(*verified)
    assert done.returncode == 0, done.stderr
    warning = (
        "Warning: only 2 users are in both files: the recommendations have 12, such as 'u01' and 'u02', "
        "the truth has 12, such as 'u0' and 'u1'; are these the same ids?"
    )
    for one in (done, second):
        assert warning in one.stderr.splitlines()
        assert (
            "The ids of items: b'7' counts as 7, and so in 12 rows of the recommendations." in one.stderr.splitlines()
        )
    assert "Not used: 10 rows of the recommendations are of users without truth" in done.stdout
    page, verdict = json.loads((tmp_path / "values.json").read_text(encoding="utf-8")), json.loads(second.stdout)
    assert page["rows"]["truth"] == {"read": 12, "used": 2, "dropped": {"user_without_list": 10}}
    assert page["ids"]["users"] == {"recommendations": 12, "truth": 12, "both": 2}
    assert [row["form"] for row in page["converted"]] == ["7"]
    assert {name: verdict[name] for name in ("rows", "ids", "converted", "warnings")} == {
        name: page[name] for name in ("rows", "ids", "converted", "warnings")
    }
    for words in (evaluated, verified, ["compare", *files, "--libraries", "recpack", "--out", tmp_path / "out", "-q"]):
        refused = run(*words, "--strict")
        assert refused.returncode == 2
        assert warning.replace("Warning", "--strict") in refused.stderr


PADDED = {
    "users of one side": (["01", "02", "10"], ["1", "2", "10"], 3),
    "padded on both sides": (["01", "02", "10"], ["001", "2", "10"], 3),
    "beside other text": (["01", "x", "10"], ["1", "x", "10"], 3),
    "as they are on both sides": (["01", "02", "1"], ["01", "1", "9"], 2),
    "of different users": (["01", "1", "x"], ["7", "8", "x"], 1),
}


@pytest.mark.parametrize("kind", PADDED)
def test_leading_zeros_between_text_files(kind: str, tmp_path: Path) -> None:
    """They are dropped where the files match only then, and the conversion is said; else ids are as they are."""
    listed, judged, shared = PADDED[kind]
    for role in ("user", "item"):
        rows = [
            "user,item,score\n" + "".join(f"{one},5,1\n" if role == "user" else f"5,{one},1\n" for one in ids)
            for ids in (listed, judged)
        ]
        paths = tmp_path / f"{role}-lists.csv", tmp_path / f"{role}-truth.csv"
        for path, text in zip(paths, rows, strict=True):
            path.write_text(text, encoding="utf-8")
        if role == "item":
            paths[0].write_text("user,item,rank\n" + "".join(f"5,{one},{n + 1}\n" for n, one in enumerate(listed)))
        found = evaluate_files(*paths, [Variant.parse("recall")], [5])
        ids = found.overlap.users if role == "user" else found.overlap.items
        assert ids.both == shared
        expected = {(role, "01", "1")} if shared == 3 else set()
        assert {
            (one.role, one.written, one.form) for one in found.overlap.conversions if one.written == "01"
        } == expected


def test_leading_zeros_that_are_ambiguous_are_refused(tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text("user,item,rank\n01,5,1\n1,5,1\n02,5,1\n")
    (tmp_path / "t.csv").write_text("user,item\n1,5\n2,5\n")
    with pytest.raises(HarnessError, match="the user 1 is written with and without leading zeros in one file"):
        evaluate_files(tmp_path / "l.csv", tmp_path / "t.csv", [Variant.parse("recall")], [5])
