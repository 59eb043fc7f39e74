"""The simple models against independent computations, and their names."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from metric_harness.models.ease import rank
from metric_harness.models.simple import item_knn, nearest_items, parse_models, popularity, random
from metric_harness.system.errors import HarnessError
from tests.harness.models.test_ease import plain_list, random_matrix

pytestmark = pytest.mark.thorough


def cosines(dense):
    """Cosine of every two columns: scikit-learn's where it is installed, else scipy's; 0 for a column of zeros."""
    try:
        from sklearn.metrics.pairwise import cosine_similarity
    except ImportError:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.nan_to_num(1 - cdist(dense.T, dense.T, "cosine"))
    return cosine_similarity(dense.T)


def plain_neighbours(dense, neighbours):
    """Items x items: the cosine to the nearest others, looked for one by one."""
    similar = np.round(cosines(dense), 10)
    kept = np.zeros_like(similar)
    for item, row in enumerate(similar):
        others = [other for other in range(len(row)) if other != item and row[other] > 0]
        for other in sorted(others, key=lambda other: (-row[other], other))[:neighbours]:
            kept[item, other] = row[other]
    return kept


def test_popularity_counts_training_interactions():
    matrix = random_matrix(40, 25, 0.2, 1)
    counts = Counter(item for row in matrix.toarray() for item in np.flatnonzero(row).tolist())
    users = np.array([5, 0, 39, 5])
    items, scores, _ = rank(matrix, popularity().fit(matrix), users, 7)
    for row, user in enumerate(users):
        seen = set(np.flatnonzero(matrix.toarray()[user]).tolist())
        best = plain_list([counts[item] for item in range(25)], seen, 7)
        assert items[row].tolist() == best
        assert scores[row].tolist() == [counts[item] for item in best]
    assert len(set(counts.values())) < len(counts), "no two items tie, so the order of ties is not tried"


@pytest.mark.parametrize("neighbours", [1, 5, 100])
@pytest.mark.parametrize("block", [None, 1, 7])
def test_neighbours_are_those_of_another_cosine(neighbours, block):
    for seed, density in ((2, 0.3), (3, 0.05)):  # in the second some items have no user at all
        matrix = random_matrix(40, 25, density, seed)
        found = nearest_items(matrix, neighbours, block)
        np.testing.assert_allclose(found.toarray(), plain_neighbours(matrix.toarray(), neighbours), rtol=0, atol=1e-9)
        assert np.diff(found.indptr).max() <= neighbours


def test_equally_near_items_go_by_number():
    # items 1, 2 and 3 have the same users, so all three are as near to item 0
    matrix = sp.csr_array(np.array([[1.0, 1, 1, 1], [1, 0, 0, 0]]))
    near = nearest_items(matrix, 2).toarray()
    np.testing.assert_allclose(near[0], [0, 0.5**0.5, 0.5**0.5, 0], atol=1e-10)
    np.testing.assert_allclose(near[3], [0, 1, 1, 0], atol=1e-10)


def test_item_knn_sums_the_cosines_to_the_users_items():
    matrix = random_matrix(50, 30, 0.15, 4)
    dense = matrix.toarray()
    items, scores, everything = rank(matrix, item_knn(6).fit(matrix), np.arange(50), 10, full_scores=True)
    expected = np.zeros_like(dense)
    near = plain_neighbours(dense, 6)
    for user in range(50):
        for item in range(30):
            expected[user, item] = sum(near[mine, item] for mine in np.flatnonzero(dense[user]))
    unseen = dense == 0
    np.testing.assert_allclose(everything[unseen], expected[unseen], rtol=0, atol=1e-9)
    assert np.all(everything[~unseen] == -np.inf)
    for row in range(50):
        assert items[row].tolist() == plain_list(everything[row], set(np.flatnonzero(dense[row])), 10)
        np.testing.assert_array_equal(scores[row], everything[row, items[row]])


def test_random_is_reproducible_and_uniform():
    matrix = random_matrix(300, 50, 0.1, 5)
    users = np.arange(300)
    first = rank(matrix, random(7).fit(matrix), users, 10, full_scores=True)
    again = rank(matrix, random(7).fit(matrix), users, 10, full_scores=True, block=13)
    other = rank(matrix, random(8).fit(matrix), users, 10)
    np.testing.assert_array_equal(first[0], again[0])
    np.testing.assert_array_equal(first[2], again[2])
    assert (first[0] != other[0]).any()
    drawn = first[2][np.isfinite(first[2])]
    np.testing.assert_allclose(np.quantile(drawn, [0.1, 0.5, 0.9]), [0.1, 0.5, 0.9], atol=0.02)


def test_no_neighbours_is_an_error():
    with pytest.raises(HarnessError, match="0 neighbours; use at least 1"):
        item_knn(0).fit(random_matrix(5, 5, 0.5, 1))


def test_names_of_models():
    assert parse_models(None) == ("ease", "popularity", "itemknn")
    assert parse_models("ease") == ()
    assert parse_models("EASE, popularity,ease") == ("ease", "popularity")
    with pytest.raises(HarnessError, match="no model 'svd'; known are ease, popularity, itemknn, random"):
        parse_models("ease,svd")
    with pytest.raises(HarnessError, match="at least two"):
        parse_models("random")
