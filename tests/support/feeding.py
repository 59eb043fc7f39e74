"""A library's own evaluation, run end to end in an environment of its own; the scripts are in tests/adapters/feeding.

A script names in its head what the whole pipeline needs besides what the release's environment has, as scripts name
their dependencies everywhere: a comment ``# /// script``, TOML, ``# ///``.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.prepare import ready
from metric_harness.system.processes import captured
from metric_harness.system.progress import Reporter
from metric_reference.case import Case, case_from_lists
from tests.support.live import LIBRARIES, made_ready
from tests.support.places import ROOT

SCRIPTS = Path(__file__).parents[1] / "adapters" / "feeding"
KEYS = sorted(path.stem.removeprefix("feed_") for path in SCRIPTS.glob("feed_*.py"))
"""The libraries that have a script."""
HEAD = re.compile(r"^# /// script\n((?:#.*\n)*?)# ///$", re.MULTILINE)
PLACES = ("--source", "--compiled")
BESIDE = (ROOT / "adapters" / "kit", ROOT / "reference")
USERS, ITEMS, K, DIMENSIONS = 30, 60, 5, 4


@cache
def data() -> dict[str, Any]:
    """30 users and 60 items. Every item is in the training data; a user has 4 to 12 training items and 1 to 8 others
    to be found, some of which score high."""
    rng = np.random.default_rng(15)
    scores = rng.permutation(USERS * ITEMS).reshape(USERS, ITEMS) / (USERS * ITEMS + 1.0)
    train, test = [], []
    for user in range(USERS):
        items = rng.permutation(ITEMS)
        first = [item for item in range(ITEMS) if item % USERS == user]
        seen = first + [item for item in items[:10].tolist() if item not in first][: int(rng.integers(2, 11))]
        others = [item for item in items[10:].tolist() if item not in seen]
        train.append(sorted(seen))
        test.append(sorted(others[: int(rng.integers(1, 9))]))
        lifted = test[user][: len(test[user]) * (user % 4) // 3]
        scores[user, lifted] = 1 - (1 - scores[user, lifted]) / 16
    return {
        "users": USERS,
        "items": ITEMS,
        "k": K,
        "train": train,
        "train_ratings": [rng.integers(1, 6, len(row)).tolist() for row in train],
        "test": test,
        "ratings": [rng.integers(1, 6, len(row)).tolist() for row in test],
        "scores": scores.tolist(),
        "vectors": rng.random((ITEMS, DIMENSIONS)).tolist(),
    }


def pipeline_of(library: Library, script: Path) -> Release:
    """The newest release with all of its source, in an environment with what its script names besides."""
    release = library.newest()
    head = HEAD.search(script.read_text(encoding="utf-8"))
    table = tomllib.loads(re.sub("(?m)^# ?", "", head.group(1))) if head else {}
    return replace(release, requirements=(*release.requirements, *table.get("dependencies", ())), paths=())


def run(key: str, folder: Path) -> list[dict[str, Any]]:
    """What a library's own evaluation reports, and what it was fed with, for each call of ``report`` in feed.py."""
    (folder / "data.json").write_text(json.dumps(data()), encoding="utf-8")
    printed = run_script(key, SCRIPTS / f"feed_{key}.py", folder / "data.json", folder)
    return [json.loads(line) for line in printed.splitlines()]


def run_script(key: str, script: Path, given: Path, folder: Path) -> str:
    """What a script prints that runs in an environment with a library's newest release; skips where that cannot be had.

    It gets ``given`` and where the release's source and compiled part lie, and may import what adapters import.
    """
    library = LIBRARIES[key]
    made_ready(library, library.newest())
    made = ready("isolated", library, pipeline_of(library, script), {}, Reporter(quiet=True))
    places = dict(zip(made.arguments[::2], made.arguments[1::2], strict=True))
    command = [str(made.python), str(script), str(given), *(places.get(name, "-") for name in PLACES)]
    beside = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, BESIDE))}
    ran = captured(command, timeout=600, cwd=folder, env=beside)
    assert ran.returncode == 0, ran.stderr.decode(errors="replace")[-4000:]
    return ran.stdout.decode("utf-8")


def case_of(answer: dict[str, Any]) -> Case:
    """The case that a library's own evaluation was fed with."""
    known = data()
    candidates, train = answer.get("candidates"), answer.get("train", known["train"])
    array = None if candidates is None else np.array(candidates, dtype=np.float64)  # None becomes NaN
    array = None if array is None else np.where(np.isnan(array), -np.inf, array)
    case = case_from_lists(
        answer["lists"],
        answer["relevant"],
        answer.get("items", known["items"]),
        gains=answer.get("gains"),
        candidate_scores=array,
        train=train,
        threshold=answer.get("threshold", 1.0),
    )
    predicted, vectors = answer.get("predicted"), np.array(answer.get("vectors", known["vectors"]))
    counts = np.bincount(np.concatenate(train).astype(np.int64), minlength=case.n_items)
    return replace(
        case,
        item_counts=counts,
        n_train_users=case.users,
        item_vectors=vectors,
        predicted_ratings=None if predicted is None else np.concatenate(predicted),
    ).check()
