"""What the playground computes in the page, held against the reference; its script runs in Node.js or in a browser."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from metric_reference.case import Case, case_from_lists
from metric_reference.variant import RANKING, Variant, space
from metric_reports.html.page import render_html
from tests.support.places import ROOT
from tests.support.sample_record import sample_record
from tests.support.variants import CLOSE, values

SCRIPT = ROOT / "reports/metric_reports/html/templates/variants.js"
User = dict[str, Any]
THRESHOLDS = (-1.0, 0.0, 0.5, 1.0, 2.0, 4.0)
GAINS = (-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 4.5, 5.0)


def random_user(rng: np.random.Generator) -> User:
    """One user: lists from empty to the whole catalogue, some with items twice; gains around the threshold."""
    n_items = int(rng.integers(1, 25))
    listed = rng.permutation(n_items)[: rng.integers(0, n_items + 1)]
    if rng.random() < 0.2:
        listed = rng.integers(0, n_items, rng.integers(0, 12))
    relevant = rng.permutation(n_items)[: rng.integers(0, n_items + 1)]
    graded = rng.random() < 0.6
    return {
        "recommended": listed.tolist(),
        "relevant": relevant.tolist(),
        "gains": rng.choice(GAINS, len(relevant)).tolist() if graded else [1.0] * len(relevant),
        "k": int(rng.integers(1, 16)),
        "nItems": n_items,
        "threshold": float(rng.choice(THRESHOLDS)) if graded else 1.0,
    }


def case_of(user: User) -> Case:
    """The same user as a case: listed items score by their best rank, all others 0."""
    scores = np.zeros((1, user["nItems"]))
    for rank, item in reversed(list(enumerate(user["recommended"], start=1))):
        scores[0, item] = 1.0 / rank
    return case_from_lists(
        [user["recommended"]], [user["relevant"]], user["nItems"],
        gains=[user["gains"]], candidate_scores=scores, threshold=user["threshold"],
    )  # fmt: skip


def differing(user: User, found: dict[str, float | None]) -> list[str]:
    """Where the page and the reference part; the page's NaN travels as None."""
    expected = {str(variant): value for variant, value in values(case_of(user), user["k"], RANKING).items()}
    assert found.keys() == expected.keys()
    wrong = []
    for printed, value in expected.items():
        given = found[printed]
        here = math.nan if given is None else given
        if not np.isclose(here, value, rtol=CLOSE, atol=CLOSE, equal_nan=True):
            wrong.append(f"{printed} of {user}: {here!r} in the page, {value!r} in the reference")
    return wrong


@dataclass(frozen=True)
class Node:
    """Node.js, which evaluates as the page of a browser does."""

    path: str

    def evaluate(self, expression: str, argument: Any = None) -> Any:
        """The value of an expression after the script has run, or of a function for an argument, both as JSON."""
        end = f"const made = {expression}; const given = {json.dumps(argument)};"
        end += "console.log(JSON.stringify(typeof made === 'function' ? made(given) : made));"
        program = "\n".join(["globalThis.window = globalThis;", SCRIPT.read_text(encoding="utf-8"), end])
        done = subprocess.run([self.path, "-"], input=program, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Any:
    if (node := shutil.which("node")) is not None:
        return Node(node)
    return request.getfixturevalue("browser_page")(render_html(sample_record()))


COMPUTE = """users => users.map(user => Object.fromEntries(Object.entries(metricHarness.values(user))
    .map(([name, value]) => [name, Number.isNaN(value) ? null : value])))"""


def test_the_page_knows_every_variant_of_the_reference_in_its_order(page: Any) -> None:
    printed = page.evaluate("metricHarness.variants.map(variant => variant.printed)")
    assert printed == [str(variant) for name in RANKING for variant in space(name)]
    choices = page.evaluate("metricHarness.variants.map(one => ({...one.choices, weight: one.weight}))")
    assert choices == [Variant.parse(text).choices() for text in printed]


@pytest.mark.slow
def test_the_page_computes_what_the_reference_computes_on_200_random_users(page: Any) -> None:
    rng = np.random.default_rng(20210927)
    users = [random_user(rng) for _ in range(200)]
    found = page.evaluate(COMPUTE, users)
    wrong = [line for user, values in zip(users, found, strict=True) for line in differing(user, values)]
    assert not wrong, "\n".join(wrong[:20])
    undefined = sum(value is None for values in found for value in values.values())
    print(f"{sum(map(len, found))} values held against the reference, {undefined} of them undefined")
    assert undefined
    assert len({tuple(values.values()) for values in found}) > 150


@pytest.mark.slow
def test_edges(page: Any) -> None:
    lists: list[tuple[list[int], list[int]]] = [
        ([], [0, 1]), ([], []), ([0, 1], []), ([0, 1, 2], [0, 1, 2]), ([2, 2, 2], [2]), ([0], [1]),
    ]  # fmt: skip
    users = [
        {"recommended": listed, "relevant": relevant, "gains": [1.0] * len(relevant), "k": k, "nItems": 3,
         "threshold": 1.0}
        for listed, relevant in lists for k in (1, 3, 9)
    ]  # fmt: skip
    found = page.evaluate(COMPUTE, users)
    assert not [line for user, values in zip(users, found, strict=True) for line in differing(user, values)]


def test_what_is_left_out_is_filled_in(page: Any) -> None:
    short, full = page.evaluate(
        COMPUTE,
        [
            {"recommended": ["b", "a"], "relevant": ["a", "c"], "k": 2},
            {"recommended": [1, 0], "relevant": [0, 2], "gains": [1, 1], "k": 2, "nItems": 3, "threshold": 1},
        ],
    )
    assert short == full
    assert short["precision(divide_by=k)"] == 0.5
