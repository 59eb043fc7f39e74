"""Bundles of generated ratings: EASE beats popularity, and AUC is that of a sample of users."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from metric_adapters.case_files import ARRAYS
from metric_adapters.dirtied import MOST_USERS, USERS
from metric_harness.bundles.build import FULL_SCORES_LIMIT, build_bundle, load_bundle
from metric_harness.bundles.user_sample import case_of, draw_users
from metric_harness.comparison.compare import Settings, compare
from metric_harness.libraries.describe import find_libraries
from metric_harness.models.simple import popularity
from metric_harness.naming.cases import verification_cases as size_cases
from metric_harness.naming.probes.probe import all_probes
from metric_harness.system.errors import HarnessError
from metric_reference.variant import Variant
from metric_reports.html.page import render_html
from metric_reports.record import validate
from tests.harness.models.conftest import BY_USER

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def bundles(ratings, tmp_path_factory):
    """The bundle with the scores of all users, and that with a sample of 100."""
    folder = tmp_path_factory.mktemp("bundles")
    full = build_bundle(ratings, BY_USER, folder / "full", depth=20)
    limit = 100 * 8 * full.case.n_items
    return full, build_bundle(ratings, BY_USER, folder / "sampled", depth=20, full_scores_limit=limit)


def test_ease_beats_popularity(bundles, ratings, tmp_path):
    popular = build_bundle(ratings, BY_USER, tmp_path / "popular", depth=20, model=popularity())
    for metric in ("ndcg", "recall"):
        variant = Variant.parse(metric)
        assert variant.value(bundles[0].case, k=20) > 1.1 * variant.value(popular.case, k=20)


def test_the_sample_is_some_users_of_the_whole(bundles):
    full, sampled = bundles
    assert full.sample is None
    sample = sampled.sample
    assert sampled.case.candidate_scores is None
    assert len(sample.users) == sample.case.users == 100
    assert np.array_equal(sample.users, draw_users(full.case.users, 100))
    assert np.array_equal(sampled.case.recommended, full.case.recommended)
    assert np.array_equal(sample.case.candidate_scores, full.case.candidate_scores[sample.users])
    for place, user in enumerate(sample.users):
        assert np.array_equal(sample.case.recommended[place], full.case.recommended[user])
        assert np.array_equal(sample.case.relevant_of(place), full.case.relevant_of(user))
        trained = [slice(*case.train_indptr[n : n + 2]) for case, n in ((sample.case, place), (full.case, user))]
        assert np.array_equal(sample.case.train_items[trained[0]], full.case.train_items[trained[1]])
    assert any("100 of the" in note and "every library the same" in note for note in sampled.manifest["notes"])


def test_auc_of_the_sample_is_the_auc_of_these_users(bundles):
    full, sampled = bundles
    variant = Variant.parse("auc(scope=stacked)")
    theirs = replace(case_of(full.case, sampled.sample.users, full.case.candidate_scores[sampled.sample.users]))
    assert variant.value(sampled.sample.case, k=20) == variant.value(theirs, k=20)
    scores, labels = [], []
    for user in sampled.sample.users:
        row = full.case.candidate_scores[user]
        candidates = np.flatnonzero(row > -np.inf)
        scores.append(row[candidates])
        labels.append(np.isin(candidates, full.case.relevant_of(user)))
    assert variant.value(sampled.sample.case, k=20) == pytest.approx(mann_whitney(scores, labels), abs=1e-12)


def mann_whitney(scores, labels):
    from scipy.stats import mannwhitneyu

    scores, labels = np.concatenate(scores), np.concatenate(labels)
    wins = mannwhitneyu(scores[labels], scores[~labels]).statistic
    return wins / (labels.sum() * (~labels).sum())


def test_a_sampled_bundle_is_reused_checked_and_replaced(bundles, ratings, tmp_path):
    _, sampled = bundles
    again = load_bundle(sampled.folder)
    assert np.array_equal(again.sample.case.candidate_scores, sampled.sample.case.candidate_scores)
    folder = tmp_path / "b"
    limit = 50 * 8 * sampled.case.n_items
    build_bundle(ratings, BY_USER, folder, depth=20, full_scores_limit=limit)
    path = folder / "auc_sample" / "candidate_scores.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"\x01")
    with pytest.raises(HarnessError, match=r"auc_sample/candidate_scores\.npy: the file has changed"):
        load_bundle(folder)
    build_bundle(ratings, BY_USER, folder, depth=20, full_scores_limit=FULL_SCORES_LIMIT)
    assert not (folder / "auc_sample").exists()
    assert load_bundle(folder).sample is None


LIBRARY = """
name = "{name}"
distribution = "numpy"
homepage = "https://example.org/{name}"
licence = "MIT"
summary = "planted"
[[releases]]
version = "1.0"
python = ">=3.11"
requirements = ["numpy>=1.23"]
{subjects}
"""
SUBJECT = """
[subjects.{name}]
metric = "{metric}"
claim = "as planted"
address = "https://example.org"
{needs}
"""
ADAPTER = """
import json
from pathlib import Path

