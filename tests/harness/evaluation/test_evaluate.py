"""``evaluate`` on files: the numbers of one case in memory, whatever the format, the ids, the pieces, the crashes."""

from __future__ import annotations

import itertools
import json
import math
import resource
import signal
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
from metric_harness.evaluation import stream_clustered, stream_ids, stream_load, stream_read, stream_spill
from metric_harness.evaluation.evaluate import Evaluation, evaluate_files
from metric_harness.evaluation.partial_sums import exact_sum, merge
from metric_harness.system.errors import HarnessError
from metric_reference.averaging import user_values
from metric_reference.catalogue import CATALOGUE
from metric_reference.edges import STANDARD
from metric_reference.evaluate import evaluate
from metric_reference.matching import match
from metric_reference.variant import Variant
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
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of some 150 rows, blocks of 60: everything that a large file does happens with a small one."""
    monkeypatch.setattr(stream_read, "PIECE_ROWS", 150)
    monkeypatch.setattr(stream_clustered, "block_rows", lambda plan: 60)
    monkeypatch.setattr(stream_load, "block_rows", lambda plan: 60)
    monkeypatch.setattr(stream_spill, "block_rows", lambda *_: 40)


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


@pytest.mark.parametrize("ids", IDS)
@pytest.mark.parametrize("rank", [False, True])
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("partitions", [None, 1, 16])
def test_files_give_the_numbers_of_one_case(
    ids: str, rank: bool, shuffled: bool, partitions: int | None, tmp_path: Path, small_pieces: None
) -> None:
    lists, truth = files(tmp_path, ids=ids, rank=rank, shuffled=shuffled)
    found = evaluate_files(lists, truth, VARIANTS, KS, work=tmp_path / "work", partitions=partitions)
    same(found, in_memory(lists, truth, tmp_path / "bundle"))
    in_one_pass = partitions is None and not shuffled
    assert ("one pass" in found.notes[-1]) == in_one_pass


@pytest.mark.parametrize("users", ["both", "truth", "recommended", "all"])
@pytest.mark.parametrize("partitions", [None, 8])
@pytest.mark.parametrize("ratings", [False, True])
def test_whoever_counts(users: str, partitions: int | None, ratings: bool, tmp_path: Path, small_pieces: None) -> None:
    lists, truth = files(tmp_path, ids="text", ratings=ratings)
    found = evaluate_files(lists, truth, VARIANTS, KS, users=users, work=tmp_path / "work", partitions=partitions)
    same(found, in_memory(lists, truth, tmp_path / "bundle", users=users))


@pytest.mark.parametrize("threshold", [0.5, 3.0, 5.0])
def test_the_threshold(threshold: float, tmp_path: Path, small_pieces: None) -> None:
    lists, truth = files(tmp_path)
    found = evaluate_files(lists, truth, VARIANTS, KS, threshold=threshold, work=tmp_path / "work")
    same(found, in_memory(lists, truth, tmp_path / "bundle", threshold=threshold))
    assert found.threshold == threshold


def test_precision_and_hit_rate_by_pandas(tmp_path: Path, small_pieces: None) -> None:
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


def test_the_number_of_partitions_does_not_show_at_all(tmp_path: Path, small_pieces: None) -> None:
    lists, truth = files(tmp_path, ids="text", users=400)
    values = [
        evaluate_files(lists, truth, VARIANTS, KS, work=tmp_path / "work", partitions=parts).numbers
        for parts in (None, 1, 4, 64)
    ]
    assert {name: value.hex() for name, value in values[0].items()} == {
        name: value.hex() for name, value in values[1].items()
    }
    assert values[1] == pytest.approx(values[2], abs=0, nan_ok=True)
    assert values[1] == pytest.approx(values[3], abs=0, nan_ok=True)


def test_text_files_and_folders_of_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lists, truth = columns(ids="digits")
    plain = in_memory(*write(tmp_path, lists, truth), tmp_path / "bundle")
    for name, table in (("lists", lists), ("truth", truth)):
        pa.csv.write_csv(pa.table(table), tmp_path / f"{name}.csv")
    monkeypatch.setattr(stream_read, "TEXT_PART_ROWS", 100)
    monkeypatch.setattr(stream_read, "TEXT_BLOCK", 1000)
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


def test_text_after_many_numbers(tmp_path: Path, small_pieces: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids that look like numbers at first and are text later on: all of them are text."""
    monkeypatch.setattr("metric_harness.evaluation.evaluate.SAMPLE", 20)
    lists, truth = columns(ids="int", users=200)
    lists["user_id"] = [str(u) if u < 150 else f"user {u}" for u in lists["user_id"]]
    truth["user_id"] = [str(u) if u < 150 else f"user {u}" for u in truth["user_id"]]
    written = write(tmp_path, lists, truth)
    same(evaluate_files(*written, VARIANTS, KS, work=tmp_path / "work"), in_memory(*written, tmp_path / "bundle"))


