"""What the paper and a review of it say of whole metrics, each held against the releases that the paper used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from metric_harness.bundles.build import Bundle
from metric_harness.bundles.user_sample import case_of
from metric_harness.models.ease import top_k
from metric_harness.paper.seen import CONFIRMED, REFUTED, UNCHECKED, Seen, Told
from metric_reference.case import Case
from metric_reference.edges import STANDARD
from metric_reference.variant import Variant
from metric_reports.record import from_json_number

SHORT_LIST = "short_list"
"""The probe with a list of 3 items where k is 5; hits at ranks 1 and 3."""

FAR = 0.05
"""An AUC this far from 0.5 is not that of a random order: with the users of a small data set it moves by 0.01."""

SAME = 1e-6
"""Values this close count as one value: some libraries compute in float32."""


class About(NamedTuple):
    """What a statement is held against.

    then : the subjects and cells of the releases that the paper used. page : ``paper.toml``. k : the cut-off.
    """

    then: Seen
    bundle: Bundle
    k: int
    page: Mapping[str, Any]

    def variants(self, column: str) -> dict[tuple[str, str], Variant]:
        """What the functions of a column of Table 1 compute, by library and function, as far as it is known."""
        rows = self.page["tables"][0]["rows"]
        functions = [(row["library"], row[column]["function"]) for row in rows if column in row and "note" not in row]
        found = {name: self.then.variant(*name) for name in functions}
        return {name: variant for name, variant in found.items() if variant is not None}


def precision_and_recall(about: About) -> Told:
    """Which precisions and recalls there are, and what the library itself answered for a list shorter than k."""
    precision, recall = about.variants("precision"), about.variants("recall")
    if len(precision) < 2 or len(recall) < 2:
        return UNCHECKED, "needs two libraries with both metrics, live or recorded"
    given = {name: from_json_number(about.then.answer(*name, SHORT_LIST)) for name in precision}
    short = {name: value for name, value in given.items() if value is not None}
    said = [
        f"precision has {_definitions(precision)}, recall has {_definitions(recall)}",
        "of a list of 3 items with 2 hits at k = 5, " + "; ".join(_by_value(short, "give")) if short else "",
        "where every list holds k items they agree",
    ]
    differ = len(set(precision.values())) > 1 or len(set(recall.values())) > 1
    return (REFUTED if differ else CONFIRMED), ". ".join(part[0].upper() + part[1:] for part in said if part)


def five_values(about: About) -> Told:
    """The number of different values of MAP on the lists at hand, and of definitions behind them."""
    variants = about.variants("average_precision")
    values = {name: about.then.value(*name) for name in variants}
    known = {name: value for name, value in values.items() if value is not None}
    published = sum("average_precision" in row for row in about.page["tables"][0]["rows"])
    if len(known) < published:
        return UNCHECKED, f"needs all {published} libraries with MAP, live or recorded; there are {len(known)}"
    groups = list(_by_value(known, "give"))
    said = f"{len(groups)} values from {_definitions(variants)}. On these lists " + "; ".join(groups)
    return (CONFIRMED if len(groups) == 5 else REFUTED), said


def no_normaliser(about: About) -> Told:
    """OpenRec's NDCG: its ideal."""
    variant = about.then.variant("openrec", "tf2:NDCG")
    if variant is None:
        return UNCHECKED, "OpenRec's NDCG was not identified"
    said = f"it computes {variant}: the sum of the discounted gains, divided by no ideal"
    return (CONFIRMED, said) if variant.choices()["ideal"] == "none" else (REFUTED, f"it computes {variant}")


def random_auc(about: About) -> Told:
    """Every AUC of the paper's libraries for random scores of the candidates of this split."""
    case = about.bundle.sample.case if about.bundle.sample is not None else about.bundle.case
    variants = about.variants("auc")
    if case.candidate_scores is None or not variants:
        return UNCHECKED, "needs the scores of all candidates and an AUC that is known"
    drawn = random_case(case, about.bundle.case.recommended.shape[1])
    values = {name: variant.value(drawn, STANDARD, about.k) for name, variant in variants.items()}
    far = {name for name, value in values.items() if not abs(value - 0.5) < FAR}
    said = f"for random scores (seed 0) of the candidates of {case.users} users, " + "; ".join(_by_value(values, "get"))
    named = f". What cuts the list at {about.k} counts relevant items past the cut as lost" if far else ""
    return (CONFIRMED if far else REFUTED), said + named


