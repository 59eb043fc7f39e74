"""Bundles of 40 made-up users, and a reporter that keeps its lines."""

import numpy as np
import pandas as pd

from metric_harness.bundles.build import build_bundle
from metric_harness.data.datasets import Ratings
from metric_harness.data.split import PAPER
from metric_harness.system.progress import Reporter


class Heard(Reporter):
    """A reporter that keeps its lines."""

    def __init__(self):
        super().__init__(quiet=True, verbose=True)
        self.lines = []

    def say(self, text):
        self.lines.append(text)


def make_ratings(text_ids=False, sha256="0" * 64):
    random = np.random.RandomState(0)
    chosen = np.flatnonzero(random.rand(40, 30) < 0.4)
    frame = pd.DataFrame(
        {
            "user_id": chosen // 30 + 100,
            "item_id": chosen % 30 * 10,
            "rating": random.choice([3.0, 4.5, 5.0], len(chosen)),
            "timestamp": random.randint(0, 1000, len(chosen)),
        }
    )
    if text_ids:
        frame["user_id"] = "u" + frame["user_id"].astype(str)
        frame["item_id"] = "i" + frame["item_id"].astype(str).str.zfill(3)
    return Ratings(frame, "toy", "made up", sha256)


def build(folder, ratings=None, protocol=PAPER, **options):
    return build_bundle(ratings or make_ratings(), protocol, folder, **{"depth": 6, **options})
