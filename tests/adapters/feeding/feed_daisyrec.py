"""DaisyRec: what its run_examples/test.py does with EASE: candidates, ranking, calc_ranking_results.

EASE holds the scores of the data set in place of its own. Candidates are sampled with replacement, so that its lists
hold some items twice. The table has no row for MAP, which its class Metric computes.
"""
# /// script
# dependencies = ["torch==2.13.0", "scipy==1.15.3", "tqdm==4.67.1", "scikit-learn==1.7.2", "gensim==4.4.0"]
# ///

import logging

import numpy as np
import pandas as pd
from daisy.model.EASERecommender import EASE
from daisy.utils.dataset import CandidatesDataset, get_dataloader
from daisy.utils.metrics import Metric, calc_ranking_results
from daisy.utils.utils import build_candidates_set, get_ur
from feed import columns, named, read, report
from scipy.sparse import csr_matrix

data = read()
k = data.k
NAMES = {"recall": "Recall", "mrr": "MRR", "ndcg": "NDCG", "hit": "HR", "precision": "Precision"}
NAMES = {**NAMES, "coverage": "Coverage", "popularity": "Popularity", "diversity": "Diversity"}


def table(rows):
    return pd.DataFrame(named(("user", "item"), rows))


config = {
    "logger": logging.getLogger(),
    "gpu": "",
    "topk": k,
    "cand_num": 40,
    "res_path": ".",
    "metrics": list(NAMES),
    "user_num": data.users,
    "item_num": data.items,
    "UID_NAME": "user",
    "IID_NAME": "item",
    "INTER_NAME": "rating",
    "reg": 1.0,
    "item_pop": np.bincount(columns(data.train)[1], minlength=data.items),
    "i_categories": np.array(data.vectors),
}
train, test = get_ur(table(data.train)), get_ur(table(data.test))
model = EASE(config)
model.interaction_matrix, model.item_similarity = csr_matrix(np.array(data.scores)), np.identity(data.items)
np.random.seed(7)  # noqa: NPY002 - what the library draws from
test_u, candidates = build_candidates_set(test, train, config)
ranked = model.rank(get_dataloader(CandidatesDataset(candidates), batch_size=8, shuffle=False, num_workers=0))
assert any(len(set(row)) < k for row in ranked.tolist())
found = calc_ranking_results(test, ranked, test_u, config)[k].tolist()
values = dict(zip(NAMES.values(), found, strict=True))
(values["MAP"],) = Metric({**config, "metrics": ["map"]}).run(test, ranked, test_u)
report(values, lists=ranked.tolist(), relevant=[sorted(test[user]) for user in range(data.users)])
