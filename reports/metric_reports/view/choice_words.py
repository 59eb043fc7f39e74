"""The phrase for each choice of a definition, by metric, choice and value as they are named in a printed form."""

from __future__ import annotations

HEADS: dict[str, str] = {
    "average_precision": "AP",
    "ndcg": "NDCG",
    "auc": "AUC",
    "f1": "F1",
    "mae": "MAE",
    "rmse": "RMSE",
    "mse": "MSE",
    "r_squared": "R squared",
    "log_loss": "log loss",
    "filtered_rank": "ranks among the negatives",
    "inverted_auc": "1 − AUC",
    "truncated_auc": "AUC of rankings cut at the shortest",
    "constant": "constant",
}
"""The first word of a plain name, where it is not the metric's word in a sentence."""

PLAINEST: dict[str, str] = {"ndcg": "binary gains"}
"""The phrase of a definition all of whose choices have an empty phrase."""

PARAMETERS: dict[str, str] = {
    "base": "",
    "depth": "",
    "persistence": "persistence {}",
    "grade": "grades up to {}",
    "max_fpr": "up to a false positive rate of {}",
    "threshold": "ratings of at least {}",
    "rating": "of ratings {}",
    "eps": "predictions cut at {}",
    "rounded": "rounded to {} digits",
    "times": "times {}",
}
"""Choices that are numbers; one with an empty phrase is part of another choice's phrase."""

SHARED: dict[str, dict[str, str]] = {
    "weight": {"user": "", "micro": "all users pooled", "sum": "summed over the users"},
    "cut": {"k": "", "none": "not cut at k"},
    "rounds": {"mean": "", "users": "before the mean"},
    "only": {
        "everything": "",
        "judged": "judged items alone",
        "first_k_relevant": "the first k relevant items alone",
        "listed": "the relevant items of the whole list alone",
        "with_hit": "users with a hit alone",
        "with_hit_or_nan": "users with a hit alone, NaN without any",
        "predicted": "items predicted to be relevant alone",
    },
}
"""Choices that several metrics have."""

