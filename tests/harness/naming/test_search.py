"""The search for the right call, with a table of answers in place of a worker."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from metric_harness.naming.attempt import Attempt
from metric_harness.naming.question import Question
from metric_harness.naming.search import Wanted, limits_to_try, search
from metric_harness.worker.messages import OfferedCall
from metric_harness.worker.reply import Reply
from metric_reference.variant import Variant
from tests.support.calls import offered

Answer = Callable[[Question], Reply]
ERROR = Reply(kind="exception", error="TypeError: no list")


def variant(text: str, k: int | None = None) -> Answer:
    """The value of a variant; with k, at that cut-off alone."""
    parsed = Variant.parse(text)
    return lambda asked: Reply(value=parsed.value(asked.case, k=k or asked.k))


def table(answers: Mapping[str, Answer]) -> Callable[[Attempt, Question], Reply]:
    """What each call answers, by its printed name; every other one raises."""
    return lambda attempt, asked: answers.get(attempt.name, lambda asked: ERROR)(asked)


PRECISION, RECALL = variant("precision(divide_by=k)"), variant("recall(divide_by=relevant)")
PAIR, SWAPPED = offered("relevant,recommended"), offered("recommended,relevant")


def named(answers: Mapping[str, Answer], calls: list[OfferedCall], wanted: Wanted) -> dict[str, str]:
    choices = search(table(answers), calls, wanted)
    return {element: f"{choice.chosen.attempt.name} {choice.variant}" for element, choice in choices.items()}


def test_the_call_that_is_verified_as_the_claimed_metric_is_chosen() -> None:
    answers = {"relevant,recommended": PRECISION, "recommended,relevant": RECALL}
    for metric, expected in {
        "precision": "relevant,recommended precision(divide_by=k)",
        "recall": "recommended,relevant recall(divide_by=relevant)",
    }.items():
        assert named(answers, [PAIR, SWAPPED], Wanted(metric=metric)) == {"": expected}


def test_two_orders_that_are_two_metrics_have_no_name_where_none_is_claimed() -> None:
    answers = {"relevant,recommended": PRECISION, "recommended,relevant": RECALL}
    (choice,) = search(table(answers), [PAIR, SWAPPED], Wanted(metric=None)).values()
    assert choice.variant is None
    assert [rival.attempt.name for rival in choice.rivals] == ["recommended,relevant"]


def test_the_call_that_the_user_gives_is_the_only_one() -> None:
    given = Wanted(metric="precision", given_call=True)
    assert named({"recommended,relevant": RECALL}, [SWAPPED], given) == {
        "": "recommended,relevant recall(divide_by=relevant)"
    }


@pytest.mark.parametrize(
    ("wide", "narrow", "metric", "computes"),
    [
        ("relevance_graded", "relevance", "ndcg", "ndcg(gain=linear)"),
        ("labels,scores", "labels,scores:flat", "auc", "auc(scope=per_user)"),
    ],
)
def test_a_call_that_shows_a_part_is_not_asked_at_size(wide: str, narrow: str, metric: str, computes: str) -> None:
    users = {wide: 0, narrow: 0}

    def ask(attempt: Attempt, asked: Question) -> Reply:
        users[attempt.name] = max(users[attempt.name], asked.case.users)
        return variant(computes if attempt.name == wide else computes.replace("per_user", "stacked"))(asked)

    (choice,) = search(ask, [offered(wide), offered(narrow)], Wanted(metric=metric)).values()
    assert (choice.chosen.attempt.name, choice.verified) == (wide, True)
    assert users[wide] > 100
    assert users[narrow] < 10
    assert (choice.stacked is not None) == narrow.endswith("flat")


def test_each_element_of_a_return_is_named() -> None:
    several = Reply(kind="exception", error="SeveralResults", elements=("precision", "recall"))
    answers = {
        "relevant,recommended": lambda asked: several,
        "relevant,recommended#precision": PRECISION,
        "relevant,recommended#recall": RECALL,
    }
    assert named(answers, [PAIR, SWAPPED], Wanted(metric=None)) == {
        "precision": "relevant,recommended#precision precision(divide_by=k)",
        "recall": "relevant,recommended#recall recall(divide_by=relevant)",
    }


def test_several_results_of_an_unlikelier_call_do_not_hide_a_number_that_some_users_lack() -> None:
    several = Reply(kind="exception", error="SeveralResults", elements=("[0]", "[1]"))

    def of_users_with_a_hit(asked: Question) -> Reply:
        value = PRECISION(asked).value
        return Reply(value=value or math.nan)

    answers = {"relevant,recommended": of_users_with_a_hit, "recommended,relevant": lambda asked: several}
    assert set(search(table(answers), [PAIR, SWAPPED], Wanted(metric=None))) == {""}
    assert set(search(table(answers), [SWAPPED, PAIR], Wanted(metric=None))) == {"[0]", "[1]"}


def test_a_rare_call_is_tried_where_no_usual_one_is_verified() -> None:
    rare = replace(offered("relevance,list_length:matrix"), rare=True)
    answers = {"relevant,recommended": lambda asked: Reply(value=0.25), rare.name: PRECISION}
    assert named(answers, [PAIR, rare], Wanted(metric="precision")) == {"": f"{rare.name} precision(divide_by=k)"}


def test_a_cut_off_that_the_source_holds_is_presumed_where_nothing_else_gives_a_name() -> None:
    limited = replace(PAIR, limits=(4,))

    def cut_at_four(asked: Question) -> Reply:
        return Reply(value=Variant.parse("recall(divide_by=relevant)").value(asked.case, k=min(asked.k, 4)))

    (choice,) = search(table({limited.name: cut_at_four}), [limited], Wanted(metric="recall")).values()
    assert (str(choice.variant), choice.chosen.attempt.cut) == ("recall(divide_by=relevant)", 4)
    assert max(choice.chosen.evidence.cutoffs) == 4


@pytest.mark.parametrize("noise", [0.0, 1e-15])
def test_nothing_fits_a_constant(noise: float) -> None:
    (choice,) = search(
        table({"relevant,recommended": lambda asked: Reply(value=1.0 + noise * asked.k)}), [PAIR], Wanted(metric=None)
    ).values()
    assert choice.variant is None
    assert "a constant tells no definition apart" in str(choice.chosen.evidence.reason)


def test_the_number_in_the_name_of_a_result_is_its_cut_off() -> None:
    """A comparison with 0 may stand under another number by mistake."""
    assert limits_to_try([5, 10, 20], "recall@10") == [10, 1]
    assert limits_to_try([5, 10, 20], "recall@7") == [1]
    assert limits_to_try([5, 10, 20], "recall@1") == [1]
    assert limits_to_try([5, 10, 20, 50], "[1]") == [5, 10, 20]
