"""Values among drawn candidates as values among all items: bounds, the flattest spread, the command."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

from metric_harness.conversion.bounds import of_mean
from metric_harness.conversion.from_sampled import allowed, curves_of
from metric_harness.conversion.sampled_ranks import estimate
from metric_harness.system.errors import HarnessError
from metric_reference.candidates.choice import Candidates
from metric_reference.candidates.moments import moments
from metric_reference.candidates.places import of_ranks
from metric_reference.candidates.scheme import Scheme
from metric_reference.signatures.signature import Signature
from metric_reference.variant import Variant
from tests.support.command import run

DEFINITIONS = ("hit_rate@5", "ndcg@10", "reciprocal_rank@7", "precision@3", "average_precision@10", "recall@1")


def signed(text: str) -> Signature:
    return Signature(Variant.parse(text))


@pytest.mark.parametrize("replacement", [False, True])
@pytest.mark.parametrize("start", DEFINITIONS)
def test_the_bounds_are_those_of_the_linear_programme(start, replacement):
    """Over all distributions of ranks, for every goal and several values."""
    for goal in DEFINITIONS:
        curves = curves_of(signed(start), signed(goal), Scheme(20, replacement=replacement), 120)
        for share in (0.01, 0.3, 0.77, 1.0):
            low = share * float(curves.drawn.max())
            found = of_mean(curves.states(), low - 0.003, low + 0.003)
            for sign, bound in ((1.0, found.low), (-1.0, found.high)):
                solved = linprog(
                    sign * curves.full,
                    A_ub=np.stack((curves.drawn, -curves.drawn)),
                    b_ub=[low + 0.003, -low + 0.003],
                    A_eq=np.ones((1, 120)),
                    b_eq=[1.0],
                )
                assert bound.value == pytest.approx(sign * solved.fun, abs=1e-8)


def test_drawn_values_are_those_of_the_reference():
    curves = curves_of(signed("ndcg@10"), signed("ndcg@10"), Scheme(30), 200)
    expected = moments(Scheme(30), of_ranks(np.arange(1, 201), 200), ["ndcg@10"])["ndcg@10"].mean
    np.testing.assert_allclose(curves.drawn, expected, atol=1e-14)
    np.testing.assert_allclose(curves.full, np.where(np.arange(200) < 10, 1 / np.log2(np.arange(200) + 2), 0))


def test_all_negatives_change_nothing():
    curves = curves_of(signed("ndcg@10"), signed("ndcg@10"), Scheme(99), 100)
    converted = of_mean(curves.states(), 0.25, 0.25)
    assert (converted.low.value, converted.high.value) == pytest.approx((0.25, 0.25))
    assert curves.flattest(0.25) == pytest.approx(0.25)


def test_the_flattest_spread_has_the_value_and_the_largest_entropy():
    curves = curves_of(signed("ndcg@5"), signed("hit_rate@5"), Scheme(10), 40)
    best, value = curves.flattest(0.4), 0.4
    low, high = -20.0, 20.0
    for _ in range(100):
        middle = (low + high) / 2
        shares = np.exp(middle * curves.drawn)
        shares /= shares.sum()
        low, high = (middle, high) if shares @ curves.drawn < value else (low, middle)
    assert best == pytest.approx(float(shares @ curves.full), abs=1e-9)
    entropy = -(shares * np.log(shares)).sum()
    rng = np.random.default_rng(0)
    # Any change that keeps the sum and the value lowers the entropy.
    fixed = np.linalg.qr(np.stack((np.ones(40), curves.drawn), axis=1))[0]
    for _ in range(50):
        change = rng.normal(size=40)
        change -= fixed @ (fixed.T @ change)
        other = shares + 1e-4 * change / np.abs(change).max()
        assert -(other * np.log(other)).sum() < entropy
    assert curves.flattest(0.0) is None
    assert curves.flattest(1.0) is None


def test_a_hit_among_drawn_negatives_is_one_in_a_longer_list():
    assert curves_of(signed("hit_rate@10"), signed("hit_rate@10"), Scheme(99), 3706).cut_off() == pytest.approx(370.6)
    assert curves_of(signed("ndcg@10"), signed("hit_rate@10"), Scheme(99), 3706).cut_off() is None


def test_chance_is_allowed_for():
    """The ends are the expectations that lie exactly 4 of their own standard errors away."""
    low, high = allowed(0.3, 0.4, 500, 1.0)
    for end, value in ((low, 0.3), (high, 0.4)):
        assert abs(end - value) == pytest.approx(4 * np.sqrt(end * (1 - end) / 500))
    assert allowed(0.0, 1.0, 10, 1.0) == (0.0, 1.0)
    assert allowed(0.1, 0.2, 10**12, 0.2) == pytest.approx((0.1, 0.2), abs=1e-5)


def drawn_ranks(seed: int, users: int) -> tuple[np.ndarray, np.ndarray]:
    """Ranks among 500 items, and among 50 drawn negatives."""
    rng = np.random.default_rng(seed)
    full = np.clip(rng.lognormal(2 + seed % 5 / 2, 1.5, users).astype(int) + 1, 1, 500)
    return full, 1 + rng.hypergeometric(full - 1, 500 - full, 50)


@pytest.mark.thorough
def test_estimates_from_sampled_ranks():
    curves = curves_of(signed("ndcg@10"), signed("recall@10"), Scheme(50), 500)
    far = []
    for seed in range(12):
        full, drawn = drawn_ranks(seed, 2000)
        found = estimate(curves, Scheme(50), drawn)
        truth = (full <= 10).mean()
        assert found.low <= truth <= found.high
        assert found.low - 1e-9 <= found.likeliest.value <= found.high + 1e-9
        assert found.drawn == pytest.approx(np.where(drawn <= 10, 1 / np.log2(drawn + 1), 0).mean())
        alone = of_mean(curves.states(), *allowed(found.drawn, found.drawn, 2000, 1.0))
        assert found.high - found.low < alone.high.value - alone.low.value
        far.append((found.likeliest.value - truth) / np.sqrt(found.likeliest.variance))
    assert max(map(abs, far)) < 4


@pytest.mark.parametrize("replacement", [False, True])
def test_all_negatives_bound_the_value_by_chance_alone(replacement):
    """As many negatives as items: without replacement each rank is seen, and only its chance remains."""
    full = np.random.default_rng(0).integers(1, 101, 5000)
    scheme = Scheme(99, replacement=replacement)
    found = estimate(curves_of(signed("hit_rate@10"), signed("hit_rate@10"), scheme, 100), scheme, full)
    if not replacement:
        gap = np.sqrt(np.log(2 * np.e / 0.001) / 10_000)
        assert (found.low, found.high) == pytest.approx((found.drawn - gap, found.drawn + gap))
        assert found.likeliest.value == pytest.approx(found.drawn)
    assert found.low <= found.likeliest.value <= found.high


def test_the_command_takes_sampled_ranks(tmp_path):
    drawn = drawn_ranks(3, 1000)[1]
    pd.DataFrame({"user": np.arange(1000), "rank": drawn}).to_csv(tmp_path / "ranks.csv", index=False)
    words = [
        "signature",
        "convert",
        "--from",
        "ndcg@10",
        "--sampled",
        "50",
        "--of",
        "500",
        "--by-user",
        tmp_path / "ranks.csv",
    ]
    page = json.loads(run(*words, "--json").stdout)
    assert page["low"] <= page["about"] <= page["high"]
    assert (page["users"], page["risk"]) == (1000, 0.001)
    assert run(*words).stdout.startswith(f"ndcg@10 {page['from']:.6f} among 50 drawn negatives is ndcg@10 among 500")
    for column, said in (([0.5], "row 1: rank must be"), ([60], "from 1 to 51"), (["a"], "give a table")):
        pd.DataFrame({"rank": column}).to_csv(tmp_path / "ranks.csv", index=False)
        assert said in run(*words).stderr
    pd.DataFrame({"rank": [1]}).to_csv(tmp_path / "ranks.csv", index=False)
    words[words.index("50")] = "400"
    words[words.index("500")] = "100000"
    assert "too many for estimates" in run(*words).stderr


def test_bounds_with_chance_hold_for_drawn_users():
    rng = np.random.default_rng(0)
    curves = curves_of(signed("ndcg@10"), signed("ndcg@10"), Scheme(50), 500)
    for seed in range(50):
        ranks = np.clip(rng.lognormal(2 + seed / 20, 1.5, 200).astype(int) + 1, 1, 500)
        drawn = 1 + rng.hypergeometric(ranks - 1, 500 - ranks, 50)
        value = np.where(drawn <= 10, 1 / np.log2(drawn + 1), 0).mean()
        found = of_mean(curves.states(), *allowed(value, value, 200, 1.0))
        assert found.low.value <= curves.full[ranks - 1].mean() <= found.high.value


@pytest.mark.parametrize(
    ("start", "goal", "scheme", "items", "said"),
    [
        ("auc", "auc", Scheme(9), 90, "depends on more than the ranks"),
        ("hit_rate(cut=none)@10", "hit_rate@10", Scheme(99), 900, "no cut-off in effect"),
        ("hit_rate@20", "hit_rate@10", Scheme(9), 90, "@20 is beyond the 10 candidates"),
        ("hit_rate@5", "hit_rate@100", Scheme(9), 90, "@100 is beyond the 90 candidates"),
        ("hit_rate@5", "hit_rate@5", Scheme(99), 90, "cannot be drawn without replacement from 89 items"),
        ("hit_rate@5", "hit_rate@5", Scheme(9), 10**8, "give all candidates"),
    ],
)
def test_what_cannot_be_converted_is_refused(start, goal, scheme, items, said):
    with pytest.raises(HarnessError, match=said):
        curves_of(signed(start), signed(goal), scheme, items)


def test_the_command():
    ended = run("signature", "convert", "0.67", "--from", "hit_rate@10", "--sampled", "99", "--of", "3706")
    assert ended.stdout.splitlines()[:3] == [
        "hit_rate@10 0.67 among 99 drawn negatives is hit_rate@10 among 3706 items of",
        "  about 0.025063, if ranks are spread as evenly as the value allows",
        "  0.000000 to 0.675000, whatever the ranks are",
    ]
    assert "As many ranks count as in a list cut at 370.6 of all 3706 items." in ended.stdout
    words = [
        "signature",
        "convert",
        "0.39",
        "--from",
        signed("ndcg@10").short(),
        "--to",
        "hit_rate@10",
        "--sampled",
        "100",
    ]
    page = json.loads(run(*words, "--of", "3706", "--users", "6040", "--replacement", "--json").stdout)
    assert (page["replacement"], page["users"], page["same_cut_off"]) == (True, 6040, None)
    assert page["low"] <= page["about"] <= page["high"]


def drawn(text, *made):
    return replace(Signature(Variant.parse(text)), candidates=Candidates(*made)).short()


def test_a_signature_says_how_many_were_drawn():
    words = ["signature", "convert", "0.67", "--from"]
    told = run(*words, "hit_rate@10", "--sampled", "99", "--of", "3706", "--replacement").stdout
    assert run(*words, drawn("hit_rate@10", "uniform", 99, True), "--of", "3706").stdout == told
    same = drawn("hit_rate@10", "popularity", 99, True)
    goal = drawn("recall@10", "popularity", 99, True)
    assert run(*words, same, "--to", goal, "--relevant-per-user", "1").stdout.startswith("0.67 ")


@pytest.mark.parametrize(
    ("start", "options", "said"),
    [
        (("uniform", 99), [], "--sampled and --of: give both"),
        (("uniform", 99), ["--of", "500", "--sampled", "9"], "--from says cand:uniform99"),
        (("popularity", 99, True), ["--of", "500"], "drawn by popularity"),
        (("given",), ["--of", "500"], "chosen by the caller"),
        ((), ["--to", drawn("hit_rate@10", "uniform", 9)], "signatures with the same candidates"),
    ],
)
def test_candidates_of_which_nothing_follows(start, options, said):
    ended = run("signature", "convert", "0.5", "--from", drawn("hit_rate@10", *start), *options)
    assert ended.returncode == 2
    assert said in ended.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["0.5", "--from", "hit_rate@5", "--sampled", "9"], "--sampled and --of: give both"),
        (["--from", "hit_rate@5", "--sampled", "9", "--of", "90"], "--sampled: give VALUE, or --by-user"),
        (["0.5", "--from", "hit_rate@5", "--users", "9", "--to", "x"], "--replacement and --users: they need"),
        (["0.5", "--from", "hit_rate@5"], "--to: give the signature"),
        (["0.5", "--from", "hitrate@5", "--sampled", "9", "--of", "90"], "hitrate"),
        (["1.5", "--from", "hit_rate@5", "--sampled", "9", "--of", "90"], "no lists have this mean"),
        (
            ["0.5", "--from", "hit_rate@5", "--sampled", "9", "--of", "90", "--relevant-per-user", "4"],
            "each user has one relevant item",
        ),
    ],
)
def test_what_is_wrong_is_said(words, said):
    ended = run("signature", "convert", *words)
    assert ended.returncode == 2
    assert said in ended.stderr
