"""Libraries that draw negatives in their own evaluation: the mean over seeds is that of the closed form, or of what the
library does instead.

Each script trains one cheap model on MovieLens-100K with the last item of each user held out, and evaluates it with a
seed of its own each time. A mean agrees if it is within four standard errors.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metric_reference.candidates.moments import moments
from metric_reference.candidates.over_users import of_mean
from metric_reference.candidates.places import Places
from metric_reference.candidates.scheme import Scheme
from tests.support.feeding import SCRIPTS, run_script

KEYS = sorted(path.stem.removeprefix("sample_") for path in SCRIPTS.glob("sample_*.py"))
AS_DRAWN = {
    "daisyrec": ("99", Scheme(99, replacement=True), ("hit_rate@10", "ndcg@10", "reciprocal_rank@10")),
    "neurec": ("100", Scheme(100), ("recall@10", "ndcg@10", "reciprocal_rank@10")),
    "openrec": ("100", Scheme(100), ("recall@11", "ndcg@10")),  # its ranks begin at 0, and recall takes k of them
}
"""By library: the mode, how it draws and what it reports."""
WITHIN = 4.0

pytestmark = [pytest.mark.slow, pytest.mark.live]


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory, movielens: Callable[..., Path]) -> Callable[[str], Any]:
    known: dict[str, Any] = {}

    def report(key: str) -> Any:
        if key not in known:
            folder, data = tmp_path_factory.mktemp(key), movielens("ml-100k", "u.data")
            known[key] = json.loads(run_script(key, SCRIPTS / f"sample_{key}.py", data, folder))
        return known[key]

    return report


def errors(page: Any, mode: str, kind: str, scheme: Scheme, texts: tuple[str, ...]) -> list[float]:
    """By how many standard errors the mean over the seeds is above the expectation."""
    values = np.array(page["values"][mode])
    above, pool, _ = np.array(page[kind]).T
    found = moments(scheme, Places(above, pool), texts)
    return [
        (column.mean() - mean) / (variance / len(column)) ** 0.5
        for column, (mean, variance) in zip(values.T, map(of_mean, found.values()), strict=True)
    ]


def test_every_script_has_a_test() -> None:
    assert {*AS_DRAWN, "recbole"} == set(KEYS)


@pytest.mark.parametrize("key", AS_DRAWN)
def test_the_mean_is_the_expectation_and_the_spread_its_deviation(reported: Callable[[str], Any], key: str) -> None:
    mode, scheme, texts = AS_DRAWN[key]
    page = reported(key)
    assert len(page["values"][mode]) >= 30
    assert np.abs(errors(page, mode, "even", scheme, texts)).max() < WITHIN
    above, pool, _ = np.array(page["even"]).T
    found = moments(scheme, Places(above, pool), texts).values()
    for column, each in zip(np.array(page["values"][mode]).T, found, strict=True):
        assert column.std(ddof=1) == pytest.approx(of_mean(each).variance ** 0.5, rel=0.35)


def test_openrec_cuts_recall_one_rank_later(reported: Callable[[str], Any]) -> None:
    (recall, _) = errors(reported("openrec"), "100", "even", Scheme(100), ("recall@10", "ndcg@10"))
    assert recall > 3 * WITHIN


@pytest.mark.parametrize(
    ("mode", "kind", "scheme"),
    [
        ("uni100", "even", Scheme(100, replacement=True)),
        ("pop100", "weighted", Scheme(100, "popularity", replacement=True)),
    ],
)
def test_recbole_counts_an_item_drawn_twice_once(
    reported: Callable[[str], Any], mode: str, kind: str, scheme: Scheme
) -> None:
    page = reported("recbole")
    values, collapsed = np.array(page["values"][mode]), np.array(page["collapsed"][kind])
    assert len(values) >= 30
    spread = (values.var(axis=0, ddof=1) / len(values) + collapsed.var(axis=0, ddof=1) / len(collapsed)) ** 0.5
    assert np.abs((values.mean(axis=0) - collapsed.mean(axis=0)) / spread).max() < WITHIN
    texts = ("hit_rate@10", "ndcg@10", "reciprocal_rank@10")
    assert max(errors(page, mode, kind, scheme, texts)) > WITHIN  # the closed form counts it twice
