"""Signatures: printed, read back, compared; every planted wrong one is found; the registry stays what it is."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_reference.candidates.choice import ALL, KINDS, Candidates
from metric_reference.candidates.scheme import PER, WEIGHTS
from metric_reference.case import Case
from metric_reference.edges import STANDARD
from metric_reference.narrowed import ONLY
from metric_reference.registry import METRICS
from metric_reference.signatures import words
from metric_reference.signatures.differences import compare
from metric_reference.signatures.read import SignatureError, changed, parse
from metric_reference.signatures.signature import Signature, signature_of
from metric_reference.signatures.words import EDGES, MEANS, UNKNOWN, USERS
from metric_reference.variant import Variant, spellings
from tests.support.random_cases import cases

REGISTRY = Path(__file__).parent / "signatures.tsv"
FULL = (
    "ndcg@20|gain:binary|disc:log2|ideal:min(k,r)|cut:k|mean:users|users:both|norel:skip|nolist:0|dup:error|ties:input|"
    "rel:>0|mh:1.0"
)

DRAWN = FULL.replace("|mh:1.0", "|cand:uniform99|repl:without|per:item|mh:1.2")


@st.composite
def signatures(draw: st.DrawFn) -> Signature:
    """Any signature: every metric, choice, parameter, weight, edge, cut-off, threshold, factor and rounding."""
    kind = METRICS[draw(st.sampled_from(sorted(METRICS)))]
    made: dict[str, object] = {}
    for field in dataclasses.fields(kind):
        if field.metadata["values"] is not None:
            made[field.name] = draw(st.sampled_from([*field.metadata["values"], *field.metadata["with_parameter"]]))
    for field in dataclasses.fields(kind):
        if field.metadata["values"] is None:
            when = field.metadata["when"]
            if when is None or made[when[0]] in when[1:]:
                low, high = field.metadata["between"] or (0.01, 100.0)
                number = st.floats(low, high)
                made[field.name] = draw(number.map(round).filter(bool) if field.metadata["whole"] else number)
    metric = kind(**made)
    weights = [weight for weight in MEANS if weight != "sum" or weight in metric.weights()]
    variant = Variant(
        metric,
        draw(st.sampled_from(weights)),
        draw(st.none() | st.integers(1, 10**6)),
        draw(st.none() | st.integers(0, 12)),
        draw(st.sampled_from([1, 100, 1000])),
    )
    if variant.rounded is not None and variant.averages_users():
        variant = replace(variant, rounds=draw(st.sampled_from(["mean", "users"])))
    if metric.relevance and metric.lists:
        variant = replace(variant, only=draw(st.sampled_from(ONLY)))
    edges = {edge: draw(st.sampled_from([*named, *UNKNOWN])) for edge, named in EDGES.values()}
    threshold = draw(st.none() | st.floats(1e-6, 1e9))
    kind = draw(st.sampled_from(KINDS))
    drawn = (draw(st.integers(1, 10**6)), draw(st.booleans()), draw(st.sampled_from(PER))) if kind in WEIGHTS else ()
    return Signature(
        variant, draw(st.sampled_from(USERS)), threshold=threshold, candidates=Candidates(kind, *drawn), **edges
    )


@settings(max_examples=200, deadline=None)
@given(signatures())
def test_both_forms_are_read_back(signature: Signature) -> None:
    assert parse(str(signature)) == signature
    assert parse(signature.short()) == signature
    assert len(signature.short()) <= len(str(signature)) + len("#12345678")


def test_every_variant_of_the_space_is_read_back() -> None:
    printed = {}
    for name in METRICS:
        for variant in spellings(name):
            signature = Signature(variant.at(7))
            assert parse(str(signature)) == signature
            assert parse(signature.short()) == signature
            printed[str(signature)] = signature.digest()
    assert len(printed) > 2500
    assert len(set(printed.values())) == len(printed), "two signatures with one digest"


@settings(max_examples=50, deadline=None)
@given(signatures(), st.randoms())
def test_order_and_white_space_do_not_matter(signature: Signature, random: object) -> None:
    head, *parts = str(signature).split("|")
    random.shuffle(parts)  # type: ignore[attr-defined]
    assert parse(" |\n ".join([head, *parts]).replace(":", ": ")) == signature


@settings(max_examples=80, deadline=None)
@given(signatures(), st.data())
def test_every_planted_wrong_signature_is_found(signature: Signature, data: st.DataObject) -> None:
    head, *parts = str(signature).split("|")
    at = data.draw(st.integers(0, len(parts) - 1))
    name, _, value = parts[at].partition(":")
    rest = [*parts[:at], *parts[at + 1 :]]
    digest = signature.digest()
    other = data.draw(st.integers(0, 7))
    sign = data.draw(st.sampled_from([sign for sign in "0123456789abcdef" if sign != digest[other]]))
    planted = {
        "unknown value": [head, *rest, f"{name}:{value}x"],
        "unknown part": [head, *rest, f"{name}x:{value}"],
        "part without value": [head, *rest, f"{name}:"],
        "no part": [head, *parts, "whatever"],
        "duplicate": [head, *parts, parts[at]],
        "unknown metric": [f"x{head}", *parts],
        "cut-off 0": [f"{head.partition('@')[0]}@0", *parts],
        "negative cut-off": [f"{head.partition('@')[0]}@-5", *parts],
        "cut-off with a point": [f"{head.partition('@')[0]}@2.5", *parts],
        "cut-off as text": [f"{head.partition('@')[0]}@ten", *parts],
        "no cut-off": [head.partition("@")[0], *parts],
        "later version": [head, *parts[:-1], "mh:9.0"],
        "wrong digest": [head, *parts[:-1], f"{parts[-1]}#{digest[:other]}{sign}{digest[other + 1 :]}"],
        "short digest": [head, *parts[:-1], f"{parts[-1]}#{digest[:7]}"],
    }
    if name not in ("times", "round", "only") and not (name == "cand" and value == "given"):
        planted["missing part"] = [head, *rest]
    for kind, wrong in planted.items():
        with pytest.raises(SignatureError) as caught:
            parse("|".join(wrong))
        error = caught.value
        assert error.problems, kind
        assert error.nearest is not None, kind
        assert str(error.nearest) in str(error) or error.nearest.short() in str(error)
        parse(str(error.nearest))


@pytest.mark.parametrize(
    ("wrong", "said", "near"),
    [
        (FULL.replace("binary", "binry"), "gain:binry is unknown", FULL),
        (FULL.replace("|cut:k", ""), "the part 'cut' is missing", FULL),
        (f"{FULL}|cut:k", "the part 'cut' is given twice", FULL),
        (FULL.replace("ndcg@", "ndgc@"), "'ndgc' is no metric; the nearest is ndcg", FULL),
        (FULL.replace("disc:", "discount:"), "no part 'discount'; did you mean disc?", FULL),
        (FULL.replace("@20", "@-20"), "the cut-off '-20' is no whole number", FULL),
        (FULL.replace("norel:skip", "norel:skipped"), "norel:skipped is unknown", FULL),
        (FULL.replace("rel:>0|", "rel:4|"), "rel:4 names no smallest gain", FULL.replace("rel:>0|", "rel:>=4|")),
        (FULL.replace("mh:1.0", "mh:3.1"), "mh:3.1 is a later version", FULL),
        (FULL.replace("|mh:1.0", "|depth:5|mh:1.0"), "depth has a meaning only with ideal:fixed", FULL),
        ("ndcg@20|mh:1.0", "only a short form", FULL),
        (FULL.replace("|mh:1.0", "|cand:uniform|mh:1.2"), "cand:uniform is unknown; write cand:given", FULL),
        (FULL.replace("|mh:1.0", "|cand:all99|mh:1.2"), "cand:all99 is unknown", FULL),
        (FULL.replace("|mh:1.0", "|per:item|mh:1.2"), "per has a meaning only with drawn candidates", FULL),
        (DRAWN.replace("without", "wthout"), "did you mean repl:without?", DRAWN),
    ],
)
def test_what_a_wrong_signature_is_told(wrong: str, said: str, near: str) -> None:
    with pytest.raises(SignatureError, match=re.escape(said)) as caught:
        parse(wrong)
    assert str(caught.value.nearest) == near


def test_a_digest_says_which_way_of_drawing_is_wrong() -> None:
    short = parse(DRAWN).short()
    assert short == "ndcg@20|cand:uniform99|mh:1.2#1a0e8170"
    with pytest.raises(SignatureError, match=re.escape("is that of ndcg@20|cand:uniform99|mh")) as caught:
        parse(short.replace("uniform99", "uniform100"))
    assert caught.value.nearest == parse(DRAWN)


@pytest.mark.parametrize(
    "made",
    [("some",), ("uniform",), ("uniform", 0), ("all", 9), ("given", None, True), ("popularity", 9, True, "list")],
)
def test_candidates_that_there_are_not(made: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match=r"candidates|per must"):
        Candidates(*made)  # type: ignore[arg-type]


def test_what_has_an_expectation() -> None:
    assert str(Candidates("uniform", 99, True, "user").scheme()) == "uniform99(replacement, per=user)"
    assert Candidates("popularity", 100, True).scheme("random").ties == "random"
    for other in (ALL, Candidates("given"), Candidates("popularity", 100)):
        with pytest.raises(ValueError, match=r"not drawn|no closed form"):
            other.scheme()


def test_a_digest_says_which_word_is_wrong() -> None:
    right = replace(parse(FULL), threshold=4.0)
    with pytest.raises(SignatureError, match=re.escape("is that of ndcg@20|rel:>=4|")) as caught:
        parse(right.short().replace(">=4", ">=5"))
    assert caught.value.nearest == right


def test_what_is_nothing_like_a_metric_has_no_nearest() -> None:
    with pytest.raises(SignatureError, match="one of hit_rate") as caught:
        parse("?")
    assert caught.value.nearest is None


@pytest.mark.parametrize(
    ("one", "other", "sentence"),
    [
        (FULL, FULL, "same"),
        (FULL, FULL.replace("norel:skip", "norel:nan"), "same"),
        (FULL, FULL.replace("users:both", "users:recommended"), "same"),
        (FULL, FULL.replace("min(k,r)", "hits"), "differ in ideal (min(k,r), hits)"),
        (FULL, FULL.replace("disc:log2", "disc:ln"), "same"),
        (FULL, FULL.replace("norel:skip", "norel:0"), "differ only for users without relevant items: norel (skip, 0)"),
        (
            FULL,
            FULL.replace("ties:input", "ties:expected"),
            "differ only for items of equal score: ties (input, expected)",
        ),
        (FULL, FULL.replace("norel:skip", "norel:?"), "unknown for users without relevant items: norel (skip, ?)"),
        (
            FULL,
            FULL.replace("users:both", "users:truth"),
            "differ only for users who occur in one table alone: users (both, truth)",
        ),
        (FULL, FULL.replace("users:both", "users:truth").replace("nolist:0", "nolist:skip"), "same"),
        (FULL, DRAWN, "differ in cand (all, uniform99), repl (-, without), per (-, item)"),
        (DRAWN, DRAWN.replace("without", "with"), "differ in repl (without, with)"),
        (FULL, FULL.replace("@20", "@10").replace("rel:>0", "rel:>=4"), "differ in cut-off (20, 10), rel (>0, >=4)"),
    ],
)  # fmt: skip
def test_comparisons(one: str, other: str, sentence: str) -> None:
    assert compare(parse(one), parse(other)).sentence == sentence


def test_twins_of_different_metrics_are_the_same() -> None:
    recall = Signature(Variant.parse("recall(divide_by=min_k_relevant)@10"))
    ndcg = Signature(Variant.parse("ndcg(discount=none)@10"))
    assert compare(recall, ndcg).verdict == "same"
    assert compare(recall, replace(ndcg, no_relevant="zero")).verdict == "differ"


@settings(max_examples=40, deadline=None)
@given(cases(), st.data())
def test_what_compares_as_the_same_is_one_number(case: Case, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["ndcg", "recall", "precision", "average_precision", "reciprocal_rank", "f1"]))
    signature = Signature(data.draw(st.sampled_from(list(spellings(name)))).at(3), users="all", duplicates="counted")
    for other in changed(signature):
        comparable = other.variant.k == 3 and other.threshold is None and other.users == "all"
        if comparable and compare(signature, other).verdict == "same":
            assert value(signature, case) == pytest.approx(value(other, case), abs=1e-12, nan_ok=True), str(other)


def value(signature: Signature, case: Case) -> float:
    return signature.variant.value(case, signature.edges)


def test_a_threshold_that_leaves_every_gain_above_0_relevant_is_none() -> None:
    assert signature_of(Variant.parse("ndcg@5"), STANDARD, threshold=-1.0).threshold is None
    with pytest.raises(ValueError, match="threshold must be a number above 0"):
        Signature(Variant.parse("ndcg@5"), threshold=-1.0)


def test_the_registry_stays_what_it_is() -> None:
    """Published signatures: each is read, printed as it stands, and has the digest that it had."""
    rows = [line.split("\t") for line in REGISTRY.read_text(encoding="utf-8").splitlines()]
    assert len(rows) > 150
    for full, short in rows:
        assert str(parse(full)) == full
        assert parse(full).short() == short
        assert parse(short) == parse(full)


def test_a_choice_of_a_later_version_leaves_older_signatures_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    full, short = FULL, parse(FULL).short()
    monkeypatch.setattr(words, "VERSION", "1.1")
    for module in ("read", "signature"):
        monkeypatch.setattr(f"metric_reference.signatures.{module}.LATER", {("ndcg", "cut"): "1.1"})
    monkeypatch.setattr("metric_reference.signatures.read.VERSION", "1.1")
    old = parse(full.replace("|cut:k", ""))
    assert old.version == "1.0"
    assert str(old) == full.replace("|cut:k", "")
    new = parse(full.replace("cut:k", "cut:none").replace("mh:1.0", "mh:1.1"))
    assert str(new).endswith("|mh:1.1")
    assert parse(str(new)) == new
    assert short.startswith("ndcg@20|mh:1.0#")
