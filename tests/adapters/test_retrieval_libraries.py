"""What libraries of retrieval, of generation on top of it, and others answer for the four hand-made users at k = 5."""

import pytest

from tests.adapters.test_adapters import four_users
from tests.support.live import Live

AP_OVER_R, AP_OVER_HITS, AP_OF_LISTS, NDCG, NDCG_UNCUT_IDEAL = 0.503571, 0.6125, 0.63125, 0.619406, 0.572021
FOUR_USERS = {
    "pytrec_eval": {
        "success": 0.75,
        "P": 0.4,
        "recall": 0.595238,
        "recip_rank": 0.65,
        "map": AP_OF_LISTS,
        "map_cut": AP_OVER_R,
        "ndcg": 0.728682,
        "ndcg_cut": NDCG,
        "set_P": 0.4,
        "set_recall": 0.595238,
    },
    "ir_measures": {
        "Success@k": 0.75,
        "P@k": 0.4,
        "R@k": 0.595238,
        "RR": 0.65,
        "RR@k": 0.625,
        "AP": AP_OF_LISTS,
        "AP@k": AP_OVER_R,
        "nDCG": 0.728682,
        "nDCG@k": NDCG,
    },
    "trectools": {"get_precision": 0.4, "get_recall": 0.595238, "get_reciprocal_rank": 0.625, "get_map": AP_OVER_R},
    "cwl_eval": {
        "PrecisionCWLMetric": 0.4,
        "RRCWLMetric": 0.65,
        "APCWLMetric": AP_OF_LISTS,
        "NDCGCWLMetric": 0.421088,
    },
    "haystack": {
        "DocumentRecallEvaluator": 0.75,
        "DocumentRecallEvaluator[multi_hit]": 0.595238,
        "DocumentMRREvaluator": 0.625,
        "DocumentMAPEvaluator": AP_OVER_R,
        "DocumentNDCGEvaluator": NDCG_UNCUT_IDEAL,
    },
    "llama_index": {
        "HitRate": 0.75,
        "MRR": 0.625,
        "Precision": 0.4,
        "Recall": 0.595238,
        "AveragePrecision": AP_OVER_R,
        "NDCG": NDCG_UNCUT_IDEAL,
    },
    "mlflow": {"precision_at_k": 0.4, "recall_at_k": 0.595238},
    "continuous_eval": {
        "PrecisionRecallF1:context_precision": 0.4,
        "PrecisionRecallF1:context_recall": 0.595238,
        "RankedRetrievalMetrics:average_precision": AP_OVER_HITS,
        "RankedRetrievalMetrics:reciprocal_rank": 0.625,
        "RankedRetrievalMetrics:ndcg": NDCG_UNCUT_IDEAL,
    },
    "ragas": {"IDBasedContextPrecision": 0.4, "IDBasedContextRecall": 0.595238},
    "evidently": {
        "HitRateKMetric": 0.75,
        "PrecisionTopKMetric": 0.4,
        "RecallTopKMetric": 0.595238,
        "MRRKMetric": 0.625,
        "MAPKMetric": AP_OVER_R,
        "NDCGKMetric": NDCG,
    },
    "sentence_transformers": {
        "InformationRetrievalEvaluator:accuracy@k": 0.75,
        "InformationRetrievalEvaluator:precision@k": 0.4,
        "InformationRetrievalEvaluator:recall@k": 0.595238,
        "InformationRetrievalEvaluator:mrr@k": 0.625,
        "InformationRetrievalEvaluator:map@k": 0.575,
        "InformationRetrievalEvaluator:ndcg@k": NDCG,
    },
    "beir": {
        "evaluate:NDCG@k": 0.61941,
        "evaluate:MAP@k": 0.50357,
        "evaluate:Recall@k": 0.59524,
        "evaluate:P@k": 0.4,
        "evaluate_custom:mrr": 0.625,
        "evaluate_custom:recall_cap": 0.66667,
        "evaluate_custom:top_k_acc": 0.75,
    },
    "mteb": {"hit_rate": 0.75, "precision": 0.4, "recall": 0.59524, "mrr": 0.625, "map": 0.50357, "ndcg": 0.61941},
    "torch_geometric": {
        "LinkPredHitRatio": 0.75,
        "LinkPredPrecision": 0.4,
        "LinkPredRecall": 0.595238,
        "LinkPredMRR": 0.625,
        "LinkPredMAP": 0.575,
        "LinkPredNDCG": NDCG,
    },
    "ranx": {
        "hits": 2.0,
        "hit_rate": 0.75,
        "precision": 0.4,
        "recall": 0.595238,
        "mrr": 0.625,
        "map": AP_OVER_R,
        "ndcg": NDCG,
        "ndcg_burges": NDCG,
        "map[make_comparable]": AP_OVER_R,
    },
    "recmetrics": {"recommender_precision": 0.4, "recommender_recall": 0.59525, "mark": AP_OVER_R},
    "tensorflow_ranking": {
        "HitsMetric": 0.75,
        "PrecisionMetric": 0.4,
        "RecallMetric": 0.595238,
        "MRRMetric": 0.625,
        "MeanAveragePrecisionMetric": AP_OVER_R,
        "NDCGMetric": NDCG,
        "DCGMetric": 1.24156,
    },
    "tensorflow_recommenders": {"FactorizedTopK": 0.666667, "FactorizedTopK[true_candidate_ids]": 0.666667},
    "trulens": {
        "ir_hit_rate": 0.75,
        "precision_at_k": 0.4,
        "recall_at_k": 0.595238,
        "mrr": 0.625,
        "ndcg_at_k": NDCG,
    },
}


@pytest.mark.live
@pytest.mark.parametrize(("key", "function"), [(key, name) for key, row in FOUR_USERS.items() for name in row])
def test_four_users(live: Live, key: str, function: str) -> None:
    reply = live.ask(key, function, four_users(), 5)
    assert reply.error is None
    assert reply.value == pytest.approx(FOUR_USERS[key][function], abs=5e-7)


@pytest.mark.live
def test_a_release_of_haystack_changed_its_average_precision(live: Live) -> None:
    """2.20.0 divides by the hits, 3.4.0 by the relevant documents, under one name."""
    name = "DocumentMAPEvaluator"
    old = live.ask("haystack", name, four_users(), 5, "2.20.0")
    assert old.value == pytest.approx(AP_OVER_HITS, abs=5e-7)
