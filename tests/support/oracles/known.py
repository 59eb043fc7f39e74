"""Which variant each function of each library is known to compute, and the environments of those without an adapter."""

from __future__ import annotations

from typing import NamedTuple

from metric_harness.libraries.describe import Release

PYTHON = ">=3.11,<3.12"


def _release(version: str, *requirements: str, alone: tuple[str, ...] = ()) -> Release:
    return Release(version, PYTHON, requirements, alone, "")


RELEASES = {
    "rectools": _release("0.19.0", "numpy==1.26.4", "pandas==2.3.3", "rectools==0.19.0"),
    "replay": _release("0.22.0", "replay-rec==0.22.0"),
    "evidently": _release("0.7.23", "pandas==2.3.3", "evidently==0.7.23"),
    "recmetrics": _release(
        "0.1.5", "numpy==1.26.4", "pandas==1.5.3", "scipy==1.13.1", "scikit-learn==1.5.2", "matplotlib==3.8.4",
        "seaborn==0.13.2", "plotly==5.24.1", "funcsigs==1.0.2",
        alone=("recmetrics==0.1.5",),
    ),
    "ranx": _release("0.3.21", "ranx==0.3.21"),
    "pytrec_eval": _release("0.5.11", "pytrec-eval-terrier==0.5.11"),
}  # fmt: skip


class Asked(NamedTuple):
    """The cases that a library is asked for, and the variant of each function.

    no_list : what it does with users without a list. close : the largest difference.
    """

    cases: tuple[str, ...]
    variants: dict[str, str]
    no_list: str = "zero"
    close: float = 1e-9


ASKED = {
    "recbole": Asked(("full",), {
        "ItemCoverage": "coverage",
        "AveragePopularity": "popularity",
        "TailPercentage": "popularity(value=tail)",
        "ShannonEntropy": "entropy(normalise=recommended_items)",
        "GiniIndex": "gini",
        "MAE": "mae",
        "RMSE": "rmse",
    }),
    "recommenders": Asked(("full", "short"), {
        "catalog_coverage": "coverage(divide_by=trained)",
        "distributional_coverage": "entropy(log=log2)",
        "novelty": "novelty(probability=interactions, unseen=skipped, weight=micro)",
        "diversity[features]": "diversity",
        "serendipity[features]": "unexpectedness(against=history)",
        "serendipity[features, relevance]": "serendipity(unexpected=unlike_history, divide_by=list)",
        "r_precision_at_k": "r_precision(who=with_hit)",
        "mae": "mae",
        "rmse": "rmse",
    }, no_list="skipped"),
    "recommenders, co-occurrence": Asked(("full, co-occurrence", "short, co-occurrence"), {
        "diversity": "diversity",
        "serendipity": "unexpectedness(against=history)",
    }),
    "rectools": Asked(("full", "short"), {
        "MeanInvUserFreq": "novelty",
        "Serendipity": "serendipity(unexpected=above_popularity, divide_by=list)",
        "IntraListDiversity[Hamming]": "diversity(pair=hamming_distance, divide_by=pairs_or_one)",
        "AvgRecPopularity": "popularity",
        "AvgRecPopularity[normalize]": "popularity(value=interaction_share)",
        "CatalogCoverage": "coverage(divide_by=none)",
        "CatalogCoverage[normalize]": "coverage",
        "CoveredUsers": "coverage(of=users)",
    }, no_list="skipped"),
    "rectools, users without a list": Asked(("full", "short"), {"F1Beta": "f1"}),
    "replay": Asked(("full, seen before", "short, seen before"), {
        "Coverage": "coverage(of=trained_items, divide_by=trained)",
        "Novelty": "novelty(probability=own_history)",
        "Surprisal": "novelty(log=largest, length=k)",
        "Unexpectedness": "unexpectedness(length=k)",
    }),
    "lenskit": Asked(("full", "short"), {
        "MeanPopRank": "popularity(value=quantile)",
        "ListGini": "gini",
        "ExposureGini": "gini(attention=geometric)",
        "MAE": "mae",
        "MAE[users]": "mae(over=users)",
        "RMSE": "rmse",
        "RMSE[users]": "rmse(over=users)",
    }, close=1e-6),
    "recmetrics": Asked(("full, all trained",), {
        "personalization": "personalization",
        "intra_list_similarity": "diversity(pair=cosine_similarity)",
        "novelty": "novelty(length=k)",
    }),
    "recmetrics, rounded": Asked(("full, all trained",), {
        "prediction_coverage": "coverage(divide_by=trained)",
    }, close=5e-5),
    "rs_metrics": Asked(("full", "short"), {
        "coverage": "coverage",
        "coverage[trained]": "coverage(of=trained_items, divide_by=trained)",
        "popularity": "popularity(value=share)",
        "surprisal": "novelty",
    }),
    "recpack": Asked(("full", "short"), {"CoverageK": "coverage"}),
    "evidently": Asked(("full, nothing relevant outside",), {
        "PersonalizationMetric": "personalization(similarity=overlap)",
        "MARKMetric": "average_recall(sum_over=hits, divide_by=relevant)",
    }),
    "evidently, any length": Asked(("full, nothing relevant outside", "short, nothing relevant outside"), {
        "PopularityBias.apr": "popularity(length=trained)",
        "PopularityBias.coverage": "coverage(of=trained_items, divide_by=trained)",
        "PopularityBias.gini": "gini(items=recommended, divide_by=n_minus_one)",
        "PopularityBias[normalize_arp].apr": "popularity(value=relative, length=trained)",
        "NoveltyMetric": "novelty(length=trained)",
        "DiversityMetric": "diversity(divide_by=list)",
        "FBetaTopKMetric": "f1(over=means, divide_by=list, no_hits=nan)",
    }),
    "ranx": Asked(("full", "short"), {"f1": "f1", "r-precision": "r_precision(cut=none)"}),
    "pytrec_eval": Asked(("full", "short"), {"Rprec": "r_precision(cut=none)"}, no_list="skipped"),
}  # fmt: skip
"""By library; what stands after a comma says why one library has two entries."""
