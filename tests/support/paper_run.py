"""A whole run of the paper's comparison on a machine that has none of its libraries: recordings alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

from metric_harness.bundles.build import build_bundle
from metric_harness.cli.libraries import choose
from metric_harness.comparison.compare import Settings, compare
from metric_harness.data.datasets import read_ratings
from metric_harness.data.split import Protocol
from metric_harness.libraries.describe import find_libraries
from metric_harness.libraries.environments import EnvironmentFailure
from metric_harness.paper.tables import libraries_of_paper, paper_section


def refused(*_: Any) -> Any:
    """What a machine without the libraries says."""
    raise EnvironmentFailure("no network here")


def paper_run(folder: Path) -> dict[str, Any]:
    """The record of ``metric-harness paper`` on 400 users with half-star ratings, where no release can run."""
    rng = np.random.default_rng(2021)
    taste, appeal = rng.normal(size=(400, 3)), rng.normal(size=(500, 3))
    liking = taste @ appeal.T + rng.normal(scale=1.5, size=(400, 500)) + rng.normal(size=500)
    activity = np.clip(rng.gamma(0.7, 0.2, size=(400, 1)), 0.03, 0.7)
    users, items = np.nonzero(rng.random((400, 500)) < activity)
    rating = np.clip(np.round(2 * (3.6 + 0.8 * liking[users, items])) / 2, 0.5, 5)
    frame = pd.DataFrame(
        {"userId": users, "movieId": items, "rating": rating, "timestamp": rng.permutation(len(users)) + 10**9}
    )
    frame.to_csv(folder / "ratings.csv", index=False)
    protocol = Protocol(threshold=4.0, method="user_time", test_fraction=0.3)
    bundle = build_bundle(read_ratings(folder / "ratings.csv"), protocol, folder / "bundle", depth=40)
    chosen = choose(find_libraries(), ",".join(libraries_of_paper()), "all")
    with patch("metric_harness.comparison.release_run.ready", refused):
        record = compare(bundle, chosen, Settings(ks=(20,)), folder / "out", command="metric-harness paper")
    record["paper"] = paper_section(record, bundle, chosen, 20)
    return record