RATINGS = {
    "over": {"ratings": "over ratings", "users": "over users"},
    "of": {"all": "", "relevant": "relevant ratings alone"},
}
LENGTH = {
    "list": "",
    "k": "divided by k",
    "trained": "over the trained items of a list",
    "catalogue": "over the number of items",
}
CHOICES: dict[str, dict[str, dict[str, str]]] = {
    "hit_rate": {
        "value": {"any": "any hit counts 1", "hits": "hits are counted", "all": "1 if every relevant item is a hit"}
    },
    "precision": {
        "divide_by": {
            "k": "over k",
            "list": "over the list's length",
            "min_k_relevant": "over min(k, relevant)",
            "min_list_relevant": "over min(list, relevant)",
            "last_hit_rank": "over the rank of the last hit",
        }
    },
    "recall": {"divide_by": {"relevant": "over all relevant", "min_k_relevant": "over min(k, relevant)"}},
    "f1": {
        "over": {"users": "of each user", "means": "of the mean precision and recall"},
        "divide_by": {
            "k": "",
            "list": "precision over the list's length",
            "min_k_relevant": "precision over min(k, relevant)",
        },
        "no_hits": {"zero": "", "nan": "NaN without a hit"},
    },
    "reciprocal_rank": {
        "over": {
            "first": "of the first hit",
            "sum": "summed over the hits",
            "mean_hits": "mean over the hits",
            "mean_relevant": "mean over all relevant",
        },
        "who": {"all": "", "with_hit": "of users with a hit alone"},
    },
    "rank": {
        "missing": {
            "left_out": "of users with a hit alone",
            "next": "past the last rank without a hit",
            "next_listed": "past the listed items without a hit",
            "zero": "0 without a hit",
            "minus_one": "-1 without a hit",
        },
        "first": {"one": "", "zero": "counted from 0"},
        "over": {"mean": "", "median": "median over users", "median_floor": "median over users, rounded down"},
    },
    "average_precision": {
        "divide_by": {
            "min_k_relevant": "over min(k, relevant)",
            "relevant": "over all relevant",
            "k": "over k",
            "hits": "over the hits",
            "min_list_relevant": "over min(list, relevant)",
            "cumulative_min": "over a running sum of min(rank, relevant)",
            "list": "over the list's length",
            "list_hits": "over the hits of the whole list",
            "min_k_list_hits": "over min(k, hits of the whole list)",
            "one": "not divided",
        },
        "sum_over": {
            "hits": "",
            "all_ranks": "precision summed at every rank, hit or not",
            "listed_ranks": "precision summed at every listed rank, hit or not",
            "trapezoid": "precision summed by trapezoids",
            "relevant_ranks": "list cut at the number of relevant",
        },
    },
    "average_recall": {
        "sum_over": {"all_ranks": "at every rank", "hits": "at the hits"},
        "divide_by": {
            "k": "over k",
            "hits": "over the hits",
            "min_k_relevant": "over min(k, relevant)",
            "relevant": "over all relevant",
        },
    },
    "r_precision": {
        "divide_by": {
            "relevant": "over all relevant",
            "min_k_relevant": "over min(k, relevant)",
            "min_list_relevant": "over min(list, relevant)",
        },
        "who": {"all": "", "with_hit": "of users with a hit alone"},
    },
    "ndcg": {
        "gain": {
            "binary": "",
            "linear": "gains are ratings",
            "exponential": "gains 2^rating − 1",
            "exponential_over_threshold": "gains 2^(rating − threshold + 1) − 1",
            "exponential_plus_one": "gains 2^(rating + 1) − 1",
            "squared_minus_one": "gains rating^2 − 1",
        },
        "discount": {
            "log2": "",
            "ln": "natural logarithm",
            "log10": "logarithm to base 10",
            "max_log2": "ranks 1 and 2 weigh the same",
            "max_log": "no discount up to rank {base}",
            "shifted_log2": "discount off by one rank",
            "ln_rank": "discount ln(rank)",
            "none": "no discount",
        },
        "ideal": {
            "min_k_relevant": "",
            "k": "ideal always k items",
            "relevant": "uncut ideal of all relevant",
            "hits": "ideal made of the list's own hits",
            "none": "no ideal",
            "list": "ideal no longer than the list",
            "list_hits": "ideal made of the whole list's own hits",
            "list_ranks": "ideal as if every listed rank hit",
            "same_ranks": "list and ideal cut at min(list, relevant)",
            "relevant_ranks": "list cut at the number of relevant",
            "fixed": "ideal over {depth} ranks whatever k",
        },
    },
    "expected_reciprocal_rank": {
        "largest": {
            "user": "the user's largest gain counts full",
            "case": "the largest gain of all counts full",
            "fixed": "",
        }
    },
    "fall_out": {
        "over": {"catalogue": "over the catalogue", "candidates": "over the candidates", "list": "over the list"}
    },
    "mcc": {
        "over": {"candidates": "over the candidates", "catalogue": "over the catalogue"},
        "scope": {"per_user": "", "stacked": "all pairs in one"},
    },
    "auc": {
        "scope": {
            "per_user": "mean over users",
            "per_positive": "weighted by relevant items",
            "stacked": "all pairs in one",
            "top_k": "inside the list",
            "limited": "limited to the first k",
            "per_row": "weighted by candidates",
            "per_pair": "weighted by pairs",
            "spread": "the rest spread evenly below rank k",
        },
        "ties": {
            "half": "",
            "win": "ties win",
            "lose": "ties lose",
            "id_ascending": "ties by item id",
            "id_descending": "ties by item id, descending",
        },
        "negatives": {"exact": "", "plus_one": "one negative too many", "lagged": "trapezoids lag"},
        "one_sided": {"zero_one": "", "zero": "one-sided lists 0", "nan": "one-sided lists NaN"},
    },
    "partial_auc": {"scope": {"per_user": "mean over users", "stacked": "all pairs in one"}},
    "pr_auc": {
        "area": {"step": "by steps", "trapezoid": "by trapezoids"},
        "scope": {"per_user": "", "stacked": "all pairs in one"},
    },
    "cumulative_hit_rate": {"value": {"any": "any hit counts 1", "hits": "hits are counted"}},
    "rating_hit_rate": {"divide_by": {"users": "over all users", "users_with_rating": "over users with such a rating"}},
    "mae": RATINGS,
    "rmse": RATINGS,
    "mse": RATINGS,
    "r_squared": {"errors": {"as_they_are": "errors as they are", "centred": "errors centred (explained variance)"}},
    "accuracy": {
        "over": RATINGS["over"],
        "match": {"exact": "", "nearest_half": "to the nearest half", "nearest": "to the nearest whole"},
    },
    "log_loss": {"over": {"rows": "over candidates", "users": "over users"}},
    "coverage": {
        "of": {"items": "of items", "trained_items": "of trained items", "users": "of users"},
        "divide_by": {
            "all": "",
            "trained": "over the trained",
            "none": "as a number",
            "padded": "with a padding item",
        },
    },
    "popularity": {
        "value": {
            "count": "by number of interactions",
            "share": "by share of users",
            "interaction_share": "by share of interactions",
            "relative": "by share of the largest",
            "quantile": "by popularity rank",
            "tail": "by share of the long tail",
        },
        "length": LENGTH,
    },
    "hit_popularity": {
        "divide_by": {"relevant": "over all relevant", "k": "over k", "hits": "over the hits"},
    },
    "novelty": {
        "probability": {
            "users": "from shares of users",
            "interactions": "from shares of interactions",
            "own_history": "against the user's history",
        },
        "log": {"log2": "", "ln": "natural logarithm", "largest": "between 0 and 1"},
        "unseen": {"one": "", "skipped": "unseen items left out"},
        "length": LENGTH,
    },
    "diversity": {
        "pair": {
            "cosine_distance": "by cosine distance",
            "euclidean_distance": "by Euclidean distance",
            "hamming_distance": "by Hamming distance",
            "cosine_similarity": "by cosine similarity (less is more diverse)",
            "jaccard_distance": "by Jaccard distance",
        },
        "divide_by": {"pairs": "", "pairs_or_one": "lists of one item count", "list": "over the list's length"},
        "last": {"full": "", "half": "pairs with the last item count half"},
    },
    "category_diversity": {
        "divide_by": {"k": "over k", "list": "over the list's length", "categories": "over all categories"},
        "of": {"listed": "", "hits": "of the hits"},
    },
    "personalization": {
        "similarity": {"cosine": "by cosine", "overlap": "by overlap", "jaccard": "by Jaccard similarity"}
    },
    "unexpectedness": {
        "against": {"popular": "against the popular items", "history": "against the user's history"},
        "length": LENGTH,
    },
    "serendipity": {
        "unexpected": {
            "not_popular": "not among the popular",
            "complement": "complement of the popularity",
            "information": "by self-information",
            "above_popularity": "above the rank by popularity",
            "unlike_history": "unlike the user's history",
        },
        "divide_by": {"k": "over k", "list": "over the list's length", "hits": "over the hits"},
        "discount": {"none": "", "log2": "discounted by rank"},
    },
    "entropy": {
        "log": {"ln": "natural logarithm", "log2": "in bits"},
        "normalise": {"none": "", "catalogue": "between 0 and 1", "recommended_items": "over the items recommended"},
        "over": {"recommendations": "", "users": "of each list"},
    },
    "gini": {
        "items": {
            "catalogue": "over the catalogue",
            "recommended": "over the items recommended",
            "padded": "with a padding item",
        },
        "divide_by": {"n": "", "n_minus_one": "largest value 1", "n_plus_one": "divided by n + 1"},
        "attention": {"equal": "", "geometric": "weighted by rank"},
        "value": {"inequality": "", "equality": "1 minus it"},
    },
    "herfindahl": {"value": {"concentration": "of concentration", "diversity": "1 minus it"}},
    "filtered_rank": {
        "value": {"recall": "recall", "precision": "precision", "ndcg": "NDCG"},
        "within": {"k": "", "k_plus_one": "off by one rank"},
    },
    "inverted_auc": {
        "scope": {"per_user": "mean over users", "top_k": "inside the list"},
        "one_sided": {"zero": "", "nan": "one-sided lists NaN"},
        "misses": {"list": "", "k": "misses counted up to k"},
        "ties": {"half": "", "win": "ties are right", "lose": "ties are errors"},
    },
    "truncated_auc": {"scope": {"per_positive": "weighted by relevant items", "per_user": "mean over users"}},
    "constant": {"value": {"zero": "always 0", "one": "always 1"}},
}
"""An empty phrase marks the usual value, which is not mentioned."""