def unreachable_one(about: About) -> Told:
    """Average precision of k hits in k ranks where twice as many items are relevant."""
    variants, k = about.variants("average_precision"), about.k
    over_r = [name for name, variant in variants.items() if variant.choices()["divide_by"] == "relevant"]
    if not over_r:
        return UNCHECKED, "no library that divides by the relevant items ran here"
    many = np.arange(2 * k)
    perfect = Case(
        recommended=many[None, :k],
        judged_indptr=np.array([0, 2 * k]),
        judged_items=many,
        judged_gains=np.ones(2 * k),
        n_items=2 * k,
    )
    values = {name: variant.value(perfect, STANDARD, k) for name, variant in variants.items()}
    users = int((np.bincount(about.bundle.case.judged_users[about.bundle.case.relevant]) > k).sum())
    said = f"for {k} hits in {k} ranks and {2 * k} relevant items, " + "; ".join(_by_value(values, "give"))
    said += f". {users} of the {about.bundle.case.users} users here have more than {k} relevant items"
    return (CONFIRMED if all(values[name] < 1 for name in over_r) else REFUTED), said


def gauc_too(about: About) -> Told:
    """The AUC of RePlay and DL RS Evaluation, beside the mean of users' AUC: on cut lists, and on whole ones."""
    variants = [about.then.variant(*name) for name in (("replay", "RocAuc"), ("dl_rs_evaluation", "ROC_AUC"))]
    known = [variant for variant in variants if variant is not None]
    case = about.bundle.sample.case if about.bundle.sample is not None else about.bundle.case
    if not known or case.candidate_scores is None:
        return UNCHECKED, "needs the AUC of RePlay or of DL RS Evaluation, and the scores of all candidates"
    whole = whole_lists(case_of(case, np.arange(min(case.users, 100)), case.candidate_scores[:100]))
    usual = Variant.parse("auc(scope=per_user)")
    gauc = usual.value(whole, STANDARD, whole.n_items)
    uncut, cut = ([variant.value(whole, STANDARD, k) for variant in known] for k in (whole.n_items, about.k))
    names = " and ".join(dict.fromkeys(str(variant) for variant in known))
    said = (
        f"they compute {names}. On the whole ranking of {whole.users} users that is {_listed(uncut)}, and GAUC is "
        f"{gauc:.4f}; cut at {about.k} it is {_listed(cut)}"
    )
    return (CONFIRMED if all(abs(value - gauc) < SAME for value in uncut) else REFUTED), said


def random_case(case: Case, depth: int, seed: int = 0) -> Case:
    """A case whose candidates have random scores, and lists by them."""
    assert case.candidate_scores is not None
    candidates = np.isfinite(case.candidate_scores)
    drawn = np.where(candidates, np.random.RandomState(seed).random_sample(candidates.shape), -np.inf)
    items, scores = top_k(drawn, depth)
    return replace(case, recommended=items, scores=scores, candidate_scores=drawn).check()


def whole_lists(case: Case) -> Case:
    """A case whose lists hold all candidates of their users."""
    assert case.candidate_scores is not None
    items, scores = top_k(np.asarray(case.candidate_scores), case.n_items)
    return replace(case, recommended=items, scores=scores).check()


def _definitions(variants: Mapping[tuple[str, str], Variant]) -> str:
    found = sorted(set(map(str, variants.values())))
    return f"{len(found)} definition{'s' if len(found) > 1 else ''} ({', '.join(found)})"


def _by_value(values: Mapping[tuple[str, str], float], verb: str) -> Iterable[str]:
    """``A and B give 0.4`` for each value, the largest first."""
    groups: list[tuple[float, list[str]]] = []
    for (library, _), value in sorted(values.items(), key=lambda item: -item[1]):
        if groups and abs(groups[-1][0] - value) < SAME:
            groups[-1][1].append(library)
        else:
            groups.append((value, [library]))
    for value, names in groups:
        yield f"{', '.join(names)} {verb if len(names) > 1 else f'{verb}s'} {value:.4g}"


def _listed(values: Sequence[float]) -> str:
    return " and ".join(dict.fromkeys(f"{value:.4f}" for value in values))


STATEMENTS = (
    ("Precision and recall never differ between libraries.", precision_and_recall),
    ("MAP takes five different values.", five_values),
    ("OpenRec's NDCG lacks the normaliser.", no_normaliser),
    ("A random recommender does not get an AUC of 0.5.", random_auc),
    ("Average precision over r cannot reach 1 for r > k.", unreachable_one),
    ("RePlay and DL RS Evaluation compute GAUC as well as GAUC@k.", gauc_too),
)
