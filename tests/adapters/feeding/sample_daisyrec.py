"""DaisyRec's own evaluation among drawn negatives: EASE is fitted once, candidates are built anew for each seed.

The last item of each user is held out. Of 100 candidates the test item is one; the others are drawn with replacement.
"""
# /// script
# dependencies = ["torch==2.13.0", "scipy==1.15.3", "tqdm==4.67.1", "scikit-learn==1.7.2", "gensim==4.4.0"]
# ///

import logging

import numpy as np
import pandas as pd
from daisy.model.EASERecommender import EASE
from daisy.utils.dataset import CandidatesDataset, get_dataloader
from daisy.utils.metrics import calc_ranking_results
from daisy.utils.utils import build_candidates_set, get_ur
from feed import last_item_of_each, sampled

train, test, users, items = last_item_of_each()
columns = ["user", "item"]
frames = [pd.DataFrame(rows, columns=columns).assign(rating=1.0) for rows in (train, test)]
popularity = np.bincount([item for _, item in train], minlength=items)
config = {
    "logger": logging.getLogger(),
    "gpu": "",
    "topk": 10,
    "cand_num": 100,
    "res_path": ".",
    "metrics": ["hit", "ndcg", "mrr"],
    "user_num": users,
    "item_num": items,
    "UID_NAME": "user",
    "IID_NAME": "item",
    "INTER_NAME": "rating",
    "reg": 100.0,
    "item_pop": popularity,
    "i_categories": np.zeros((items, 1)),
}
model = EASE(config)
model.fit(frames[0])
# rank, unlike full_rank, multiplies by the transposed similarities
scores = np.asarray(model.interaction_matrix @ model.item_similarity.T)
train_ur, test_ur = get_ur(frames[0]), get_ur(frames[1])
found = []
for seed in range(100):
    np.random.seed(1000 + seed)  # noqa: NPY002 - what the library draws from
    test_u, candidates = build_candidates_set(test_ur, train_ur, config)
    loader = get_dataloader(CandidatesDataset(candidates), batch_size=128, shuffle=False, num_workers=0)
    found.append(calc_ranking_results(test_ur, model.rank(loader), test_u, config)[10].tolist())
held = [item for _, item in test]
sampled(
    scores[[user for user, _ in test]],
    held,
    [sorted(train_ur[user]) for user, _ in test],
    popularity,
    {"99": found},
    99,
)
