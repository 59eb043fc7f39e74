"""Bundles of a user's own lists: whose lists are kept, in which order, and which files are refused."""

import json

import jsonschema
import numpy as np
import pandas as pd
import pytest

from metric_harness.bundles.build import bundle_from_files
from metric_harness.system.errors import HarnessError
from metric_reports.record import schema
from tests.harness.bundles.toy_bundles import Heard

LISTS = """user_id,item_id,score
1,10,0.5
1,30,0.9
1,20,0.5
2,10,0.1
3,40,0.7
"""
TRUTH = """user_id,item_id,rating
1,20,4
1,50,5
2,30,3
4,10,5
"""


def files(folder, lists=LISTS, truth=TRUTH, suffix=".csv"):
    paths = folder / f"pred{suffix}", folder / f"test{suffix}"
    for path, content in zip(paths, (lists, truth), strict=True):
        path.write_text(content)
    return paths


def from_files(folder, *contents, **options):
    return bundle_from_files(*files(folder, *contents), folder / "b", **options)


def test_lists_by_hand(tmp_path):
    bundle = from_files(tmp_path)
    case = bundle.case
    assert bundle.user_ids.tolist() == [1, 2]
    assert bundle.item_ids.tolist() == [10, 20, 30, 40, 50]  # of both files
    assert case.recommended.tolist() == [[2, 0, 1], [0, -1, -1]]  # 30, then 10 before 20 of the same score
    np.testing.assert_array_equal(case.scores, [[0.9, 0.5, 0.5], [0.1, np.nan, np.nan]])
    assert case.judged_items.tolist() == [1, 4, 2]
    assert case.judged_gains.tolist() == [4.0, 5.0, 3.0]
    assert case.threshold == 3.0
    assert case.candidate_scores is None
    manifest = bundle.manifest
    assert manifest["lists"]["threshold_rule"] == "every row with a positive rating is relevant"
    assert (manifest["counts"]["users_with_list_only"], manifest["counts"]["users_with_truth_only"]) == (1, 1)
    assert manifest["notes"] == [
        "1 users with a list but no test interactions are left out; "
        "1 users with test interactions but no list are left out."
    ]
    assert (manifest["protocol"], manifest["model"]) == (None, None)
    jsonschema.validate(manifest, schema("manifest"), jsonschema.Draft202012Validator)
    assert str(tmp_path) not in json.dumps(manifest)


@pytest.mark.parametrize(
    ("users", "ids", "lengths", "judged"),
    [
        ("both", [1, 2], [3, 1], [2, 1]),
        ("truth", [1, 2, 4], [3, 1, 0], [2, 1, 1]),
        ("recommended", [1, 2, 3], [3, 1, 1], [2, 1, 0]),
        ("all", [1, 2, 3, 4], [3, 1, 1, 0], [2, 1, 0, 1]),
    ],
)
def test_whose_lists_are_kept(tmp_path, users, ids, lengths, judged):
    bundle = from_files(tmp_path, users=users)
    assert bundle.user_ids.tolist() == ids
    assert bundle.case.list_lengths.tolist() == lengths
    assert np.diff(bundle.case.judged_indptr).tolist() == judged


def test_ranks_thresholds_depths_and_gains(tmp_path):
    ranks = "user,item,rank\n1,a,3\n1,b,1\n1,c,20\n"
    bundle = from_files(tmp_path, ranks, "user,item\n1,c\n1,b\n", depth=2)
    assert bundle.item_ids.tolist() == ["a", "b", "c"]
    assert bundle.case.recommended.tolist() == [[1, 0]]
    assert bundle.case.scores is None
    assert bundle.case.judged_gains.tolist() == [1.0, 1.0]
    assert bundle.case.threshold == 1.0
    strict = bundle_from_files(*files(tmp_path), tmp_path / "s", threshold=4)
    assert strict.case.relevant.tolist() == [True, True, False]
    assert strict.manifest["counts"]["users_without_relevant"] == 1


def test_numbers_in_one_file_and_text_in_the_other_are_both_text(tmp_path):
    bundle = from_files(tmp_path, "user,item,score\n9,1,1\n10,2,1\n", "user,item\n9,x\n10,2\n")
    assert bundle.user_ids.tolist() == [9, 10]
    assert bundle.item_ids.tolist() == ["1", "2", "x"]
    assert bundle.case.recommended.tolist() == [[0], [1]]
    assert bundle.case.judged_items.tolist() == [2, 1]


