"""Each style of calling and of returning is found by asking, and the function is named for what it computes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metric_adapters.calls.parameter_names import families
from metric_adapters.calls.signature import Parameters, annotation
from metric_adapters.own import calls, subjects
from metric_adapters.subject import CannotShow
from metric_harness.naming.agreement import agrees
from metric_harness.naming.identify import ProbeAnswer, identify
from metric_harness.naming.metric_names import metric_of_name
from metric_harness.naming.probes.probe import all_probes
from metric_reference.case import Case, case_from_lists
from metric_reference.variant import Variant
from tests.support.places import SUPPORT

STYLES = SUPPORT / "styles"
PACKAGES = {"sparse.py": "scipy", "labelled.py": "pandas", "polars_frames.py": "polars", "tensor_batches.py": "torch"}
N_ITEMS, WIDTH, KS = 30, 12, (1, 3, 6)

FOUND = {
    "several.py:precision_recall#[0]": ("relevant,recommended", "precision(divide_by=k)"),
    "several.py:precision_recall#[1]": ("relevant,recommended", "recall(divide_by=relevant)"),
    "several.py:evaluate_user#hits": ("recommended,relevant", "hit_rate(value=any)"),
    "several.py:evaluate_user#NDCG@{k}": ("recommended,relevant", "ndcg(gain=binary)"),
    "several.py:metrics_by_cut_off#recall": ("relevant,recommended", "recall(divide_by=relevant)"),
    "several.py:metrics_by_cut_off#ndcg": ("relevant,recommended", "ndcg(gain=binary)"),
    "several.py:all_users#precision": ("relevant,recommended:all", "precision(divide_by=k)"),
    "several.py:all_users#recall": ("relevant,recommended:all", "recall(divide_by=relevant)"),
    "several.py:hit_and_mrr#mrr": ("relevant,recommended", "reciprocal_rank(over=first)"),
    "several.py:as_dataclass#precision": ("relevant,recommended", "precision(divide_by=k)"),
    "several.py:as_text#Recall@{k}": ("relevant,recommended", "recall(divide_by=relevant)"),
    "several.py:per_user_arrays#[1]": ("relevant,recommended:all", "recall(divide_by=relevant)"),
    "several.py:by_cut_off": ("relevant,recommended", "ndcg(gain=binary)"),
    "several.py:curve": ("relevant,recommended", "precision(divide_by=k)"),
    "classes.py:recall_at_k": ("list_classes,query_class:column", "hit_rate(value=any)"),
    "classes.py:precision": ("list_classes,query_class:column", "precision(divide_by=k)"),
    "sparse.py:ndcg_of_batch": ("y_score,y_true:csr", "ndcg(gain=binary)"),
    "sparse.py:recall_of_matrices": ("y_true,y_score:csr-both", "recall(divide_by=relevant)"),
    "positions.py:hits_at_n_score": ("ranks", "recall(divide_by=relevant)"),
    "positions.py:mrr_score": ("ranks", "reciprocal_rank(over=mean_relevant)"),
    "positions.py:ndcg_of_rank": ("position", "ndcg(gain=binary)"),
    "positions.py:reciprocal_rank_or_none": ("rank", "reciprocal_rank(over=first)"),
    "positions.py:average_precision_of_positions": (
        "hit_positions,n_relevant",
        "average_precision(divide_by=relevant)",
    ),
    "targets.py:hit_rate_of_batch": ("recommended,item:matrix", "hit_rate(value=any)"),
    "targets.py:mrr_of_columns": ("recommended,item:column", "reciprocal_rank(over=first)"),
    "targets.py:ndcg_of_scores": ("y_score,item:matrix", "ndcg(gain=binary)"),
    "targets.py:hit_ratio_positive_first": ("positive_first:matrix", "hit_rate(value=any)"),
    "targets.py:hit_rate_of_dicts": ("recommended,item:dicts", "hit_rate(value=any)"),
    "labelled.py:recall_of_labelled": ("labelled_frame", "recall(divide_by=relevant)"),
    "labelled.py:auc_of_frame": ("candidate_frame", "auc(scope=per_user)"),
    "labelled.py:precision_of_user": ("labelled_frame:user-frames", "precision(divide_by=k)"),
    "labelled.py:hit_rate_of_lists": ("lists_frame", "hit_rate(value=any)"),
    "positions.py:metrics_of_list#[0]": ("positions", "recall(divide_by=relevant)"),
    "polars_frames.py:hit_rate": ("prediction_frame,truth_frame:polars", "hit_rate(value=any)"),
    "polars_frames.py:precision_before_group_by": ("prediction_frame,truth_frame:polars", "precision(divide_by=k)"),
    "scored_items.py:ndcg_of_tuples": ("relevant,scored:dicts", "ndcg(gain=binary)"),
    "scored_items.py:map_of_run": ("qrels,run", "average_precision(divide_by=relevant)"),
    "scored_items.py:evaluate_run#recip_rank": ("qrels,run", "reciprocal_rank(over=first)"),
    "scored_items.py:recall_of_one_query": ("relevant,scored", "recall(divide_by=relevant)"),
    "scored_items.py:recall_of_second_places": ("score_item,relevant", "recall(divide_by=relevant)"),
    "scored_items.py:precision_of_sorted_pairs": ("score_item,relevant", "precision(divide_by=k)"),
    "scored_items.py:ndcg_of_pairs_by_query": ("score_item,relevant:dicts", "ndcg(gain=binary)"),
    "scored_items.py:reciprocal_rank_of_names": ("score_item,item:strings", "reciprocal_rank(over=first)"),
    "score_labels.py:precision_of_pairs": ("y_score,y_true:pairs", "precision(divide_by=k)"),
    "score_labels.py:user_ndcg": ("y_true_graded,y_score:pairs", "ndcg(gain=linear)"),
    "score_labels.py:group_auc": ("labels,scores,users:flat", "auc(scope=per_user)"),
    "score_labels.py:mrr_of_groups": ("y_true,y_score,sizes:flat", "reciprocal_rank(over=first)"),
    "score_labels.py:roc_auc": ("labels,scores:arrays", "auc(scope=per_user)"),
    "score_labels.py:precision_recall_at_k#[1]": ("predictions", "recall(divide_by=relevant)"),
    "accumulate.py:HitRate": ("recommended,relevant", "hit_rate(value=any)"),
    "accumulate.py:HitRate.add": ("recommended,relevant", "hit_rate(value=any)"),
    "accumulate.py:Recall": ("recommended,relevant:all", "recall(divide_by=relevant)"),
    "accumulate.py:MeanReciprocalRank": ("recommended,relevant", "reciprocal_rank(over=first)"),
    "accumulate.py:SessionRecall": ("score_series,item", "recall(divide_by=relevant)"),
    "accumulate.py:SessionMRR": ("score_series,item", "reciprocal_rank(over=first)"),
    "kinds_of_k.py:recall_by_variable": ("relevant,recommended", "recall(divide_by=relevant)"),
    "kinds_of_k.py:recall_of_ats": ("relevant,recommended", "recall(divide_by=relevant)"),
    "kinds_of_k.py:precision_of_text": ("relevant,recommended", "precision(divide_by=k)"),
    "kinds_of_k.py:Recalls": ("relevant,recommended", "recall(divide_by=relevant)"),
    "kinds_of_k.py:hits_of_relevance": ("relevance", "hit_rate(value=any)"),
    "booleans.py:mrr_of_mask": ("relevance:bool-arrays", "reciprocal_rank(over=first)"),
    "booleans.py:precision_of_row": ("relevance:row", "precision(divide_by=k)"),
    "booleans.py:hit_of_matrix": ("relevance:int-matrix", "hit_rate(value=any)"),
    "text_ids.py:recall_of_titles": ("relevant,recommended:strings", "recall(divide_by=relevant)"),
    "text_ids.py:precision_of_sets": ("relevant,recommended:all-both-sets", "precision(divide_by=list)"),
    "text_ids.py:hit_rate_of_matrix": ("recommended,relevant:matrix-sets", "hit_rate(value=any)"),
    "tensor_batches.py:recall_of_targets": ("recommended,item:tensor-matrix", "recall(divide_by=relevant)"),
    "tensor_batches.py:mrr_of_logits": ("y_score,item:tensor-matrix", "reciprocal_rank(over=first)"),
    "tensor_batches.py:precision_of_booleans": ("y_score,y_true:bool-tensors", "precision(divide_by=k)"),
    "tensor_batches.py:recall_of_rows": ("recommended,relevant:tensor-and-tensors", "recall(divide_by=relevant)"),
    "tensor_batches.py:RetrievalHits": ("y_score,y_true:tensor-matrix", "hit_rate(value=any)"),
    "tensor_batches.py:TopOfPairs": ("y_score,item:couple-tensors", "hit_rate(value=any)"),
    "tensor_batches.py:recalls_of_rows": ("y_score,y_true:tensor-matrix", "recall(divide_by=min_k_relevant)"),
}
"""Target and result: the first convention under which every answer is that of one variant, and the variant."""
TRIED = 60
PLAIN = {"domain": {"relevant": "any"}, "full_lists": ""}
"""What matters to a case of a call that takes any case."""


def random_case(seed: int, one: bool = False, full: bool = False) -> Case:
    """Five users; lists of twelve items out of thirty, or of all items; two to five relevant items, or one."""
    rng = np.random.default_rng(seed)
    lists = [rng.permutation(N_ITEMS)[: N_ITEMS if full else WIDTH].tolist() for _ in range(5)]
    relevant = [rng.permutation(N_ITEMS)[: 1 if one else rng.integers(2, 6)].tolist() for _ in lists]
    scores = [np.linspace(2.0, 1.0, len(row)).tolist() for row in lists]
    candidates = rng.permutation(5 * N_ITEMS).reshape(5, N_ITEMS) / (5.0 * N_ITEMS)
    for user, row in enumerate(lists):
        candidates[user, row] = scores[user]
    gains = [rng.integers(1, 6, len(row)).astype(float).tolist() for row in relevant]
    return case_from_lists(lists, relevant, N_ITEMS, scores=scores, candidate_scores=candidates, gains=gains)


def probed(subject, claimed, element):
    """The answers to the probes that the convention can express."""
    answers = {}
    for probe in all_probes():
        if claimed is None or not probe.metrics or claimed in probe.metrics:
            try:
                found = subject.ask(probe.case, probe.k, element=element)
                answers[probe.name] = ProbeAnswer(found.value, None, found.users, found.values)
            except CannotShow:
                pass
            except Exception as error:
                answers[probe.name] = ProbeAnswer(None, str(error))
    return answers


def holds(subject, variant, row, element):
    """Whether a variant gives the answers for random cases of the kind that the convention takes."""
    for seed in range(4):
        case = random_case(seed, row["domain"]["relevant"] == "one", row["full_lists"] == "always")
        for k in KS:
            try:
                if not agrees(subject.ask(case, k, element=element).value, variant.value(case, k=k)):
                    return False
            except Exception:  # a variant holds only where the function answers every case
                return False
    return True


def audited(target, element):
    """The first convention under which a variant holds on the probes and on random cases, its place, the variant."""
    claimed = metric_of_name(element or target.rpartition(":")[2].partition(".")[0])
    offered, asked = calls(target), subjects(target)
    core = {probe.name for probe in all_probes() if probe.edge is None}
    assert sum(not row["rare"] for row in offered) <= TRIED
    for row in offered:
        answers = probed(asked[row["name"]], claimed, element)
        given = {name: answer.value for name, answer in answers.items() if name in core}
        if not given or None in given.values() or all(math.isnan(value) for value in given.values()):
            continue
        if len(given) > 1 and len(set(given.values())) == 1:
            continue  # a constant says nothing
        found = identify(claimed, answers)
        for variant in [] if found.variant is None else [found.variant, *found.alternatives]:
            if holds(asked[row["name"]], variant, row, element):
                return row["name"], str(variant)
    raise AssertionError(f"{target} is not identified")


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("target", FOUND)
def test_every_style_is_found(target):
    place, _, element = target.partition("#")
    for name, package in PACKAGES.items():
        if place.startswith(name):
            pytest.importorskip(package)
    if place.endswith(("SessionMRR", "SessionRecall")):
        pytest.importorskip("pandas")
    assert audited(f"{STYLES}/{place}", element or None) == FOUND[target]


NOT_CUT = {
    "without_k.py:average_precision_score": (
        "y_true,y_score:arrays",
        "average_precision(divide_by=relevant, cut=none)",
    ),
    "without_k.py:ndcg_score": ("y_true_graded,y_score:matrix", "ndcg(gain=linear, ideal=relevant, cut=none)"),
}


@pytest.mark.parametrize("target", NOT_CUT)
def test_a_function_of_scores_without_k_needs_lists_of_everything(target):
    name, variant = NOT_CUT[target]
    row = next(row for row in calls(f"{STYLES}/{target}") if row["name"] == name)
    assert row["full_lists"] == "always"
    subject = subjects(f"{STYLES}/{target}")[name]
    assert holds(subject, Variant.parse(variant), row, None)
    assert not holds(subject, Variant.parse(variant), PLAIN, None)


CUT = {
    "kinds_of_k.py:precision_not_cut": ("relevant,recommended:lists-cut", "precision(divide_by=k)"),
    "scored_items.py:average_precision_of_cut_lists": (
        "grades,scored:dicts-cut",
        "average_precision(divide_by=min_k_relevant)",
    ),
}


@pytest.mark.parametrize("target", CUT)
def test_a_function_that_takes_k_and_does_not_cut_may_get_lists_that_end_at_k(target):
    name, variant = CUT[target]
    assert name in [row["name"] for row in calls(f"{STYLES}/{target}")]
    assert holds(subjects(f"{STYLES}/{target}")[name], Variant.parse(variant), PLAIN, None)


def test_cut_offs_in_the_source_are_said(tmp_path):
    path = tmp_path / "cut_at_ten.py"
    path.write_text("def hit(relevant, recommended):\n    return any(i in relevant for i in recommended[:10])\n")
    assert {tuple(row["cuts"]) for row in calls(f"{path}:hit")} == {(10,)}


GIVEN = {
    "given_data.py:Report.mean_average_precision": (
        "relevance:all-full",
        "average_precision(divide_by=relevant, cut=none)",
    ),
    "given_data.py:auc_of_ranking": ("relevance:lists-full", "auc(scope=per_user)"),
}


@pytest.mark.parametrize("target", GIVEN)
def test_a_list_without_a_hit_is_that_of_a_user_without_truth(target):
    name, variant = GIVEN[target]
    row = next(row for row in calls(f"{STYLES}/{target}") if row["name"] == name)
    subject = subjects(f"{STYLES}/{target}")[name]
    assert row["full_lists"] == "always"
    assert holds(subject, Variant.parse(variant), row, None)
    assert not holds(subject, Variant.parse(variant), PLAIN, None)


def test_a_class_that_is_made_with_the_data_takes_k_in_its_method():
    subject = subjects(f"{STYLES}/given_data.py:Report.precision", "relevance:all")["Report.precision"]
    assert holds(subject, Variant.parse("precision(divide_by=k)"), PLAIN, None)


def test_a_cut_off_with_a_fraction_is_for_grades():
    def hit(r, cutoff=0.5): ...

    assert Parameters(hit).strong_k is None


def test_a_required_n_goes_before_a_k_that_need_not_be_given():
    def recall_at(groups, y, scores, N, k=None): ...

    found = Parameters(recall_at)
    assert (found.strong_k, found.required(found.data)) == ("N", ["groups", "y", "scores"])


GradesOfUsers = dict[str, dict[str, int]]


def test_an_annotation_that_names_an_alias_is_what_that_stands_for():
    def ndcg(run, qrels: GradesOfUsers, k): ...

    assert "dict[str, int]" in annotation(Parameters(ndcg).all["qrels"])


def test_k_is_called_eval_at_and_the_truth_desired():
    def evaluate(actual, desired, eval_at): ...

    assert Parameters(evaluate).strong_k == "eval_at"
    assert "truth" in families("desired")
