"""Metrics among drawn negatives from files: the closed forms of each user, and the reference's numbers among all."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from metric_harness.cli.app import app
from metric_harness.evaluation.ranked_items import from_ranks, from_scores
from metric_harness.evaluation.sampled import VARIANTS, drawings_of, evaluate_sampled, measures_of
from metric_harness.system.errors import HarnessError
from metric_reference.candidates.places import of_scores
from metric_reference.signatures.read import parse
from metric_reference.variant import Variant
from tests.support.evaluated import evaluate_files
from tests.support.literal import sampled

ITEMS, USERS = 9, 6
MEASURES = measures_of([2, 5])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Scores of all items but those of training, with ties; one to three relevant items a user; training rows."""
    folder, rng = tmp_path_factory.mktemp("scored"), np.random.default_rng(5)
    scores, truth, train, ranks = [], [], [], []
    popular = np.arange(1, ITEMS + 1)
    for user in range(USERS):
        items = rng.permutation(ITEMS)
        seen, relevant = items[: user % 2], np.sort(items[2 : 3 + user % 3])
        values = {int(item): float(rng.integers(0, 5)) / 2 for item in range(ITEMS) if item not in seen}
        scores += [(user, item, value) for item, value in values.items()]
        truth += [(user, int(item), 4.0) for item in relevant] + [(user, int(items[-1]), 2.0)]
        order = sorted(values, key=lambda item: (-values[item], item))
        for item in relevant:
            above = [other for other in order[: order.index(item)] if other not in relevant]
            pool = [other for other in order if other not in relevant]
            weights = popular[above].sum(), popular[pool].sum()
            ranks.append((user, int(item), order.index(item) + 1, len(order), *weights))
    train = [(100 + number, item) for item in range(ITEMS) for number in range(popular[item])]
    paths = {}
    for name, rows, columns in (
        ("scores", scores, ["user", "item", "score"]),
        ("truth", truth, ["user", "item", "rating"]),
        ("train", train, ["user", "item"]),
        ("ranks", ranks, ["user", "item", "rank", "candidates", "weight_above", "weight"]),
    ):
        paths[name] = folder / f"{name}.csv"
        table = pd.DataFrame(rows, columns=columns)
        table.iloc[rng.permutation(len(table))].to_csv(paths[name], index=False)
    return paths


def scored(made: dict[str, Path], per: str, negatives: tuple[int, ...] = (3,)):
    read = partial(from_scores, scores=made["scores"], truth=made["truth"], train=made["train"], threshold=3.0)
    return evaluate_sampled(read, drawings_of(negatives, per), MEASURES)


def users_of(made: dict[str, Path]):
    """Of each user the scores of the relevant items and score and weight of the others, ties broken by id."""
    scores, truth = pd.read_csv(made["scores"]), pd.read_csv(made["truth"])
    wanted = set(map(tuple, truth[truth.rating >= 3][["user", "item"]].to_numpy().astype(int)))
    for user, rows in scores.groupby("user"):
        exact = {int(row.item): row.score - row.item * 1e-6 for row in rows.itertuples()}
        relevant = [score for item, score in exact.items() if (user, item) in wanted]
        pool = [(score, item + 1) for item, score in exact.items() if (user, item) not in wanted]
        yield relevant, pool


@pytest.mark.parametrize("per", ["user", "item"])
def test_expectation_and_variance_are_those_of_every_draw(made, per) -> None:
    found = scored(made, per)
    for drawing, values in found.sampled.items():
        draw = sampled.Draw(3, drawing.replacement, "optimistic")
        for text in MEASURES:
            name, _, k = text.partition("@")
            moments = []
            for relevant, pool in users_of(made):
                even = pool if drawing.kind == "popularity" else [(score, 1) for score, _ in pool]
                for group in [relevant] if per == "user" else [[score] for score in relevant]:
                    moments.append(sampled.moments(draw, group, even, name, int(k) if k else None))
            mean, variance = np.array(moments).T
            assert values[text].expectation == pytest.approx(mean.mean(), abs=1e-12), (drawing, text)
            assert values[text].deviation ** 2 == pytest.approx(variance.sum() / len(mean) ** 2, abs=1e-13), (
                drawing,
                text,
            )