@pytest.mark.parametrize("partitions", [None, 4])
def test_ids_whose_hashes_collide(
    partitions: int | None, tmp_path: Path, small_pieces: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a hash of 9 bits for the first two seeds many ids collide; that is seen, and another seed taken."""
    hashed, seeds = stream_ids.hash_texts, []

    def weak(values: pa.Array, seed: int) -> tuple[np.ndarray, np.ndarray]:
        seeds.append(seed)
        keys, checks = hashed(values, seed)
        return keys % 512 if seed < 2 else keys, checks

    monkeypatch.setattr(stream_ids, "hash_texts", weak)
    lists, truth = files(tmp_path, ids="text", users=200)
    found = evaluate_files(lists, truth, VARIANTS, KS, work=tmp_path / "work", partitions=partitions)
    assert max(seeds) == 2
    same(found, in_memory(lists, truth, tmp_path / "bundle"))


def test_long_and_short_lists_together(tmp_path: Path) -> None:
    lists, truth = columns(users=60, items=700, longest=600, seed=3)
    short, _ = columns(users=60, items=700, longest=3, seed=4)
    for role in ("user_id", "item_id", "score"):
        lists[role] += [one + 1000 if role == "user_id" else one for one in short[role]]
    written = write(tmp_path, lists, truth)
    same(evaluate_files(*written, VARIANTS, KS, work=tmp_path / "work", users="all"),
         in_memory(*written, tmp_path / "bundle", users="all"))  # fmt: skip


@pytest.mark.parametrize("partitions", [None, 4])
@pytest.mark.parametrize("ids", ["int", "text"])
def test_values_by_user(ids: str, partitions: int | None, tmp_path: Path, small_pieces: None) -> None:
    lists, truth = files(tmp_path, ids=ids)
    target = tmp_path / "users.parquet"
    asked = [Variant.parse(one) for one in ("ndcg", "average_precision(divide_by=hits)", "recall(weight=micro)")]
    evaluate_files(lists, truth, asked, KS, work=tmp_path / "work", by_user=target, users="all", partitions=partitions)
    table = pd.read_parquet(target).set_index("user")
    bundle = bundle_from_files(lists, truth, tmp_path / "bundle", users="all")
    assert sorted(table.index) == sorted(bundle.user_ids.tolist())
    table = table.loc[bundle.user_ids.tolist()]
    for variant, k in itertools.product(asked[:2], KS):
        values, counted = user_values(variant.metric, match(bundle.case), k, STANDARD)
        np.testing.assert_allclose(table[str(variant.at(k))], np.where(counted, values, np.nan), rtol=0, atol=1e-15)
    np.testing.assert_array_equal(table["listed"], bundle.case.list_lengths)
    assert list(table.columns)[2:] == [str(v.at(k)) for k in KS for v in asked[:2]]


def call(lists: Path, truth: Path, work: Path, partitions: int | None) -> str:
    """The arguments of evaluate_files as code."""
    paths = f"Path({str(lists)!r}), Path({str(truth)!r})"
    return f"{paths}, [e.variant for e in CATALOGUE], {KS}, work=Path({str(work)!r}), partitions={partitions}"


def crash(arguments: str, at: str, times: int) -> None:
    """Run evaluate in another process that kills itself once it has finished so many pieces."""
    code = f"""
import os, signal
from pathlib import Path
from metric_harness.evaluation import stream_clustered, stream_read, stream_spill, stream_work
from metric_harness.evaluation.evaluate import evaluate_files
from metric_reference.catalogue import CATALOGUE
stream_read.PIECE_ROWS = 150
stream_clustered.block_rows = lambda plan: 60
stream_spill.block_rows = lambda *_: 40
done = []
replace = os.replace
def counted(source, target):
    replace(source, target)
    if {at!r} in Path(target).name:
        done.append(target)
        if len(done) == {times}:
            os.kill(os.getpid(), signal.SIGKILL)
os.replace = counted
evaluate_files({arguments})
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("partitions", "at", "times", "left"),
    [(None, ".npz", 3, "piece"), (8, "recommendations-", 16, "spill"), (8, "part-0", 5, "part")],
)
def test_a_killed_run_goes_on(
    partitions: int | None, at: str, times: int, left: str, tmp_path: Path, small_pieces: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    lists, truth = files(tmp_path, ids="text", users=200)
    work = tmp_path / "work"
    crash(call(lists, truth, work, partitions), at, times)
    again: dict[str, int] = {}

    def count(module: Any, name: str, kind: str) -> None:
        real = getattr(module, name)

        def counting(*given: Any) -> Any:
            again[kind] = again.get(kind, 0) + 1
            return real(*given)

        monkeypatch.setattr(module, name, counting)

    count(stream_clustered, "read_piece", "piece")
    count(stream_spill, "_spill_piece", "spill")
    count(stream_spill, "_evaluate_partition", "part")
    found = evaluate_files(lists, truth, VARIANTS, KS, work=work, partitions=partitions)
    same(found, in_memory(lists, truth, tmp_path / "bundle"))
    fresh: dict[str, int] = dict(again)
    again.clear()
    evaluate_files(lists, truth, VARIANTS, KS, work=work, partitions=partitions)
    assert fresh.get(left, 0) < again[left]
    if left == "part":
        assert fresh["part"] == 8 - times
        assert "spill" not in fresh
    if left == "piece":
        assert fresh["piece"] == again["piece"] - times
    assert list(work.iterdir()) == []


def test_changed_inputs_are_done_anew(tmp_path: Path, small_pieces: None) -> None:
    lists, truth = files(tmp_path, users=200)
    work = tmp_path / "work"
    crash(call(lists, truth, work, None), ".npz", 2)
    files(tmp_path, users=200, seed=9)
    found = evaluate_files(lists, truth, VARIANTS, KS, work=work)
    same(found, in_memory(lists, truth, tmp_path / "bundle"))


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
    with pytest.raises(HarnessError, match=r"b\.parquet: row groups 0 to 0 cannot be read"):
        evaluate_files(parts, judged, VARIANTS, KS, work=tmp_path / "work")


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="no limit on the size of files here")
@pytest.mark.parametrize("partitions", [None, 2])
def test_a_full_disk_leaves_nothing_that_looks_whole(partitions: int | None, tmp_path: Path) -> None:
    """No file may grow beyond 20 kB there: the run stops and says so; with room again it goes on."""
    lists, truth = files(tmp_path, ids="text", users=2000)
    work, target = tmp_path / "work", tmp_path / "users.parquet"
    call = f"""
import resource, sys
from pathlib import Path
from metric_harness.system.errors import HarnessError
from metric_harness.evaluation.evaluate import evaluate_files
from metric_reference.catalogue import CATALOGUE
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    evaluate_files(Path({str(lists)!r}), Path({str(truth)!r}), [e.variant for e in CATALOGUE], {KS},
        work=Path({str(work)!r}), by_user=Path({str(target)!r}), partitions={partitions})
except HarnessError as error:
    sys.exit(str(error))
"""
    done = subprocess.run([sys.executable, "-c", call], cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "cannot be written, no file may grow so large; nothing of it was kept" in done.stderr
    assert not target.exists()
    assert not list(tmp_path.rglob("*.part"))
    found = evaluate_files(lists, truth, VARIANTS, KS, work=work, by_user=target, partitions=partitions)
    same(found, in_memory(lists, truth, tmp_path / "bundle"))
    assert pq.read_metadata(target).num_rows == found.counts["users"]


PEAK = """
import resource, sys
from pathlib import Path
import pyarrow.parquet as pq
from metric_harness.evaluation.evaluate import evaluate_files
from metric_reference.catalogue import CATALOGUE
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
lists, truth, work = map(Path, sys.argv[1:4])
found = evaluate_files(lists, truth, [e.variant for e in CATALOGUE], [10], work=work, memory=int(sys.argv[4]))
print(before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, found.notes[-1])
"""


@pytest.mark.large
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is told in other units here")
@pytest.mark.parametrize(
    ("shuffled", "users", "listed"), [(False, 300_000, 20), (True, 300_000, 20), (False, 10**6, 1)]
)
def test_memory_stays_within_the_setting(shuffled: bool, users: int, listed: int, tmp_path: Path) -> None:
    """Six million rows are 144 MB as arrays: the process stays within 256 MiB beside what it holds as it begins."""
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
    before, peak, *how = done.stdout.split(" ", 2)
    assert (int(peak) - int(before)) * 1024 <= memory, done.stdout
    assert ("partitions" in how[0]) == shuffled


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lists, truth: lists["user_id"].__setitem__(7, None), r"row 8, column user_id: the user is empty"),
        (lambda lists, truth: lists["score"].__setitem__(70, math.nan), r"row 71, column score: the score is empty or"),
        (lambda lists, truth: truth["rating"].__setitem__(60, math.inf), r"row 61, column rating: the rating is inf"),
        (lambda lists, truth: lists["item_id"].__setitem__(-1, lists["item_id"][-2]), r"user .* and item .* twice"),
        (lambda lists, truth: lists.pop("score"), r"no column for the score or the rank"),
        (lambda lists, truth: truth.pop("item_id"), r"truth\.parquet: no column for the item"),
        (lambda lists, truth: truth.update(rating=[0.0] * len(truth["rating"])), r"no rating is above 0"),
        (lambda lists, truth: truth.update(user_id=[u + 10**6 for u in truth["user_id"]]), r"no user stands in both"),
        (lambda lists, truth: [truth[c].append(truth[c][5]) for c in truth], r"truth\.parquet: user .* twice"),
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


def test_ranks_are_checked(tmp_path: Path) -> None:
    lists, truth = columns(rank=True)
    twice = {**lists, "rank": [1] * len(lists["rank"])}
    with pytest.raises(HarnessError, match=r"has rank 1 twice"):
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


def test_rows_a_second_are_told(tmp_path: Path, small_pieces: None, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from rich.console import Console

    from metric_harness.system.progress import Reporter

    monkeypatch.setattr("metric_harness.evaluation.stream_plan.SPELL", 0.0)
    text = io.StringIO()
    evaluate_files(*files(tmp_path), VARIANTS, KS, work=tmp_path / "work",
                   reporter=Reporter(False, Console(file=text, width=200)))  # fmt: skip
    assert "rows a second" in text.getvalue()