import numpy as np

from metric_adapters.subject import Answer, Subject
from metric_reference.averaging import user_values
from metric_reference.edges import STANDARD
from metric_reference.variant import Variant, prepare

def asking(text):
    variant = Variant.parse(text)
    def ask(case, k):
        with open({seen!r}, "a") as file:
            file.write(json.dumps([__file__, text, case.users, int(case.judged_items.sum())]) + "\\n")
        if variant.metric.of_whole_case():
            return Answer(variant.value(case, k=k))
        values, counted = user_values(variant.metric, prepare(case, STANDARD), k, STANDARD)
        return Answer(variant.value(case, k=k), np.flatnonzero(counted), values[counted])
    return Subject(ask, Variant.parse)

SUBJECTS = {{"stacked": asking("auc(scope=stacked)"), "by_user": asking("auc(scope=per_user)"), "ndcg": asking("ndcg")}}

def version():
    return "1.0"
"""


@pytest.fixture(scope="module")
def compared(bundles, tmp_path_factory):
    """A comparison of two planted libraries on the sampled bundle, and the lines in which they tell what they got."""
    folder = tmp_path_factory.mktemp("libraries")
    needs = 'needs = ["candidate_scores"]'
    subjects = "".join(
        SUBJECT.format(name=name, metric=metric, needs=wanted)
        for name, metric, wanted in (("stacked", "auc", needs), ("by_user", "auc", needs), ("ndcg", "ndcg", ""))
    )
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("")
        (folder / name / "library.toml").write_text(LIBRARY.format(name=name, subjects=subjects))
        (folder / name / "adapter.py").write_text(ADAPTER.format(seen=str(folder / "seen")))
    found = find_libraries([folder])
    chosen = [(found[name], found[name].newest()) for name in ("one", "two")]
    record = compare(bundles[1], chosen, Settings(ks=(20,), environment="current"), tmp_path_factory.mktemp("out"))
    return record, [json.loads(line) for line in (folder / "seen").read_text().splitlines()]


def test_every_library_is_asked_about_the_same_sample(compared, bundles):
    _, seen = compared
    sampled = bundles[1]
    cases = [*all_probes(), *size_cases.verification_cases(size_cases.Limits(size=size_cases.LIBRARY))]
    largest = max(one.case.users for one in cases)
    again = range(USERS, USERS + MOST_USERS)  # the users of a probe, asked in memory of other content
    asked = {tuple(line) for line in seen if line[2] > largest and line[2] not in again}
    sums = [int(case.judged_items.sum()) for case in (sampled.sample.case, sampled.case)]
    of_sample = {("auc(scope=stacked)", 100, sums[0]), ("auc(scope=per_user)", 100, sums[0])}
    for library in ("one", "two"):
        mine = {line[1:] for line in asked if Path(line[0]).parent.name == library}
        assert mine == of_sample | {("ndcg", sampled.case.users, sums[1])}


def test_cells_say_whom_they_are_about_and_are_predicted_on_the_same_users(compared, bundles):
    record, _ = compared
    validate(record)
    sampled = bundles[1]
    cells = {(cell["library"], cell["function"]): cell for cell in record["cells"]}
    for (_, function), cell in cells.items():
        assert (cell["status"], cell["agreement"]) == ("explained", "same")
        if function == "ndcg":
            assert "asked" not in cell
        else:
            assert cell["asked"] == {"users": 100, "of": sampled.case.users, "why": "sample"}
    expected = Variant.parse("auc(scope=stacked)").value(sampled.sample.case, k=20)
    assert cells["one", "stacked"]["value"] == cells["two", "stacked"]["predicted"] == expected
    assert cells["one", "by_user"]["users"]["answered"] == 100
    assert cells["one", "by_user"]["users"]["equal"] == 100


def test_the_report_says_it(compared, bundles):
    page = render_html(compared[0])
    assert f"users asked: 100 of {bundles[1].case.users} (sample)" in page
    assert f"kept for 100 of the {bundles[1].case.users} users" in page


def test_the_stored_sample_holds_every_array_of_a_case(bundles):
    described = bundles[1].manifest["sample"]
    whole = set(bundles[0].manifest["arrays"]) & set(ARRAYS)
    assert set(described["arrays"]) == whole | {"users"}
    assert (described["users"], described["of"], described["seed"]) == (100, bundles[1].case.users, 0)
