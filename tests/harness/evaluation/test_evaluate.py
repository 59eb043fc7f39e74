"""``evaluate`` on files: the numbers of one case in memory, whatever the format, the ids, the pieces, the crashes."""

from __future__ import annotations

import itertools
import json
import math
import resource
import subprocess
import sys
import uuid
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from metric_harness.bundles.own_lists import bundle_from_files
from metric_harness.cli.app import app
from metric_harness.data import interactions, staging
from metric_harness.evaluation import counted_users, local
from metric_harness.evaluation.evaluate import Evaluation
from metric_harness.evaluation.partial_sums import exact_sum, merge
from metric_harness.system.errors import HarnessError
from metric_reference.averaging import user_values
from metric_reference.catalogue import CATALOGUE
from metric_reference.edges import STANDARD
from metric_reference.evaluate import evaluate
from metric_reference.matching import match
from metric_reference.variant import Variant
from tests.support.evaluated import evaluate_files
from tests.support.places import ROOT

VARIANTS = [entry.variant for entry in CATALOGUE]
KS = (3, 10)
IDS = {
    "int": lambda number, what: number - 3,
    "text": lambda number, what: f"{what}é{'x' * (number % 20)}{number}",
    "uuid": lambda number, what: str(uuid.UUID(int=(number + 1) * 2**71 + 12345)),
    "digits": lambda number, what: f"{number}.0" if number % 3 == 0 else str(number),
}


def columns(
    ids: str = "int", users: int = 90, items: int = 40, *, seed: int = 1, ratings: bool = True, rank: bool = False,
    shuffled: bool = False, longest: int = 13,
) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:  # fmt: skip
    """Columns of recommendations and truth: lists of 0 to 12 with tied scores, some users in one of the two only."""
    rng = np.random.default_rng(seed)
    rows, judged = [], []
    for user in range(users):
        listed = rng.permutation(items)[: rng.integers(0, longest)]
        scores = -np.sort(-rng.choice([0.1, 0.2, 0.3, 0.4, 0.5], len(listed)))
        if not rank and not shuffled:  # equal scores stand by item id, as the order of lists wants
            names = np.array([IDS[ids](int(item), "i") for item in listed])
            listed = listed[np.lexsort((names, -scores))]
        rows += [(user, item, score, place + 1) for place, (item, score) in enumerate(zip(listed, scores, strict=True))]
        judged += [(user + 4, item, rng.integers(0, 6)) for item in rng.permutation(items)[: rng.integers(0, 9)]]
    if shuffled:
        rows, judged = ([part[at] for at in rng.permutation(len(part))] for part in (rows, judged))
    name = IDS[ids]
    lists = {"user_id": [name(int(r[0]), "u") for r in rows], "item_id": [name(int(r[1]), "i") for r in rows]}
    lists |= {"rank": [int(r[3]) for r in rows]} if rank else {"score": [float(r[2]) for r in rows]}
    truth = {"user_id": [name(int(r[0]), "u") for r in judged], "item_id": [name(int(r[1]), "i") for r in judged]}
    return lists, truth | ({"rating": [float(r[2]) for r in judged]} if ratings else {})


def write(folder: Path, lists: dict[str, list[Any]], truth: dict[str, list[Any]]) -> tuple[Path, Path]:
    """Both as parquet with small row groups."""
    pq.write_table(pa.table(lists), folder / "lists.parquet", row_group_size=70)
    pq.write_table(pa.table(truth), folder / "truth.parquet", row_group_size=50)
    return folder / "lists.parquet", folder / "truth.parquet"


