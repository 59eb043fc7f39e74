"""Statements of the paper and of a review of it about metrics, checked against the releases that the paper used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from metric_harness.bundles.build import Bundle
from metric_harness.bundles.user_sample import case_of
from metric_harness.models.ease import top_k
from metric_harness.paper.seen import CONFIRMED, REFUTED, UNCHECKED, Seen, Verdict
from metric_reference.case import Case
from metric_reference.edges import STANDARD
from metric_reference.variant import Variant
from metric_reports.record import from_json_number
from metric_reports.tolerances import FLOAT32

SHORT_LIST = "short_list"
"""The probe with a list of 3 items where k is 5; hits at ranks 1 and 3."""

RANDOM_MARGIN = 0.05
"""An AUC further from 0.5 is not that of a random order; with the users of a small data set it varies by 0.01."""


class About(NamedTuple):
    """What a statement is checked against.

    then : the subjects and cells of the releases that the paper used. page : ``paper.toml``. k : the cut-off.
    """

    then: Seen
    bundle: Bundle
    k: int
    page: Mapping[str, Any]

    def variants(self, column: str) -> dict[tuple[str, str], Variant]:
        """The known variants of the functions in a column of Table 1, by library and function."""
        rows = self.page["tables"][0]["rows"]
        functions = [(row["library"], row[column]["function"]) for row in rows if column in row and "note" not in row]
        variants = {name: self.then.variant(*name) for name in functions}
        return {name: variant for name, variant in variants.items() if variant is not None}

    def case_with_scores(self) -> Case:
        """The sample of the bundle, which has the scores of all candidates; the whole bundle without one."""
        return self.bundle.case if self.bundle.sample is None else self.bundle.sample.case


def _precision_and_recall(context: About) -> Verdict:
    """The definitions of precision and recall, and the libraries' own answers for a list shorter than k."""
    precision, recall = context.variants("precision"), context.variants("recall")
    if len(precision) < 2 or len(recall) < 2:
        return UNCHECKED, "needs two libraries with both metrics, live or recorded"
    answers = {name: from_json_number(context.then.answer(*name, SHORT_LIST)) for name in precision}
    values = {name: value for name, value in answers.items() if value is not None}
    sentences = [
        f"precision has {_definitions(precision)}, recall has {_definitions(recall)}",
        "of a list of 3 items with 2 hits at k = 5, " + "; ".join(_by_value(values, "give")) if values else "",
        "where every list holds k items they agree",
    ]
    differ = len(set(precision.values())) > 1 or len(set(recall.values())) > 1
    return (REFUTED if differ else CONFIRMED), ". ".join(text[0].upper() + text[1:] for text in sentences if text)


def _five_values(context: About) -> Verdict:
    """The number of different values of MAP on these lists, and of the definitions behind them."""
    variants = context.variants("average_precision")
    values = {name: context.then.value(*name) for name in variants}
    known = {name: value for name, value in values.items() if value is not None}
    published = sum("average_precision" in row for row in context.page["tables"][0]["rows"])
    if len(known) < published:
        return UNCHECKED, f"needs all {published} libraries with MAP, live or recorded; there are {len(known)}"
    groups = list(_by_value(known, "give"))
    evidence = f"{len(groups)} values from {_definitions(variants)}. On these lists " + "; ".join(groups)
    return (CONFIRMED if len(groups) == 5 else REFUTED), evidence


def _no_normaliser(context: About) -> Verdict:
    """The ideal of OpenRec's NDCG."""
    variant = context.then.variant("openrec", "tf2:NDCG")
    if variant is None:
        return UNCHECKED, "OpenRec's NDCG was not identified"
    if variant.choices()["ideal"] != "none":
        return REFUTED, f"it computes {variant}"
    return CONFIRMED, f"it computes {variant}: the sum of the discounted gains, divided by no ideal"


def _random_auc(context: About) -> Verdict:
    """Every AUC of the paper's libraries for random scores of the candidates of this split."""
    case = context.case_with_scores()
    variants = context.variants("auc")
    if case.candidate_scores is None or not variants:
        return UNCHECKED, "needs the scores of all candidates and an AUC that is known"
    random = _random_case(case, context.bundle.case.recommended.shape[1])
    values = {name: variant.value(random, STANDARD, context.k) for name, variant in variants.items()}
    groups = "; ".join(_by_value(values, "get"))
    evidence = f"for random scores (seed 0) of the candidates of {case.users} users, {groups}"
    if all(abs(value - 0.5) < RANDOM_MARGIN for value in values.values()):
        return REFUTED, evidence
    return CONFIRMED, f"{evidence}. What cuts the list at {context.k} counts relevant items past the cut as lost"


