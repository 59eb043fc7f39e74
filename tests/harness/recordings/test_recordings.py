"""The recordings of every release, replayed: what each function was found to compute, as read in its code by others.

The variants below were taken from the research on each library's code and from the paper's own text, not from the
recordings; a recording that says otherwise fails here.
"""

from __future__ import annotations

import re

import pytest

from metric_harness.libraries.describe import find_libraries
from metric_harness.naming.identify import ProbeAnswer, identify
from metric_harness.recordings.read import path_of, read_answer, read_recording, written_answer

LIBRARIES = find_libraries()
RELEASES = [(key, release.version) for key, library in LIBRARIES.items() for release in library.releases]

AP, AUC, NDCG = "average_precision", "auc", "ndcg"
MAPS = {
    ("replay", "MAP"): f"{AP}(divide_by=min_k_relevant)",
    ("beta_rec", "map_at_k"): f"{AP}(divide_by=relevant)",
    ("daisyrec", "map_at_k"): f"{AP}(divide_by=k)",
    ("daisyrec", "MAP"): f"{AP}(divide_by=hits)",
    ("recbole", "map_"): f"{AP}(divide_by=min_k_relevant)",
    ("recbole", "MAP"): f"{AP}(divide_by=min_k_relevant)",
    ("elliot", "MAP"): f"{AP}(divide_by=k, sum_over=all_ranks)",
    ("dl_rs_evaluation", "MAP"): f"{AP}(divide_by=min_list_relevant)",
    ("neurec", "python:map"): f"{AP}(divide_by=cumulative_min)",
    ("neurec", "cpp:map"): f"{AP}(divide_by=min_k_relevant)",
    ("rs_metrics", "mapr"): f"{AP}(divide_by=relevant)",
    ("recommenders", "map"): f"{AP}(divide_by=relevant)",
    ("lenskit", "AveragePrecision"): f"{AP}(divide_by=min_list_relevant)",
    ("torchmetrics", "RetrievalMAP"): f"{AP}(divide_by=hits)",
}
OTHERS = {
    ("recmetrics", "mark"): f"{AP}(divide_by=relevant)",
    ("recmetrics", "recommender_precision"): "precision(divide_by=list, rounded=4, rounds=users)",
    ("recmetrics", "recommender_recall"): "recall(divide_by=relevant, rounded=4, rounds=users)",
    ("ranx", "map"): f"{AP}(divide_by=relevant)",
    ("ranx", "dcg_burges"): f"{NDCG}(gain=exponential, ideal=none)",
    ("ranx", "ndcg"): f"{NDCG}(gain=linear)",
    ("ranx", "hits"): "hit_rate(value=hits)",
    ("tensorflow_ranking", "MeanAveragePrecisionMetric"): f"{AP}(divide_by=relevant)",
    ("tensorflow_ranking", "NDCGMetric"): f"{NDCG}(gain=exponential)",
    ("tensorflow_ranking", "DCGMetric"): f"{NDCG}(gain=exponential, ideal=none)",
    ("tensorflow_recommenders", "FactorizedTopK"): "recall(divide_by=relevant, weight=micro)",
    ("xgboost", "pre"): "precision(divide_by=list)",
    ("catboost", "PrecisionAt"): "precision(divide_by=list)",
    ("keras_rs", "PrecisionAtK"): "precision(divide_by=list)",
    ("tensorflow_ranking", "PrecisionMetric"): "precision(divide_by=list)",
    ("recsys_metrics", "precision"): "precision(divide_by=list)",
    ("evidently", "PrecisionTopKMetric"): "precision(divide_by=list)",
    ("evidently", "FBetaTopKMetric"): "f1(over=means, divide_by=list, no_hits=nan)",
    ("tensorflow_ranking", "OPAMetric"): f"{AUC}(scope=per_pair, ties=lose)",
    ("ranx", "rbp.80"): "rank_biased_precision(cut=none, persistence=0.8)",
    ("dl_rs_evaluation", "HIT_RATE"): "hit_rate(value=hits)",
    ("recpack", "HitK"): "hit_rate(value=hits)",
    ("daisyrec", "mrr_at_k"): "reciprocal_rank(over=sum)",
    ("daisyrec", "MRR"): "reciprocal_rank(over=first)",
    ("dl_rs_evaluation", "ARHR"): "reciprocal_rank(over=sum)",
    ("openrec", "tf2:NDCG"): f"{NDCG}(gain=binary, ideal=none)",
    ("elliot", "nDCG"): f"{NDCG}(gain=exponential_over_threshold)",
    ("elliot", "nDCGRendle2020"): f"{NDCG}(gain=binary)",
    ("elliot", "nDCG[dcg]"): f"{NDCG}(gain=exponential_over_threshold, ideal=none)",
    ("dl_rs_evaluation", "dcg"): f"{NDCG}(gain=exponential, discount=ln, ideal=none)",
    ("dl_rs_evaluation", "NDCG"): f"{NDCG}(gain=exponential, ideal=relevant)",
    ("daisyrec", "ndcg_at_k"): f"{NDCG}(gain=binary, ideal=hits)",
    ("daisyrec", "ndcg_at_k[paper]"): f"{NDCG}(gain=binary)",
    ("lenskit", "NDCG"): f"{NDCG}(gain=binary, discount=max_log2)",
    ("lenskit", "Recall"): "recall(divide_by=min_k_relevant)",
    ("recsys_pytorch", "Recall"): "recall(divide_by=relevant)",
    ("recsys_pytorch", "NDCG"): f"{NDCG}(gain=binary)",
    ("recsys_pytorch", "cython:Prec"): "precision(divide_by=k)",
    ("recsys_pytorch", "cython:Recall"): "recall(divide_by=relevant)",
    ("recsys_pytorch", "cython:NDCG"): f"{NDCG}(gain=binary)",
    ("recsys_pytorch", "cython:HR[leave_one_out]"): "hit_rate(value=any)",
    ("recsys_pytorch", "cython:NDCG[leave_one_out]"): f"{NDCG}(gain=binary)",
    ("beta_rec", "auc"): f"{AUC}(scope=stacked)",
    ("recbole", "gauc_"): f"{AUC}(scope=per_positive)",
    ("recbole", "GAUC"): f"{AUC}(scope=per_positive)",
    ("recbole", "AUC"): f"{AUC}(scope=stacked)",
    ("recommenders", "auc"): f"{AUC}(scope=stacked)",
    ("elliot", "AUC"): f"{AUC}(scope=per_positive, negatives=plus_one)",
    ("elliot", "GAUC"): f"{AUC}(scope=per_user, negatives=plus_one)",
    ("elliot", "LAUC"): f"{AUC}(scope=limited, negatives=plus_one)",
    ("openrec", "tf2:AUC"): f"{AUC}(scope=per_user, ties=win)",
    ("dl_rs_evaluation", "ROC_AUC"): f"{AUC}(scope=top_k)",
    ("replay", "RocAuc"): f"{AUC}(scope=top_k)",
}
CHANGED = {
    ("recommenders", "map_at_k"): (f"{AP}(divide_by=relevant)", f"{AP}(divide_by=min_k_relevant)"),
    ("replay", "Precision"): ("precision(divide_by=list)", "precision(divide_by=k)"),
}
UNINTENDED = {
    ("openrec", "tf1:Precision"): "filtered_rank(value=precision, within=k_plus_one)",
    ("openrec", "tf1:Recall"): "filtered_rank(value=recall, within=k_plus_one)",
    ("openrec", "tf1:NDCG"): "filtered_rank(value=ndcg)",
    ("daisyrec", "auc_at_k[mended]"): "inverted_auc(scope=top_k, misses=k)",
    ("recbole", "gauc_[paper]"): "truncated_auc(scope=per_positive)",
}
BEYOND = {
    ("recbole", "ItemCoverage"): "coverage(of=items, divide_by=padded)",
    ("recbole", "GiniIndex"): "gini(items=padded)",
    ("recbole", "ShannonEntropy"): "entropy(log=ln, normalise=recommended_items)",
    ("recbole", "AveragePopularity"): "popularity(value=count)",
    ("recbole", "TailPercentage"): "popularity(value=tail)",
    ("daisyrec", "Popularity"): "hit_popularity(divide_by=relevant)",
    ("daisyrec", "Diversity"): "diversity(pair=euclidean_distance)",
    ("recpack", "IntraListDiversityK"): "diversity(pair=jaccard_distance, divide_by=pairs_or_one)",
    ("rs_metrics", "surprisal"): "novelty(probability=users)",
    ("recommenders", "novelty"): "novelty(probability=interactions, unseen=skipped, weight=micro)",
    ("recommenders", "catalog_coverage"): "coverage(of=items, divide_by=trained)",
    ("recommenders", "distributional_coverage"): "entropy(log=log2)",
    ("recommenders", "exp_var"): "r_squared(errors=centred)",
    ("beta_rec", "rsquared"): "r_squared(errors=as_they_are)",
    ("replay", "Coverage"): "coverage(of=trained_items, divide_by=trained)",
    ("replay", "Novelty"): "novelty(probability=own_history)",
    ("replay", "Surprisal"): "novelty(probability=users, log=largest, length=k)",
    ("lenskit", "MeanPopRank"): "popularity(value=quantile)",
    ("lenskit", "ExposureGini"): "gini(items=catalogue, attention=geometric)",
    ("lenskit", "RBP"): "rank_biased_precision(cut=k, persistence=0.85)",
    ("elliot", "Gini"): "gini(items=catalogue, divide_by=n_minus_one, value=equality)",
    ("elliot", "EPC"): "serendipity(unexpected=complement, divide_by=list, discount=log2)",
    ("elliot", "MAE"): "mae(over=ratings, of=relevant)",
    ("recmetrics", "novelty"): "novelty(probability=users, length=k)",
    ("recmetrics", "prediction_coverage"): "coverage(of=items, divide_by=trained, rounded=2, times=100)",
    ("recmetrics", "intra_list_similarity"): "diversity(pair=cosine_similarity)",
    ("dl_rs_evaluation", "NOVELTY"): "novelty(probability=interactions, unseen=skipped, length=catalogue)",
    ("dl_rs_evaluation", "DIVERSITY_GINI"): "gini(items=catalogue, divide_by=n_plus_one, value=equality)",
    ("dl_rs_evaluation", "DIVERSITY_HERFINDAHL"): "herfindahl(value=diversity)",
}
UNKNOWN = {
    ("allrank", "mrr"),  # the rank of the document with the largest label
    ("daisyrec", "auc_at_k"),  # it raises a NameError
    ("daisyrec", "F1"),  # 0 / 0 for a user without a hit
    ("dl_rs_evaluation", "DIVERSITY_SIMILARITY"),  # it leaves the last item of a list out
    ("rectools", "MCC"),  # a list shorter than k: its empty ranks are false positives
    ("trectools", "get_rbp"),  # NaN where no query has a hit down to the depth, else as its name says
    ("xgboost", "auc[rank]"),  # pairs of equal labels count, by the order of the rows
}
"""Functions whose answers no known variant gives, each with the reason."""


