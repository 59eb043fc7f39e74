"""RecBole's own evaluation among drawn negatives (uni100, pop100): BPR is trained once by its Trainer, on its ml-100k.

The last item of each user is held out. RecBole draws 100 items again and again until none is the user's own.
"""
# /// script
# dependencies = ["pyyaml==6.0.3", "tqdm==4.67.1"]
# ///

from pathlib import Path

import numpy as np
import recbole
import torch
from feed import sampled
from recbole.config import Config
from recbole.data import create_dataset, data_preparation
from recbole.model.general_recommender import BPR
from recbole.trainer import Trainer
from recbole.utils import init_seed

SEEDS = range(30)
SETTINGS = {
    "data_path": str(Path(recbole.__file__).parent / "dataset_example"),
    "epochs": 5,
    "embedding_size": 16,
    "learning_rate": 0.01,
    "topk": [10],
    "metrics": ["Hit", "NDCG", "MRR"],
    "valid_metric": "MRR@10",
    "metric_decimal_place": 12,
    "use_gpu": False,
    "show_progress": False,
}


def configured(mode):
    split = {"LS": "test_only"}
    eval_args = {"split": split, "order": "TO", "group_by": "user", "mode": mode}
    return Config(model="BPR", dataset="ml-100k", config_dict={**SETTINGS, "eval_args": eval_args})


config = configured("uni100")
init_seed(7, True)
dataset = create_dataset(config)
train_data, _, test_data = data_preparation(config, dataset)
model = BPR(config, train_data.dataset)
trainer = Trainer(config, model)
trainer.fit(train_data, None, saved=False, show_progress=False)

users, items = (test_data.dataset.inter_feat[name].numpy() for name in ("user_id", "item_id"))
assert len(set(users.tolist())) == len(users)
used = test_data._sampler.used_ids
popularity = np.zeros(dataset.item_num)
for part in (train_data.dataset, test_data.dataset):
    popularity += np.bincount(part.inter_feat["item_id"].numpy(), minlength=dataset.item_num)
with torch.no_grad():
    scores = (model.user_embedding.weight @ model.item_embedding.weight.T).numpy()
excluded = [sorted({0, *used[user]} - {item}) for user, item in zip(users, items, strict=True)]

values = {}
for mode in ("uni100", "pop100"):
    again = configured(mode)
    _, _, tested = data_preparation(again, create_dataset(again))  # a data set is prepared once
    values[mode] = []
    for seed in SEEDS:
        init_seed(1000 + seed, True)
        found = trainer.evaluate(tested, load_best_model=False)
        values[mode].append([float(found[f"{name}@10"]) for name in ("hit", "ndcg", "mrr")])
sampled(scores[users], items, excluded, popularity, values, 100)