def files(folder: Path, **how: Any) -> tuple[Path, Path]:
    return write(folder, *columns(**how))


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of some 20 users, evaluated a few at a time: what happens with many users happens with few."""
    monkeypatch.setattr(local, "BATCH_ROWS", 20)
    monkeypatch.setattr(counted_users, "MOST_CELLS", 64)


def in_memory(lists: Path, truth: Path, folder: Path, **how: Any) -> dict[str, float]:
    """What the reference gives for all of it as one case."""
    case = bundle_from_files(lists, truth, folder, **how).case
    able = [v for v in VARIANTS if all(getattr(case, need) is not None for need in v.metric.needs)]
    return evaluate(case, able, KS)


def same(found: Evaluation, expected: dict[str, float]) -> None:
    compared = 0
    for name, value in expected.items():
        if name in found.not_available:
            assert found.not_available[name].startswith("not available at this size"), name
            continue
        got = found.numbers[name]
        both_undefined = math.isnan(got) and math.isnan(value)
        assert both_undefined or abs(got - value) <= 1e-12 * max(1.0, abs(value)), (name, got, value)
        compared += 1
    assert compared > 100


@pytest.mark.thorough
@pytest.mark.parametrize("ids", IDS)
@pytest.mark.parametrize("rank", [False, True])
@pytest.mark.parametrize("shuffled", [False, True])
def test_files_give_the_numbers_of_one_case(
    ids: str, rank: bool, shuffled: bool, tmp_path: Path, small_batches: None
) -> None:
    lists, truth = files(tmp_path, ids=ids, rank=rank, shuffled=shuffled)
    found = evaluate_files(lists, truth, VARIANTS, KS, work=tmp_path / "work")
    same(found, in_memory(lists, truth, tmp_path / "bundle"))


@pytest.mark.thorough
@pytest.mark.parametrize("users", ["both", "truth", "recommended", "all"])
@pytest.mark.parametrize("ratings", [False, True])
def test_whoever_counts(users: str, ratings: bool, tmp_path: Path, small_batches: None) -> None:
    lists, truth = files(tmp_path, ids="text", ratings=ratings)
    found = evaluate_files(lists, truth, VARIANTS, KS, users=users, work=tmp_path / "work")
    same(found, in_memory(lists, truth, tmp_path / "bundle", users=users))


@pytest.mark.parametrize("threshold", [0.5, 3.0, 5.0])
def test_the_threshold(threshold: float, tmp_path: Path, small_batches: None) -> None:
    lists, truth = files(tmp_path)
    found = evaluate_files(lists, truth, VARIANTS, KS, threshold=threshold, work=tmp_path / "work")
    same(found, in_memory(lists, truth, tmp_path / "bundle", threshold=threshold))
    assert found.threshold == threshold


def test_precision_and_hit_rate_by_pandas(tmp_path: Path, small_batches: None) -> None:
    """Held against a join and a group-by that know nothing of cases."""
    lists, truth = columns(ids="uuid", users=300)
    written = write(tmp_path, lists, truth)
    found = evaluate_files(*written, [Variant.parse("precision"), Variant.parse("hit_rate")], [5], work=tmp_path / "w")
    liked = pd.DataFrame(truth).query("rating > 0")
    top = pd.DataFrame(lists).groupby("user_id").head(5).merge(liked, on=["user_id", "item_id"])
    who = set(lists["user_id"]) & set(liked["user_id"])
    hits = top.groupby("user_id").size().reindex(sorted(who), fill_value=0)
    assert found.numbers["precision(divide_by=k)@5"] == pytest.approx((hits / 5).mean(), abs=1e-12)
    assert found.numbers["hit_rate(value=any)@5"] == pytest.approx((hits > 0).mean(), abs=1e-12)


@pytest.mark.slow
def test_the_batches_do_not_show_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = columns(ids="text", users=400, items=300, longest=120, seed=14)
    made[1]["rating"] = [number / 7 for number in range(len(made[1]["rating"]))]  # too many grades to count
    lists, truth = write(tmp_path, *made)
    values = []
    for rows, cells in ((1 << 16, 1 << 22), (50, 2048), (7, 256)):
        monkeypatch.setattr(local, "BATCH_ROWS", rows)
        monkeypatch.setattr(counted_users, "MOST_CELLS", cells)
        values.append(evaluate_files(lists, truth, VARIANTS, (3, 50), work=tmp_path / "work").numbers)
    hexadecimal = [{name: value.hex() for name, value in numbers.items()} for numbers in values]
    assert hexadecimal[0] == hexadecimal[1] == hexadecimal[2]


def test_text_files_and_folders_of_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lists, truth = columns(ids="digits")
    plain = in_memory(*write(tmp_path, lists, truth), tmp_path / "bundle")
    for name, table in (("lists", lists), ("truth", truth)):
        pa.csv.write_csv(pa.table(table), tmp_path / f"{name}.csv")
    monkeypatch.setattr(staging, "PART_BYTES", 2000)
    monkeypatch.setattr(staging, "BLOCK_BYTES", 1000)
    found = evaluate_files(tmp_path / "lists.csv", tmp_path / "truth.csv", VARIANTS, KS, work=tmp_path / "work")
    same(found, plain)
    parts = tmp_path / "parts"
    (parts / "day=1").mkdir(parents=True)
    whole = pa.table(lists)
    pq.write_table(whole.slice(0, 111), parts / "day=1" / "part-0.parquet")
    pq.write_table(whole.slice(111), parts / "part-1.parquet")
    (parts / "_SUCCESS").touch()
    same(evaluate_files(parts, tmp_path / "truth.csv", VARIANTS, KS, work=tmp_path / "work"), plain)


def test_ids_of_other_types(tmp_path: Path) -> None:
    """16 bytes are the UUID that the other file writes as text; dictionaries and unsigned numbers are ids as well."""
    lists, truth = columns(ids="uuid")
    plain = in_memory(*write(tmp_path, lists, truth), tmp_path / "bundle")
    raw = pa.array([uuid.UUID(one).bytes for one in lists["user_id"]], pa.binary(16))
    table = pa.table({**lists, "user_id": raw, "item_id": pa.array(lists["item_id"]).dictionary_encode()})
    pq.write_table(table, tmp_path / "bytes.parquet")
    same(
        evaluate_files(tmp_path / "bytes.parquet", tmp_path / "truth.parquet", VARIANTS, KS, work=tmp_path / "w"), plain
    )
    numbers, judged = columns(ids="int")
    plain = in_memory(*write(tmp_path, numbers, judged), tmp_path / "second")
    as_text = {**judged, "user_id": [str(user) for user in judged["user_id"]]}
    pq.write_table(pa.table(as_text), tmp_path / "text.parquet")
    same(
        evaluate_files(tmp_path / "lists.parquet", tmp_path / "text.parquet", VARIANTS, KS, work=tmp_path / "w"), plain
    )


def test_text_after_many_numbers(tmp_path: Path) -> None:
    """Ids that look like numbers at first and are text later on: all of them are text."""
    lists, truth = columns(ids="int", users=200)
    lists["user_id"] = [str(u) if u < 150 else f"user {u}" for u in lists["user_id"]]
    truth["user_id"] = [str(u) if u < 150 else f"user {u}" for u in truth["user_id"]]
    written = write(tmp_path, lists, truth)
    same(evaluate_files(*written, VARIANTS, KS, work=tmp_path / "work"), in_memory(*written, tmp_path / "bundle"))


def test_long_and_short_lists_together(tmp_path: Path) -> None:
    lists, truth = columns(users=60, items=700, longest=600, seed=3)
    short, _ = columns(users=60, items=700, longest=3, seed=4)
    for role in ("user_id", "item_id", "score"):
        lists[role] += [one + 1000 if role == "user_id" else one for one in short[role]]
    written = write(tmp_path, lists, truth)
    same(evaluate_files(*written, VARIANTS, KS, work=tmp_path / "work", users="all"),
         in_memory(*written, tmp_path / "bundle", users="all"))  # fmt: skip


@pytest.mark.parametrize("ids", ["int", "text"])
def test_values_by_user(ids: str, tmp_path: Path, small_batches: None) -> None:
    lists, truth = files(tmp_path, ids=ids)
    target = tmp_path / "users.parquet"
    asked = [Variant.parse(one) for one in ("ndcg", "average_precision(divide_by=hits)", "recall(weight=micro)")]
    evaluate_files(lists, truth, asked, KS, work=tmp_path / "work", by_user=target, users="all")
    table = pd.read_parquet(target).set_index("user")
    bundle = bundle_from_files(lists, truth, tmp_path / "bundle", users="all")
    assert sorted(table.index) == sorted(bundle.user_ids.tolist())
    table = table.loc[bundle.user_ids.tolist()]
    for variant, k in itertools.product(asked[:2], KS):
        values, counted = user_values(variant.metric, match(bundle.case), k, STANDARD)
        np.testing.assert_allclose(table[str(variant.at(k))], np.where(counted, values, np.nan), rtol=0, atol=1e-15)
    np.testing.assert_array_equal(table["listed"], bundle.case.list_lengths)
    assert list(table.columns)[2:] == [str(v.at(k)) for k in KS for v in asked[:2]]


def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    lists, truth = columns(users=400)
    _, judged = write(tmp_path, lists, truth)
    parts = tmp_path / "parts"
    parts.mkdir()
    whole = pa.table(lists)
    half = whole.num_rows // 2
    pq.write_table(whole.slice(0, half), parts / "a.parquet")
    pq.write_table(whole.slice(half), parts / "b.parquet", compression="snappy")
    good = (parts / "b.parquet").read_bytes()
    (parts / "b.parquet").write_bytes(good[: len(good) * 2 // 3])
    with pytest.raises(HarnessError, match=r"b\.parquet: not a readable parquet file .* cut off or damaged"):
        evaluate_files(parts, judged, VARIANTS, KS, work=tmp_path / "work")
    column = pq.ParquetFile(parts / "a.parquet").metadata.row_group(0).column(0)
    start = column.dictionary_page_offset or column.data_page_offset
    broken = bytearray(good)
    broken[start : start + 200] = b"\xff" * 200
    (parts / "b.parquet").write_bytes(broken)
    with pytest.raises(HarnessError, match=r"b\.parquet: cannot be read .* cut off or damaged"):
        evaluate_files(parts, judged, VARIANTS, KS, work=tmp_path / "work")


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="no limit on the size of files here")
@pytest.mark.parametrize("text", [False, True])
def test_a_full_disk_leaves_nothing_that_looks_whole(text: bool, tmp_path: Path) -> None:
    """No file may grow beyond 20 kB there: the run stops, says so, and leaves nothing behind."""
    lists, truth = files(tmp_path, ids="text", users=2000)
    if text:
        pa.csv.write_csv(pq.read_table(lists), tmp_path / "lists.csv")
        lists = tmp_path / "lists.csv"
    work, target = tmp_path / "work", tmp_path / "users.parquet"
    call = f"""