def variants(key: str, version: str) -> dict[str, str | None]:
    library = LIBRARIES[key]
    recording = read_recording(library, library.release(version))
    assert recording is not None
    return {
        name: None if (found := identify(library.subjects[name].metric, answers).variant) is None else str(found)
        for name, answers in recording.answers.items()
    }


@pytest.mark.parametrize(("key", "version"), RELEASES)
def test_a_release_has_a_whole_recording_of_today(key: str, version: str) -> None:
    library = LIBRARIES[key]
    release = library.release(version)
    recording = read_recording(library, release)
    assert recording is not None, "run `metric-harness record`"
    assert recording.stale == ()
    assert recording.missing == {}
    assert set(recording.answers) == set(library.subjects_of(release))
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", recording.date)


@pytest.mark.parametrize(("key", "version"), RELEASES)
def test_a_recording_is_small_and_speaks_of_no_machine(key: str, version: str) -> None:
    library = LIBRARIES[key]
    text = path_of(library, library.release(version)).read_text(encoding="utf-8")
    assert len(text) < 70_000
    assert not re.search(r"\"/[a-z]+/|[A-Z]:\\\\", text)
    assert "/tmp/" not in text
    assert "site-packages" not in text


@pytest.mark.parametrize(("key", "version"), RELEASES)
def test_a_recording_names_the_known_variants(key: str, version: str) -> None:
    found = variants(key, version)
    newest = LIBRARIES[key].newest().version == version
    wanted = MAPS | OTHERS | UNINTENDED | BEYOND | {who: pair[newest] for who, pair in CHANGED.items()}
    for (library, function), variant in wanted.items():
        if library == key and function in found:
            assert found[function] == variant, function
    assert {(key, name) for name, variant in found.items() if variant is None} <= UNKNOWN


def test_every_known_variant_is_asked_of_some_release() -> None:
    there = {
        (key, name) for key, version in RELEASES for name in LIBRARIES[key].subjects_of(LIBRARIES[key].release(version))
    }
    assert set(MAPS) | set(OTHERS) | set(UNINTENDED) | set(BEYOND) | set(CHANGED) | UNKNOWN <= there


@pytest.mark.parametrize(("shown", "unsettled"), [(True, False), (False, False), (True, True)])
def test_what_an_answer_does_not_tell_is_kept_with_it(shown: bool, unsettled: bool) -> None:
    answer = ProbeAnswer(None, "an error", shown=shown, unsettled=unsettled)
    assert read_answer(written_answer("plain", answer)) == answer