def test_parquet_is_the_same_as_csv(tmp_path):
    csv = from_files(tmp_path)
    for path in (tmp_path / "pred.csv", tmp_path / "test.csv"):
        pd.read_csv(path).to_parquet(path.with_suffix(".parquet"))
    parquet = bundle_from_files(tmp_path / "pred.parquet", tmp_path / "test.parquet", tmp_path / "p")
    assert parquet.manifest["arrays"] == csv.manifest["arrays"]


def test_lists_are_reused_and_rebuilt_when_a_file_changes(tmp_path):
    heard = Heard()
    from_files(tmp_path)
    from_files(tmp_path, reporter=heard)
    assert "reused" in heard.lines[-1]
    changed = from_files(tmp_path, LISTS + "2,50,0.3\n", reporter=heard)
    assert "built" in heard.lines[-1]
    assert changed.case.recommended[1].tolist() == [4, 0, -1]


BAD = {
    "no order": (("user,item\n1,2\n", TRUTH), ["pred.csv", "score or the rank"]),
    "no item": (("user,score\n1,2\n", TRUTH), ["pred.csv", "no column for the item"]),
    "NaN score": ((LISTS + "5,10,nan\n", TRUTH), ["pred.csv: line 7, column score", "empty or NaN"]),
    "text score": ((LISTS + "5,10,high\n", TRUTH), ["pred.csv: line 7, column score", "'high' is not a number"]),
    "item twice": ((LISTS + "1,20,0.1\n", TRUTH), ["pred.csv: line 7", "user 1 and item 20", "line 4"]),
    "truth twice": ((LISTS, TRUTH + "2,30,5\n"), ["test.csv: line 6", "user 2 and item 30", "line 4"]),
    "NaN rating": ((LISTS, TRUTH + "2,40,\n"), ["test.csv: line 6, column rating", "empty or NaN"]),
    "rank twice": (("user,item,rank\n1,10,1\n1,20,1\n", TRUTH), ["pred.csv: line 3", "user 1 and rank 1", "line 2"]),
    "rank against score": (
        ("user,item,rank,score\n1,10,1,0.5\n1,20,2,0.6\n", TRUTH), ["pred.csv: line 3, column score", "disagree"],
    ),
    "other users": (("user,item,score\nann,10,1\n", TRUTH), ["no user stands in both", "such as ann", "such as 1"]),
    "nothing positive": ((LISTS, "user,item,rating\n1,10,0\n2,10,-1\n"), ["test.csv", "no rating is above 0"]),
    "empty lists": (("user,item,score\n", TRUTH), ["pred.csv", "no row below"]),
    "empty truth": ((LISTS, ""), ["test.csv", "the file is empty"]),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_malformed_lists_name_file_place_and_remedy(tmp_path, case):
    contents, expected = BAD[case]
    with pytest.raises(HarnessError) as caught:
        from_files(tmp_path, *contents)
    for part in expected:
        assert part in str(caught.value)


def test_options_and_paths_that_make_no_sense(tmp_path):
    with pytest.raises(HarnessError, match="rating of at least 6; use a lower threshold"):
        from_files(tmp_path, threshold=6)
    with pytest.raises(HarnessError, match="users 'mine': use one of both, truth"):
        from_files(tmp_path, users="mine")
    with pytest.raises(HarnessError, match="depth 0"):
        from_files(tmp_path, depth=0)
    with pytest.raises(HarnessError, match="the folder holds none of"):
        bundle_from_files(tmp_path, tmp_path / "test.csv", tmp_path / "b")
    with pytest.raises(HarnessError, match="no such file"):
        bundle_from_files(tmp_path / "absent.csv", tmp_path / "test.csv", tmp_path / "b")


@pytest.mark.large
def test_the_papers_own_lists(movielens, tmp_path):
    paths = movielens("paper-sample", "pred.csv"), movielens("paper-sample", "test.csv")
    bundle = bundle_from_files(*paths, tmp_path / "b", depth=20)
    case = bundle.case
    assert (case.users, case.width, int(case.relevant.sum())) == (1_000, 20, 14_700)
    assert bundle.manifest["counts"]["users_with_truth_only"] == 2_733 - 1_000
    assert case.threshold == 4.5
    hits = [len(set(case.list_of(user)) & set(case.relevant_of(user))) for user in range(case.users)]
    # of all 2,733 users the paper's hit rate at 20 is 0.4746 and its precision 0.0575
    assert np.mean(np.array(hits) > 0) == 0.471
    assert np.mean(hits) / 20 == pytest.approx(0.0557, abs=1e-12)