def _unreachable_one(context: About) -> Verdict:
    """Average precision of k hits in k ranks where twice as many items are relevant."""
    variants, k = context.variants("average_precision"), context.k
    over_r = [name for name, variant in variants.items() if variant.choices()["divide_by"] == "relevant"]
    if not over_r:
        return UNCHECKED, "no library that divides by the relevant items ran here"
    items = np.arange(2 * k)
    perfect = Case(
        recommended=items[None, :k],
        judged_indptr=np.array([0, 2 * k]),
        judged_items=items,
        judged_gains=np.ones(2 * k),
        n_items=2 * k,
    )
    values = {name: variant.value(perfect, STANDARD, k) for name, variant in variants.items()}
    case = context.bundle.case
    users = int((np.bincount(case.judged_users[case.relevant]) > k).sum())
    evidence = f"for {k} hits in {k} ranks and {2 * k} relevant items, " + "; ".join(_by_value(values, "give"))
    evidence += f". {users} of the {case.users} users here have more than {k} relevant items"
    return (CONFIRMED if all(values[name] < 1 for name in over_r) else REFUTED), evidence


def _gauc_too(context: About) -> Verdict:
    """The AUC of RePlay and DL RS Evaluation beside GAUC, the mean of users' AUC: on uncut lists, and on cut ones."""
    variants = [context.then.variant(*name) for name in (("replay", "RocAuc"), ("dl_rs_evaluation", "ROC_AUC"))]
    known = [variant for variant in variants if variant is not None]
    case = context.case_with_scores()
    if not known or case.candidate_scores is None:
        return UNCHECKED, "needs the AUC of RePlay or of DL RS Evaluation, and the scores of all candidates"
    ranked = _ranked(case_of(case, np.arange(min(case.users, 100)), case.candidate_scores[:100]), case.n_items)
    gauc = Variant.parse("auc(scope=per_user)").value(ranked, STANDARD, ranked.n_items)
    uncut, cut = ([variant.value(ranked, STANDARD, k) for variant in known] for k in (ranked.n_items, context.k))
    names = " and ".join(dict.fromkeys(str(variant) for variant in known))
    evidence = (
        f"they compute {names}. On the whole ranking of {ranked.users} users that is {_listed(uncut)}, and GAUC is "
        f"{gauc:.4f}; cut at {context.k} it is {_listed(cut)}"
    )
    return (CONFIRMED if all(abs(value - gauc) < FLOAT32 for value in uncut) else REFUTED), evidence


def _random_case(case: Case, depth: int) -> Case:
    """The case with random scores of its candidates, and lists of the ``depth`` best."""
    assert case.candidate_scores is not None
    candidates = np.isfinite(case.candidate_scores)
    scores = np.where(candidates, np.random.RandomState(0).random_sample(candidates.shape), -np.inf)
    return _ranked(replace(case, candidate_scores=scores), depth)


def _ranked(case: Case, depth: int) -> Case:
    """The case with lists of the ``depth`` candidates with the highest scores."""
    assert case.candidate_scores is not None
    items, scores = top_k(np.asarray(case.candidate_scores), depth)
    return replace(case, recommended=items, scores=scores).check()


def _definitions(variants: Mapping[tuple[str, str], Variant]) -> str:
    names = sorted(set(map(str, variants.values())))
    return f"{len(names)} definition{'s' if len(names) > 1 else ''} ({', '.join(names)})"


def _by_value(values: Mapping[tuple[str, str], float], verb: str) -> Iterable[str]:
    """``A and B give 0.4`` for each value, the largest first."""
    groups: list[tuple[float, list[str]]] = []
    for (library, _), value in sorted(values.items(), key=lambda item: -item[1]):
        if groups and abs(groups[-1][0] - value) < FLOAT32:
            groups[-1][1].append(library)
        else:
            groups.append((value, [library]))
    for value, names in groups:
        yield f"{', '.join(names)} {verb if len(names) > 1 else f'{verb}s'} {value:.4g}"


def _listed(values: Sequence[float]) -> str:
    return " and ".join(dict.fromkeys(f"{value:.4f}" for value in values))


STATEMENTS = (
    ("Precision and recall never differ between libraries.", _precision_and_recall),
    ("MAP takes five different values.", _five_values),
    ("OpenRec's NDCG lacks the normaliser.", _no_normaliser),
    ("A random recommender does not get an AUC of 0.5.", _random_auc),
    ("Average precision over r cannot reach 1 for r > k.", _unreachable_one),
    ("RePlay and DL RS Evaluation compute GAUC as well as GAUC@k.", _gauc_too),
)
