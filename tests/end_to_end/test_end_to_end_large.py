"""The main job on larger data: MovieLens-1M, and the lists that the paper's authors published."""

import pytest

from tests.end_to_end.test_end_to_end import LIBRARIES, hold, run

pytestmark = [pytest.mark.live, pytest.mark.large]


def test_ml_1m_under_the_papers_protocol(movielens, tmp_path):
    record = run(tmp_path, "--ratings", str(movielens("ml-1m")), "--k", "5,20", "--libraries", ",".join(LIBRARIES))
    hold(record, tmp_path)
    protocol = record["bundle"]["protocol"]
    assert (protocol["threshold"], protocol["method"]) == (4.5, "global_time")


def test_the_lists_of_the_papers_authors(movielens, tmp_path):
    pred, truth = movielens("paper-sample", "pred.csv"), movielens("paper-sample", "test.csv")
    record = run(tmp_path, "--recommendations", str(pred), "--truth", str(truth), "--libraries", ",".join(LIBRARIES))
    hold(record, tmp_path)
    value = {(c["library"], c["function"]): c["value"] for c in record["cells"]}
    # A sample of 1,000 of the 2,733 users of the paper's tables: 0.475, 0.0575, 0.0963, 0.0393 and 0.0933 there.
    assert value["recbole", "Hit"] == pytest.approx(0.4746, abs=0.02)
    assert value["recbole", "Precision"] == pytest.approx(0.0575, abs=0.005)
    assert value["recbole", "Recall"] == pytest.approx(0.0963, abs=0.01)
    assert value["recbole", "MAP"] == pytest.approx(0.0393, abs=0.004)
    assert value["rs_metrics", "mapr"] == pytest.approx(0.0317, abs=0.004)
    assert value["rs_metrics", "ndcg"] == pytest.approx(0.0933, abs=0.01)
    assert value["rs_metrics", "mapr"] < value["recbole", "MAP"]
