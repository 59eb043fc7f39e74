"""What a parameter's name means: ``actual`` is the truth, ``y_score`` are scores, ``n_rel`` is a count."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Dict, Set

PATTERNS: Dict[str, str] = {
    "qrels": r"qrels?",
    "run": r"(^|_)runs?(_dict)?$",
    "frame": r"(^|_)(df|frame|data_?frame|table)s?(_|$)|^rating_(true|pred)$",
    "class": (
        r"(^|_)(labels?|labs?|lb_ids?|class(es)?|cls|pids?|identit(y|ies)|categor(y|ies))(_|$)|^(q|g|query|gallery)_?p?ids$|^[pqg]_?labels?$"
        r"|^(q|g|r|db|query|gallery|retrieval|database|train|test)_?l$|^(query|gallery)_?t$"
    ),
    "feature": (
        r"^(q|g|r|qu|re|query|queries|gallery|retrieval|database|db|item|doc|test|train|image|img|text|txt|user|key|cand\w*)_?"
        r"(f|feats?|features?|emb|embs|embeds?|embeddings?|vecs?|vectors?|reps?|representations?)$"
        r"|^(feats?|features?|emb\w*|vectors?)_?(of_)?(q|g|query|gallery|retrieval|database|item|doc|user)$"
        r"|^[a-z]+_(features?|embs?|embeds?|embeddings?|vecs?|vectors?|latents?)$"
    ),
    "code": (
        r"(^|_)(codes?|hash(es)?)(_|$)|^(q|r|qu|re|query|retrieval|database|train|test)_?b$"
        r"|^(q|r|query|gallery|retrieval|database|db|test|train)_?(outputs?|bits|binary)$"
    ),
    "count": (
        r"^(n|nb|num|tot|total|count|no|number)_?(of_?)?(all_?)?(rel|pos|true|gt|truth|test|ground|actual|good|res$)"
        r"|(rel\w*|pos|gt|truth|positives?|test)_?(num|n|count|len|total|size)s?$|^(total|npos|nrel|num)$"
        r"|^(n|num|count)_(of_)?distinct_\w+$|hits?_?(count|num)s?$|^(n|num)_?hits$"
    ),
    "ranks": (
        r"^(all_|filtered_|raw_|item_|rel(evant)?_|hit_|pos(itive)?_|true_|correct_|gold_|gt_|target_|test_|first_|pred(icted)?_)*"
        r"(ranks?|positions?)(_?(array|arr))?$|^(ranks?|positions?)_of_\w+$|\w(?<!reciprocal)_ranks$|hit_?(idx|index|indices|positions?|ranks?)$"
        r"|^(target|true|correct|gold|gt|item|hit|rank|label|answer)_pos$"
    ),
    "scored": (
        r"^(res|results?|predicted_scores|scored\w*|rec_?(scores?|tuples)"
        r"|top_?n(_?predict(ed|ions?))?|ranked_scores|item_scores?)$"
    ),
    "pairs": (
        r"pairs?$|tuples?$|score_?labels?|label_?scores?|^(user_)?(est_true|predictions?|data|results?|rows|samples)$"
    ),
    "group": (
        r"(^|_)(users?|uids?|user_?ids?|groups?|group_?ids?|qids?|quer(y|ies)(_ids?)?|sessions?(_ids?)?"
        r"|impressions?(_ids?)?|impression_index|(test|val|valid|eval)_u|u_(test|val|valid|eval)|sizes|(group|query)_?(sizes?|counts?))(_|$)"
    ),
    "weight": r"(^|_)weights?$",
    "length": r"(^|_)(len|lens|lengths?|valid_(num|n|count|lens?))$|^(n_|num_)valid$",
    "negative": r"(^|_)(neg(ative)?s?|imp|impost[oe]rs?)(_|$)",
    "positive": r"(^|_)(pos(itive)?s?|gen|genuines?)(_|$)",
    "labelled": r"^(df|data|frame|results?|preds?|predictions?|eval_?df|result_?df|merged|labelled\w*|g|group)$",
    "ideal": (
        r"ideal|perfect|^rel\w*_true$|(^|_)best(_|$)|all_?(gain|rel|true|grade|score|rating)|full_rel|true_(rel|gain|grade|score)"
    ),
    "item": r"(^|_)(item|iid|item_?id)$|^(gt|target|pos|positive|true|test|relevant|held_?out|next)(_?id)?$",
    "truth": (
        r"actual|ground|truth|gts?(_|$)|relevant|gold|positive|(^|_)pos(_|$)|(^|_)test|held|left_?out|validation|(^|_)true(_|$)|target|label"
        r"|liked|purchas|bought|watched|clicked|correct|answer|(^|_)ans(_|$)|expected|wanted|desired|required|evidence"
        r"|(^|_)likes?$|rel_(items|docs|set|list|ids)|(^|_)(exact|ref(erence)?s?)(_|$)"
    ),
    "list": (
        r"pred|recom|(^|_)rec(s|os?)?(_|$)|rank|top_?[kn]?_?(items|list|idx|ind)|retriev|returned|suggest|result|output|guess|listed"
        r"|^(user_|item_)?list$|neighbo|shown|served|slate|candidates|contexts|propos|^cand(idate)?s?$|(^|_)(indices|idxs?)$|(^|_)(found|got|approx\w*)(_|$)"
    ),
    "relevance": (
        r"(^|_)relevanc(e|es|y|ies)$|^(r|rs|vec|vector|bin_?vec\w*|rels?|relevances?|relevanc(y|ies)|relevance_(scores?|list|vector)"
        r"|rel\w*_?(lists?|scores?|vecs?|vectors?|pred|mat|matrix|rows?|arrays?)|hits?"
        r"|hit_?(list|vector|mat|matrix|array|arr|flags?)|gains?|grades?|binary\w*|is_rel\w*|is_hit|scores|ratings"
        r"|pos_index|labels?|list)$"
    ),
    "label": r"y_?true|labels?(_lists?|_arr(ay)?)?$|(^|_)labs?$|targets?$|held_?out(_batch)?$|x_true|y_?test",
    "distance": r"(^|_)dist(ance)?s?(_?(mat|matrix|array))?(_|$)|distmat",
    "similarity": r"(^|_)sim(s|ilarity|ilarities)?(_?(mat|matrix|tensor|array))?(_|$)",
    "score": (
        r"scores?(_lists?|_arr(ay)?)?$|y_?pred|(^|_)prds?(_|$)|(^|_)hat$|y_?hat|(^|_)recon(s|st\w*)?(_|$)|logits?|prob|x_pred|preds?$|predictions?$|y_?score|^posteriors?$|^rating$"
    ),
}
WANTED = re.compile(r"(golden|gold|expected|correct|true|gt|ground_?truth)_(results?|outputs?)")
"""Results that are wanted: no list, though results alone are one."""
COMPILED = {family: re.compile(pattern) for family, pattern in PATTERNS.items()}

K_NAME = re.compile(
    r"_*(k|ks|(at_)?k_?list|ks_?list|list_?k|k_?vals?|k_?values?|k_metrics|top|top_?k|top_?ks|top_?[kn]_?list|top_?k_?values?"
    r"|top_?n|top_?ns|ats|at_?ks?|at_?n|cut_?offs?|cut_?off_?(k|n|list|points?|ranks?|values?)|k_?max|max_?k|eval_?(ks?|at)"
    r"|(ndcg|recall|precision|prec|hits?|hr|map|mrr|auc|success|metrics?|eval)_?(at|at_?ks?|top_?ks?|ks?|cut_?offs?|depths?)"
    r"|keval|k_(?!folds?$)[a-z]+|[a-z]+_k|(rank|rec|metrics?)k|rank_?cut_?off|max_?rank)"
)
WEAK_K_NAME = re.compile(
    r"_*(n|ns|p|at|cut|depth|limit|size|length|list_len\w*|max_len(gth)?|num|first_n|how_many|n_?rec\w*|num_?rec\w*)"
)
K_LIST = re.compile(
    r"_*(ks|\w*_?list|list_?k|k_?vals|k_?values|k_metrics|top_?ks|top_?k_?values|top_?ns|ats|at_?ks|cut_?offs|eval_?ks"
    r"|cut_?off_?(list|points|ranks|values))"
)
CUT_LIST = re.compile(r"(top|best|first)_?[kn](_\w+)?|\w+_top_?[kn]")
"""The name of a list that ends at k."""
DICT_NAME = re.compile(r"(^|_)dict(_|$)")
NO_K = re.compile(
    r"(\w+_)?(chunk|batch|block|step|page|buffer)_?(size|len(gth)?)?|(num|n|max)_?(workers|jobs|threads|proc\w*|iter\w*)|seed"
)
"""Names of numbers that are no cut-off: sizes of chunks and batches, numbers of workers and iterations, seeds."""

RANKING = re.compile(r"dcg|map|mrr|auc|recall|prec|hit|hr", re.IGNORECASE)
"""In a text that chooses a ranking metric."""

ONE_ITEM = re.compile(r"(^|_)(item|iid|id)$")
"""In the name of a parameter that takes a single item."""
VAGUE = {"pairs", "labelled", "scored", "group", "class", "weight"}
"""Families of names with many uses: they count for a role, never against one."""


@lru_cache(maxsize=None)
def snake(name: str) -> str:
    """``topK`` as ``top_k``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


@lru_cache(maxsize=None)
def families(name: str) -> Set[str]:
    """The families of meanings that a name may have; empty if it tells nothing."""
    plain = re.sub(r"^lists?_of_", "", snake(name).strip("_"))
    found = {family for family, pattern in COMPILED.items() if pattern.search(plain)}
    if name == "R":  # the number of relevant items in textbooks
        found.add("count")
    return found - {"list"} if WANTED.fullmatch(plain) else found


def chooses_another(text: object) -> bool:
    """Whether a text that chooses a metric chooses no ranking metric."""
    return RANKING.search(str(text)) is None


def named_like_dict(name: str) -> bool:
    """Whether a name says that it is of a dict: ``user_dict``."""
    return DICT_NAME.search(name) is not None


def named_like_k(name: str) -> bool:
    """Whether a name says, clearly or not, that it is of a cut-off."""
    return bool(K_NAME.fullmatch(snake(name)) or WEAK_K_NAME.fullmatch(snake(name)))