def test_ranks_say_the_same_as_scores(made) -> None:
    for per in ("user", "item"):
        one = scored(made, per)
        other = evaluate_sampled(partial(from_ranks, path=made["ranks"]), drawings_of([3], per), MEASURES)
        assert other.among_all == pytest.approx(one.among_all, abs=1e-12)
        for drawing, values in one.sampled.items():
            for text in MEASURES:
                assert other.sampled[drawing][text] == pytest.approx(values[text], abs=1e-12)


def test_values_among_all_are_those_of_evaluate(made, tmp_path) -> None:
    lists = [text for text in MEASURES if text.partition("@")[2]]
    variants = [Variant.parse(VARIANTS[text.partition("@")[0]]).at(int(text.partition("@")[2])) for text in lists]
    expected = evaluate_files(made["scores"], made["truth"], variants, (2, 5), threshold=3.0, work=tmp_path).numbers
    found = scored(made, "user").among_all
    for text, variant in zip(lists, variants, strict=True):
        assert found[text] == pytest.approx(expected[str(variant)], abs=1e-12), text


def test_the_area_is_the_share_of_the_pool_below(made) -> None:
    areas = [
        1 - (places.above / places.pool).mean()
        for relevant, pool in users_of(made)
        for places in [of_scores(np.array([*relevant, *(score for score, _ in pool)]), np.arange(len(relevant)))]
    ]
    found = scored(made, "user")
    assert found.among_all["auc"] == pytest.approx(np.mean(areas))
    uniform = next(values for drawing, values in found.sampled.items() if drawing.kind == "uniform")
    assert uniform["auc"].expectation == pytest.approx(np.mean(areas))


def test_training_without_any_candidate_is_named(made, tmp_path) -> None:
    train = tmp_path / "train.csv"
    train.write_text("user,item\n0,77\n")
    read = partial(from_scores, scores=made["scores"], truth=made["truth"], train=train, threshold=3.0)
    with pytest.raises(HarnessError, match="none of the items that may be drawn for user 0 is in --train"):
        evaluate_sampled(read, drawings_of([1], "user"), ["ndcg@2"])


def test_few_common_ids_are_an_error_with_strict(made, tmp_path) -> None:
    truth = tmp_path / "truth.csv"
    truth.write_text("user,item\n0,1\n" + "".join(f"{user},1\n" for user in range(900, 909)))
    read = partial(from_scores, scores=made["scores"], truth=truth, train=None, threshold=None)
    with pytest.raises(HarnessError, match="--strict: only 1 users are in both files"):
        evaluate_sampled(partial(read, strict=True), drawings_of([1], "user"), ["ndcg@2"])


def test_one_item_a_user_is_alike_for_items_and_users(tmp_path) -> None:
    path = tmp_path / "ranks.csv"
    path.write_text("user,item,rank,candidates\n" + "".join(f"{u},{u % 7},{1 + u % 40},200\n" for u in range(90)))
    read = partial(from_ranks, path=path)
    found = [evaluate_sampled(read, drawings_of([99], per), MEASURES) for per in ("user", "item")]
    assert found[0].distinct == 40
    (one,), (other,) = (list(each.sampled.values()) for each in found)
    assert one == other
    assert "popularity99" in found[0].left_out


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("1,1,0,9", "line 2, column rank: the rank must be a whole number from 1 to the candidates"),
        ("1,1,10,9", "from 1 to the candidates"),
        ("1,1,1.5,9", "from 1 to the candidates"),
        ("1,1,1,9.5", "column candidates: the candidates must be whole"),
        ("1,1,1,9\n1,2,2,8", "user 1 has different numbers of candidates"),
        ("1,1,1,9\n1,1,2,9", "user 1 and item 1 stand in line 2 already"),
        ("1,1,3,9\n1,2,3,9", "user 1 and rank 3"),
        ("1,1,1,2\n1,2,2,2", "user 1 has no candidate beside the relevant items"),
        ("1,,1,9", "the item is empty"),
    ],
)
def test_wrong_ranks_are_named(tmp_path, rows, said) -> None:
    path = tmp_path / "ranks.csv"
    path.write_text(f"user,item,rank,candidates\n{rows}\n")
    with pytest.raises(HarnessError, match=said):
        evaluate_sampled(partial(from_ranks, path=path), drawings_of([1], "user"), ["ndcg@2"])


