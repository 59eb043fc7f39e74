"""RecBole: Config, create_dataset, data_preparation and Trainer.evaluate, with a model that has the scores.

The metrics of rankings come from the full mode; those of labels from the labelled one, over every candidate with 1 or
0, and over the test items with their ratings.
"""
# /// script
# dependencies = ["pyyaml==6.0.3", "tqdm==4.67.1"]
# ///

from collections import Counter
from operator import itemgetter
from pathlib import Path

import torch
from feed import candidates, columns, read, report
from recbole.config import Config
from recbole.data import create_dataset, data_preparation
from recbole.model.abstract_recommender import GeneralRecommender
from recbole.trainer import Trainer
from recbole.utils import InputType
from recbole.utils.case_study import full_sort_topk

data = read()
RANKED = "Hit Precision Recall MRR MAP NDCG GAUC ItemCoverage ShannonEntropy GiniIndex AveragePopularity TailPercentage"
SETTINGS = {
    "data_path": ".",
    "benchmark_filename": ["train", "valid", "test"],
    "load_col": {"inter": ["user_id", "item_id", "label"]},
    "topk": [data.k],
    "metric_decimal_place": 12,
    "train_neg_sample_args": None,
    "use_gpu": False,
}


class Number(int):
    """The Collector calls ``cpu`` on everything it holds, which a number and a Counter do not have."""

    def cpu(self):
        return self


class Counted(Counter):
    cpu = Counter.copy


class Given(GeneralRecommender):
    """A model whose scores are the data set's, times ``factor``."""

    input_type = InputType.POINTWISE

    def __init__(self, config, dataset, factor):
        super().__init__(config, dataset)
        self.weight = torch.nn.Parameter(torch.zeros(1))  # a trainer wants one
        self.scores = torch.zeros(self.n_users, self.n_items, dtype=torch.float64)
        users, items, scores = columns([range(data.items)] * data.users, data.scores)
        tokens = (dataset.token2id(f, list(map(str, ids))) for f, ids in (("user_id", users), ("item_id", items)))
        self.scores[tuple(tokens)] = torch.tensor(scores, dtype=torch.float64) * factor

    def predict(self, interaction):
        return self.scores[interaction["user_id"], interaction["item_id"]]

    def full_sort_predict(self, interaction):
        return self.scores[interaction["user_id"]].clone().view(-1)


def evaluate(name, metrics, test, mode, factor=1.0):
    """What Trainer.evaluate returns for rows of user, item and label, and all that it takes."""
    train = sorted(
        ((*pair, 1) for pair in zip(*columns(data.train), strict=True)), key=itemgetter(1)
    )  # so are its items
    Path(name).mkdir()
    for part, rows in (("train", train), ("valid", test[:1]), ("test", test)):
        lines = ["user_id:token\titem_id:token\tlabel:float", *("\t".join(map(str, row)) for row in rows)]
        Path(name, f"{name}.{part}.inter").write_text("\n".join(lines))
    asked = {"metrics": metrics, "valid_metric": metrics[0], "eval_args": {"order": "RO", "mode": mode}}
    config = Config(model=Given, dataset=name, config_dict={**SETTINGS, **asked})
    dataset = create_dataset(config)
    train_data, _, test_data = data_preparation(config, dataset)
    model = Given(config, train_data.dataset, factor)
    trainer = Trainer(config, model)
    trainer.eval_collector.data_collect(train_data)  # as Trainer.fit does
    collected = trainer.eval_collector.data_struct
    for key, kind in (("data.num_items", Number), ("data.count_items", Counted)):
        if key in collected:
            collected.set(key, kind(collected.get(key)))
    found = trainer.evaluate(test_data, load_best_model=False)
    named = {metric.lower(): metric for metric in metrics}
    return {named[key.partition("@")[0]]: value for key, value in found.items()}, dataset, model, test_data


wanted = list(zip(*columns(data.test, data.ratings), strict=True))
labelled = [
    (user, item, int(item in data.test[user]))
    for user, row in enumerate(candidates(data))
    for item, score in enumerate(row)
    if score is not None
]
values, dataset, model, test_data = evaluate("ranked", RANKED.split(), wanted, "full")
values.update(evaluate("labelled", ["AUC", "LogLoss"], labelled, "labeled")[0])
values.update(evaluate("rated", ["MAE", "RMSE"], wanted, "labeled", 5.0)[0])
users = dataset.token2id("user_id", [str(user) for user in range(data.users)])
found = dataset.id2token("item_id", full_sort_topk(users, model, test_data, data.k)[1].numpy())
report(
    values,
    lists=found.astype(int).tolist(),
    relevant=data.test,
    gains=data.ratings,
    candidates=candidates(data),
    predicted=[[5.0 * data.scores[user][item] for item in items] for user, items in enumerate(data.test)],
)
