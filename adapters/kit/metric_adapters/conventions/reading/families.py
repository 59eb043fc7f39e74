"""What a parameter's name means: ``actual`` is the truth, ``y_score`` are scores, ``n_rel`` is a count."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Dict, Set, Tuple

PATTERNS: Dict[str, str] = {
    "qrels": r"qrels?",
    "run": r"(^|_)runs?$",
    "frame": r"(^|_)(df|frame|data_?frame|table)s?(_|$)|^rating_(true|pred)$",
    "class": r"(^|_)(labels?|class(es)?|cls|pids?|categor(y|ies))(_|$)|^(q|g|query|gallery)_?p?ids$",
    "count": (
        r"^(n|nb|num|tot|total|count|no|number)_?(of_?)?(all_?)?(rel|pos|true|gt|truth|test|ground|actual|good)"
        r"|(rel\w*|pos|gt|truth|positives?|test)_?(num|n|count|len|total|size)s?$|^(total|npos|nrel|num)$"
    ),
    "ranks": (
        r"^(all_|filtered_|raw_|rel(evant)?_|hit_|pos(itive)?_|true_|target_|test_|first_)*(ranks?|positions?)"
        r"(_?(array|arr))?$|^(ranks?|positions?)_of_\w+$|hit_?(idx|index|indices|positions?|ranks?)$"
    ),
    "scored": r"^(res|results?|predicted_scores|scored\w*|rec_?(scores?|tuples)|top_?n|ranked_scores|item_scores?)$",
    "pairs": (
        r"pairs?$|tuples?$|score_?labels?|label_?scores?|^(user_)?(est_true|predictions?|data|results?|rows|samples)$"
    ),
    "group": (
        r"(^|_)(users?|uids?|user_?ids?|groups?|group_?ids?|qids?|quer(y|ies)(_ids?)?|sessions?(_ids?)?"
        r"|impressions?(_ids?)?|impression_index|(test|val|valid|eval)_u|sizes|(group|query)_?(sizes?|counts?))(_|$)"
    ),
    "length": r"(^|_)(len|lens|lengths?|valid_(num|n|count|lens?))$|^(n_|num_)valid$",
    "negative": r"(^|_)neg(ative)?s?(_|$)",
    "positive": r"(^|_)pos(itive)?s?(_|$)",
    "labelled": r"^(df|data|frame|results?|preds?|predictions?|eval_?df|result_?df|merged|labelled\w*|g|group)$",
    "ideal": (
        r"ideal|perfect|(^|_)best(_|$)|all_?(gain|rel|true|grade|score|rating)|full_rel|true_(rel|gain|grade|score)"
    ),
    "item": r"(^|_)(item|iid|item_?id)$|^(gt|target|pos|positive|true|test|relevant|held_?out|next)(_?id)?$",
    "truth": (
        r"actual|ground|truth|gt(_|$)|relevant|gold|positive|(^|_)pos(_|$)|(^|_)test|held|(^|_)true(_|$)|target|label"
        r"|liked|purchas|bought|watched|clicked|correct|answer|expected|wanted|desired"
        r"|(^|_)likes?$|rel_(items|docs|set|list|ids)"
    ),
    "list": (
        r"pred|recom|(^|_)recs?(_|$)|rank|top_?[kn]?_?(items|list|idx|ind)|retriev|suggest|result|output|guess|listed"
        r"|^(user_|item_)?list$|shown|served|slate|candidates|propos|^cands?$|(^|_)(indices|idxs?)$"
    ),
    "relevance": (
        r"^(r|rs|vec|vector|bin_?vec\w*|rels?|relevances?|relevanc(y|ies)|relevance_(scores?|list|vector)"
        r"|rel_?(list|scores?|vec|vector)|hits?"
        r"|hit_?(list|vector|mat|matrix|array|arr|flags?)|gains?|grades?|binary\w*|is_rel\w*|is_hit|scores|ratings"
        r"|pos_index|labels?)$"
    ),
    "label": r"y_?true|labels?$|(^|_)labs?$|targets?$|held_?out(_batch)?$|x_true|y_?test",
    "distance": r"(^|_)dist(ance)?s?(_?(mat|matrix|array))?(_|$)|distmat",
    "similarity": r"(^|_)sim(s|ilarity|ilarities)?(_?(mat|matrix|tensor|array))?(_|$)",
    "score": r"scores?$|y_?pred|(^|_)prds?(_|$)|y_?hat|logits?|prob|x_pred|preds?$|predictions?$|y_?score",
}
COMPILED = {family: re.compile(pattern) for family, pattern in PATTERNS.items()}

WEIGHTS: Dict[str, Dict[str, float]] = {
    "relevant": {"truth": 3, "label": 2},
    "recommended": {"list": 3, "score": 1.5},
    "item": {"item": 4, "truth": 1, "label": 1.5},
    "grades": {"truth": 2, "relevance": 2, "qrels": 2},
    "relevance": {"relevance": 3, "label": 0.5},
    "relevance_graded": {"relevance": 3, "label": 0.5},
    "n_relevant": {"count": 4},
    "gains": {"ideal": 4, "truth": 1, "relevance": 1},
    "list_scores": {"score": 2, "list": 0.5},
    "y_true": {"label": 3, "truth": 1.5},
    "y_true_graded": {"label": 3, "truth": 1.5},
    "y_score": {"score": 3, "list": 1},
    "labels": {"label": 2.5, "truth": 1},
    "scores": {"score": 2.5, "list": 0.5},
    "positive_scores": {"positive": 4},
    "negative_scores": {"negative": 4},
    "positive_first": {"score": 2, "list": 0.5},
    "first_label": {"label": 2.5, "truth": 1},
    "ranks": {"ranks": 3.5},
    "positions": {"ranks": 3.5},
    "hit_ranks": {"ranks": 2.5},
    "hit_positions": {"ranks": 2.5},
    "rank": {"ranks": 3.5},
    "position": {"ranks": 3.5},
    "item_scores": {"scored": 2, "list": 2, "run": 3, "score": 2},
    "scored": {"scored": 3.5, "list": 2},
    "score_item_rank": {"scored": 3.5, "list": 2},
    "item_rank_score": {"scored": 3.5, "list": 2},
    "score_series": {"list": 2, "score": 2},
    "graded_items": {"truth": 2, "qrels": 2},
    "distances": {"distance": 4, "score": 1.5, "list": 0.5},
    "similarity": {"similarity": 4, "score": 1.5},
    "gallery_distances": {"distance": 4},
    "query_ids": {"class": 2.5},
    "gallery_ids": {"class": 2.5},
    "list_classes": {"class": 2.5, "list": 1},
    "query_class": {"class": 2.5, "truth": 1},
    "users": {"group": 4},
    "sizes": {"group": 3.5, "count": 1},
    "user_list": {"group": 4},
    "y_listed": {"list": 2, "score": 3},
    "list_length": {"length": 4, "count": 1},
    "item_ranks": {"ranks": 3},
    "places": {"ranks": 3.5},
    "qrels": {"qrels": 5, "truth": 1},
    "run": {"run": 5, "list": 1},
    "predictions": {"list": 2, "pairs": 2, "score": 1.5},
    "truth_frame": {"truth": 3, "label": 1, "frame": 1},
    "prediction_frame": {"list": 3, "score": 1, "frame": 1},
    "labelled_frame": {"frame": 2, "labelled": 2},
    "graded_frame": {"frame": 2, "labelled": 2},
    "candidate_frame": {"frame": 2, "labelled": 2},
    "lists_frame": {"frame": 2, "labelled": 2},
}
"""How well a name of a family suits a role."""

MISFIT = -3.0
"""The points of a name whose families all mean something else than the role."""
VAGUE = {"pairs", "labelled", "scored", "group", "class"}
"""Families of names with many uses: they count for a role, never against one."""


def snake(name: str) -> str:
    """``topK`` as ``top_k``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


@lru_cache(maxsize=None)
def families(name: str) -> Set[str]:
    """The families of meanings that a name may have; empty if it tells nothing."""
    plain = snake(name).strip("_")
    return {family for family, pattern in COMPILED.items() if pattern.search(plain)}


@lru_cache(maxsize=None)
def suits(role: str, name: str) -> Tuple[float, bool]:
    """How well a name suits a role, and whether it names the role."""
    meanings = families(name)
    weights = [weight for family, weight in WEIGHTS[role].items() if family in meanings]
    if weights:
        return max(weights), True
    return (0.0 if meanings <= VAGUE else MISFIT), False
