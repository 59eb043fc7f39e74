"""OpenRec's own evaluation among drawn negatives: Dataset(num_negatives=100), EvaluationSampler and ModelTrainer.

The last item of each user is held out. The models of OpenRec 0.3.0 need TensorFlow 1, so the trainer serves the scores
of EASE. Each evaluation draws with its own seed, for each user once, and from the items of the training data too.
"""

import contextlib
import io
import re
from types import SimpleNamespace

import numpy as np
from feed import ease_of, last_item_of_each, sampled
from openrec.tf1.model_trainer import ModelTrainer
from openrec.tf1.utils import Dataset, evaluators
from openrec.tf1.utils.samplers import EvaluationSampler

train, test, users, items = last_item_of_each()
scores = ease_of(train, users, items)
rows = np.array([(user, item) for user, item in test], [("user_id", np.int32), ("item_id", np.int32)])
model = SimpleNamespace(
    isbuilt=lambda: True,
    train=lambda batch: {"losses": [0.0]},
    serve=lambda batch: {"outputs": scores[batch["user_id"], batch["item_id"]]},
)
nothing = SimpleNamespace(reset=lambda: None, next_batch=lambda: None)


def evaluated(seed):
    np.random.seed(1000 + seed)  # noqa: NPY002 - what the library draws from
    drawn = Dataset(rows, users, items, num_negatives=100, name="drawn")
    sampler = EvaluationSampler(256, drawn)
    asked = [evaluators.Recall([10]), evaluators.NDCG([10])]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        ModelTrainer(model).train(1, 1, 2, nothing, eval_samplers=[sampler], evaluators=asked)
    for process in sampler._runner_list:  # it never ends by itself
        process.terminate()
    return [float(value) for _, value in re.findall(r"\(dataset: drawn\)\S* (\w+) (\S+)", printed.getvalue())]


if __name__ == "__main__":  # the sampler starts a process of its own
    values = {"100": [evaluated(seed) for seed in range(100)]}
    popularity = np.bincount([item for _, item in train], minlength=items)
    sampled(scores[[user for user, _ in test]], [item for _, item in test], [[]] * len(test), popularity, values, 100)
