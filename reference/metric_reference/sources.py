"""Where variants were seen: libraries, papers, texts and public issue threads, each with an address."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, NamedTuple


class Source(NamedTuple):
    """Who defines or computes something: a title, its kind (library, paper, text, issue) and its address."""

    title: str
    kind: str
    address: str


EXAMPLES = "tests/reference/test_worked_examples.py"
"""The test that compares the numbers of the worked examples with their formulas."""


def _library(title: str, repository: str) -> Source:
    return Source(title, "library", f"https://github.com/{repository}")


def _paper(title: str, doi: str) -> Source:
    return Source(title, "paper", f"https://doi.org/{doi}")


def _issue(title: str, repository: str, number: int) -> Source:
    return Source(title, "issue", f"https://github.com/{repository}/issues/{number}")


MEASURED: List[Dict[str, Any]] = json.loads(Path(__file__).with_name("measured.json").read_text(encoding="utf-8"))
"""Libraries with recordings: key, title, address, and ``computes``: functions by the variant that they compute."""

SOURCES: Dict[str, Source] = {
    **{row["key"]: Source(row["title"], "library", row["address"]) for row in MEASURED},
    # libraries without a recording, at the release that was run
    "lightfm": _library("LightFM 1.17", "lyst/lightfm"),
    "ml_metrics": _library("ml_metrics 0.1.4", "benhamner/Metrics"),
    "surprise": _library("Surprise 1.1.5", "NicolasHug/Surprise"),
    # libraries and programs whose code was read, not run
    "elasticsearch": _library("Elasticsearch, ranking evaluation", "elastic/elasticsearch"),
    "llama_index_2024": _library("LlamaIndex, retrieval evaluation, of 2024", "run-llama/llama_index"),
    "lightgcn_pytorch": _library("LightGCN in PyTorch", "gusye1234/LightGCN-PyTorch"),
    "ngcf": _library("NGCF", "xiangwang1223/neural_graph_collaborative_filtering"),
    # papers
    "tamm": _paper("Tamm, Damdinov & Vasilev 2021", "10.1145/3460231.3478848"),
    "ncf": _paper("He et al. 2017, Neural Collaborative Filtering", "10.1145/3038912.3052569"),
    "mult_vae": _paper("Liang et al. 2018, Mult-VAE", "10.1145/3178876.3186150"),
    "cdl": _paper("Wang, Wang & Yeung 2015, Collaborative Deep Learning", "10.1145/2783258.2783273"),
    "bpr": _paper("Rendle et al. 2009, BPR", "10.48550/arXiv.1205.2618"),
    "krichene": _paper("Krichene & Rendle 2020, On Sampled Metrics", "10.1145/3394486.3403226"),
    "jarvelin": _paper("Järvelin & Kekäläinen 2002, Cumulated Gain", "10.1145/582415.582418"),
    "burges": _paper("Burges et al. 2005, RankNet", "10.1145/1102351.1102363"),
    "zhou": _paper("Zhou et al. 2010, Accuracy-Diversity Dilemma", "10.1073/pnas.1000488107"),
    "ge": _paper("Ge, Delgado-Battenfeld & Jannach 2010, Beyond Accuracy", "10.1145/1864708.1864761"),
    "deshpande": _paper("Deshpande & Karypis 2004, Item-based Top-N", "10.1145/963770.963776"),
    "berrendorf": _paper("Berrendorf et al. 2020, Ambiguity of Rank-Based Evaluation", "10.48550/arXiv.2002.06914"),
    "karpathy": _paper("Karpathy & Fei-Fei 2015, Deep Visual-Semantic Alignments", "10.1109/CVPR.2015.7298932"),
    "chapelle": _paper("Chapelle et al. 2009, Expected Reciprocal Rank", "10.1145/1645953.1646033"),
    "fawcett": _paper("Fawcett 2006, An Introduction to ROC Analysis", "10.1016/j.patrec.2005.10.010"),
    "davis": _paper("Davis & Goadrich 2006, Precision-Recall and ROC Curves", "10.1145/1143844.1143874"),
    "din": _paper("Zhou et al. 2018, Deep Interest Network", "10.1145/3219819.3219823"),
    "matthews": _paper("Matthews 1975, Predicted and Observed Structure", "10.1016/0005-2795(75)90109-9"),
    "mcclish": _paper("McClish 1989, A Portion of the ROC Curve", "10.1177/0272989X8900900307"),
    "moffat": _paper("Moffat & Zobel 2008, Rank-Biased Precision", "10.1145/1416950.1416952"),
    "philbin": _paper("Philbin et al. 2007, Object Retrieval", "10.1109/CVPR.2007.383172"),
    # public issue threads
    "recommenders#1702": _issue("map_at_k divides by all relevant items", "recommenders-team/recommenders", 1702),
    "recommenders#2091": _issue("a perfect recommender gets MAP@5 = 0.7", "recommenders-team/recommenders", 2091),
    "recommenders#1749": _issue("binary gains where ratings were expected", "recommenders-team/recommenders", 1749),
    "recommenders#1990": _issue("Spark map_at_k is not cut at k", "recommenders-team/recommenders", 1990),
    "recommenders#2141": _issue("mrr_score averages over all positives", "recommenders-team/recommenders", 2141),
    "implicit#412": _issue("precision divides by min(k, r)", "benfred/implicit", 412),
    "dl_rs_eval#19": _issue("hit rate above 1", "MaurizioFD/RecSys2019_DeepLearning_Evaluation", 19),
    "recbole#1034": _issue("why only the first hit?", "RUCAIBox/RecBole", 1034),
    "neurec#39": _issue("the divisor of AP is a running sum", "wubinzzu/NeuRec", 39),
    "spotlight#91": _issue("a perfect model never gets MRR 1", "maciejkula/spotlight", 91),
    "rectools#266": _issue("ideal over k or over min(k, r)", "MTSWebServices/RecTools", 266),
    "ngcf#34": _issue("ideal list from the returned list", "xiangwang1223/neural_graph_collaborative_filtering", 34),
    "mrf#1": _issue("recall divides by min(k, r)", "hasteck/MRF_NeurIPS_2019", 1),
    "anserini#92": _issue("exponential or linear gain", "castorini/anserini", 92),
    "tf_ranking#115": _issue("MRR is not cut", "tensorflow/ranking", 115),
    "quepid#836": _issue("the ideal should use all judgements", "o19s/quepid", 836),
    "llama_index#17070": _issue("every returned rank counts as relevant in the ideal", "run-llama/llama_index", 17070),
    "librec#236": _issue("AUC depends on the cut-off", "guoguibing/librec", 236),
    # texts
    "rank_metrics": Source("rank_metrics.py, a gist that many copy", "text", "https://gist.github.com/bwhite/3726239"),
    "text_a": Source("Accuracy metrics with code (worked example, 2020)", "text", EXAMPLES),
    "text_b": Source("NDCG: CG, DCG, IDCG (worked example)", "text", EXAMPLES),
    "text_c": Source("Metrics overview (worked example)", "text", EXAMPLES),
    "text_e": Source("Evaluation functions (worked example)", "text", EXAMPLES),
}