def test_a_relevant_item_without_a_score_is_named(made, tmp_path) -> None:
    truth = tmp_path / "truth.csv"
    truth.write_text("user,item\n0,77\n")
    with pytest.raises(HarnessError, match="user 0 has no score for the relevant item 77"):
        evaluate_sampled(
            partial(from_scores, scores=made["scores"], truth=truth, train=None, threshold=None),
            drawings_of([1], "user"),
            ["ndcg@2"],
        )


def test_the_command(made, tmp_path) -> None:
    target = tmp_path / "page.json"
    words = [part for name in ("scores", "truth", "train") for part in (f"--{name}", str(made[name]))]
    words += ["--threshold", "3", "--negatives", "3,99", "--json", str(target), "--quiet"]
    done = CliRunner().invoke(app, ["evaluate", *words])
    assert done.exit_code == 0, done.output
    assert "uniform3" in done.output
    assert "uniform99: a user has only 5 items that may be drawn" in done.output
    page = json.loads(target.read_text(encoding="utf-8"))
    row = next(each for each in page["metrics"] if each["metric"] == "ndcg@10")
    assert [one["candidates"] for one in row["sampled"]] == ["uniform3", "popularity3", "popularity99"]
    signature = parse(row["sampled"][1]["signature"])
    assert str(signature.candidates) == "popularity3"
    assert (signature.candidates.per, signature.threshold, signature.ties) == ("user", 3.0, "id_ascending")
    for wrong in (
        ["evaluate"],
        ["evaluate", "--ranks", str(made["ranks"]), "--truth", str(made["truth"])],
        ["evaluate", "--scores", str(made["scores"])],
        ["evaluate", "--ranks", str(made["ranks"]), "--negatives", "0"],
        ["evaluate", "--recommendations", str(made["scores"]), "--truth", str(made["truth"]), "--negatives", "9"],
    ):
        assert isinstance(CliRunner().invoke(app, wrong).exception, HarnessError), wrong


LARGE = """
import sys
from functools import partial
from pathlib import Path
from metric_harness.evaluation.ranked_items import from_ranks
from metric_harness.evaluation.sampled import drawings_of, evaluate_sampled, measures_of
found = evaluate_sampled(partial(from_ranks, path=Path(sys.argv[1])), drawings_of([99, 100], "user"), measures_of([10]))
assert len(found.sampled) == 4
"""


@pytest.mark.large
def test_ten_million_ranks_with_weights_that_all_differ(tmp_path) -> None:
    """Under 20 s of processor time and 4 GiB, in a process of its own: nothing repeats, so nothing can be counted."""
    rng, rows, items = np.random.default_rng(1), 10**7, 10**5
    ranks = np.minimum(1 + (rng.pareto(0.6, rows) * 20).astype(np.int64), items)
    weight = 3e7 + rng.random(rows) * 1e6
    columns = {"user": np.arange(rows), "item": ranks % 97, "rank": ranks, "candidates": np.full(rows, items)}
    columns |= {"weight_above": (ranks - rng.random(rows)) / items * weight, "weight": weight}
    pq.write_table(pa.table(columns), tmp_path / "ranks.parquet")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", LARGE, str(tmp_path / "ranks.parquet")], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 20
    assert after.ru_maxrss < 4 * 2**20