import resource, sys
from pathlib import Path
from metric_harness.system.errors import HarnessError
from tests.support.evaluated import evaluate_files
from metric_reference.catalogue import CATALOGUE
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    evaluate_files(Path({str(lists)!r}), Path({str(truth)!r}), [e.variant for e in CATALOGUE], {KS},
        work=Path({str(work)!r}), by_user=Path({str(target)!r}))
except HarnessError as error:
    sys.exit(str(error))
"""
    done = subprocess.run([sys.executable, "-c", call], cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    said = (
        "another folder with --work" if text else "cannot be written, no file may grow so large; nothing of it was kept"
    )
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not target.exists()
    assert not list(tmp_path.rglob("*.part"))
    assert not list(work.iterdir())
    found = evaluate_files(lists, truth, VARIANTS, KS, work=work, by_user=target)
    assert pq.read_metadata(target).num_rows == found.counts["users"]


PEAK = """
import resource, sys
from pathlib import Path
import pyarrow.parquet as pq
from tests.support.evaluated import evaluate_files
from metric_reference.catalogue import CATALOGUE
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
lists, truth, work = map(Path, sys.argv[1:4])
found = evaluate_files(lists, truth, [e.variant for e in CATALOGUE], [10], work=work, memory=int(sys.argv[4]))
print(before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.large
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is told in other units here")
@pytest.mark.parametrize(
    ("shuffled", "users", "listed"), [(False, 300_000, 20), (True, 300_000, 20), (False, 10**6, 1)]
)
def test_memory_stays_near_the_setting(shuffled: bool, users: int, listed: int, tmp_path: Path) -> None:
    """Six million rows are 144 MB as arrays: with 256 MiB of buffers the process takes at most 512 MiB more."""
    rng, items = np.random.default_rng(5), 5_000
    step = rng.integers(0, items, (users, 1)) + np.arange(listed) * 37
    lists = pa.table({
        "user": np.repeat(np.arange(users), listed), "item": (step % items).ravel(),
        "score": np.tile(np.arange(listed, 0, -1.0), users),
    })  # fmt: skip
    liked = (step[:, :3] + 37) % items
    truth = pa.table({"user": np.repeat(np.arange(users), liked.shape[1]), "item": liked.ravel()})
    if shuffled:
        lists, truth = (table.take(pa.array(rng.permutation(table.num_rows))) for table in (lists, truth))
    for name, table in (("lists", lists), ("truth", truth)):
        pq.write_table(table, tmp_path / f"{name}.parquet", row_group_size=200_000)
    memory = 256 << 20
    words = [tmp_path / "lists.parquet", tmp_path / "truth.parquet", tmp_path / "work", memory]
    done = subprocess.run(
        [sys.executable, "-c", PEAK, *map(str, words)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    before, peak = map(int, done.stdout.split())
    assert (peak - before) * 1024 <= 2 * memory, done.stdout


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lists, truth: lists["user_id"].__setitem__(7, None), r"row 8, column user_id: the user is empty"),
        (lambda lists, truth: lists["score"].__setitem__(70, math.nan), r"row 71, column score: the score is empty or"),
        (lambda lists, truth: truth["rating"].__setitem__(60, math.inf), r"row 61, column rating: the rating is inf"),
        (lambda lists, truth: lists["item_id"].__setitem__(-1, lists["item_id"][-2]), r"item \d+ stand in row \d+"),
        (lambda lists, truth: lists.pop("score"), r"no column for the score or the rank"),
        (lambda lists, truth: truth.pop("item_id"), r"truth\.parquet: no column for the item"),
        (lambda lists, truth: truth.update(rating=[0.0] * len(truth["rating"])), r"no rating is above 0"),
        (lambda lists, truth: truth.update(user_id=[u + 10**6 for u in truth["user_id"]]), r"no user stands in both"),
        (lambda lists, truth: [truth[c].append(truth[c][5]) for c in truth], r"truth\.parquet: .* in row 6 already"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(change: Any, message: str, tmp_path: Path) -> None:
    lists, truth = columns(seed=2)
    while lists["user_id"][-1] != lists["user_id"][-2] or lists["user_id"][-1] not in truth["user_id"]:
        for column in lists.values():
            column.pop()
    change(lists, truth)
    with pytest.raises(HarnessError, match=message):
        evaluate_files(*write(tmp_path, lists, truth), VARIANTS, KS, work=tmp_path / "work")


def test_pairs_that_share_a_hash_are_not_taken_for_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = write(tmp_path, *columns())
    numbers = evaluate_files(*files, VARIANTS, KS, work=tmp_path / "work").numbers
    monkeypatch.setattr(interactions, "hashes_differ", lambda database, table, by: False)
    assert evaluate_files(*files, VARIANTS, KS, work=tmp_path / "work").numbers == numbers


def test_ranks_are_checked(tmp_path: Path) -> None:
    lists, truth = columns(rank=True)
    twice = {**lists, "rank": [1] * len(lists["rank"])}
    with pytest.raises(HarnessError, match=r"row 2, .*: user .* and rank 1 stand in row 1 already"):
        evaluate_files(*write(tmp_path, twice, truth), VARIANTS, KS, work=tmp_path / "work")
    rising = {**lists, "score": [float(rank) for rank in lists["rank"]]}
    with pytest.raises(HarnessError, match=r"rank and score disagree"):
        evaluate_files(*write(tmp_path, rising, truth), VARIANTS, KS, work=tmp_path / "work")


def test_the_command(tmp_path: Path) -> None:
    lists, truth = files(tmp_path, ids="text")
    target = tmp_path / "values.json"
    words = ["evaluate", "--recommendations", str(lists), "--truth", str(truth), "--k", "5,10", "--quiet",
             "--variants", "hit_rate, average_precision(divide_by=min_k_relevant, sum_over=hits),coverage,mae",
             "--work", str(tmp_path / "work"), "--json", str(target),
             "--by-user", str(tmp_path / "u.parquet")]  # fmt: skip
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    page = json.loads(target.read_text(encoding="utf-8"))
    values = {row["variant"]: row for table in page["metrics"] for row in table["values"]}
    expected = in_memory(lists, truth, tmp_path / "bundle")
    hit = next(entry.variant for entry in CATALOGUE if str(entry.variant) == "hit_rate(value=any)")
    assert values["hit_rate(value=any)@10"]["value"] == pytest.approx(
        evaluate(bundle_from_files(lists, truth, tmp_path / "bundle").case, [hit], [10])["hit_rate(value=any)@10"]
    )
    assert values["coverage(of=items)@10"]["value"] == pytest.approx(expected["coverage(of=items)@10"])
    assert {"RecBole", "replay"} & {one["library"] for one in values["hit_rate(value=any)@5"]["libraries"]}
    assert "mae(over=ratings)@5" in [row["variant"] for table in page["metrics"] for row in table["not_available"]]
    assert "hit_rate@5" in done.output
    assert "rows a second" in done.output
    wrong = CliRunner().invoke(app, [*words[:5], "--variants", "nonsense"])
    assert isinstance(wrong.exception, HarnessError)


@given(st.lists(st.floats(-1e300, 1e300), max_size=60))
def test_exact_sums_are_exact(values: list[float]) -> None:
    total = sum(map(Fraction, values), Fraction())
    assert sum(map(Fraction, exact_sum(np.array(values))), Fraction()) == total
    assert sum(map(Fraction, merge(merge([], values[:20]), values[20:])), Fraction()) == total


def test_the_steps_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from rich.console import Console

    from metric_harness.system.progress import Reporter

    monkeypatch.setattr(local, "SECONDS_BETWEEN_LINES", 0.0)
    text = io.StringIO()
    evaluate_files(*files(tmp_path), VARIANTS, KS, work=tmp_path / "work",
                   reporter=Reporter(False, Console(file=text, width=200)))  # fmt: skip
    said = text.getvalue()
    assert "Reading the recommendations and the truth" in said
    assert all(f" s: {title}" in said for title in local.TITLES.values())
    assert list((tmp_path / "work").iterdir()) == []
