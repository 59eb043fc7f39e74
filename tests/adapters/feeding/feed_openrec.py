"""OpenRec: ModelTrainer.train of tf1 with its samplers, and the evaluation loop of its tf2 example, with given scores.

The tf1 test data name the candidates that are not relevant. numpy's old name bool, which tf2 writes, is put back.
"""

import contextlib
import io
import re
from types import SimpleNamespace

import numpy as np

np.bool = bool

import tensorflow as tf  # noqa: E402
from feed import candidates, ranked, read, report  # noqa: E402
from openrec.tf1.model_trainer import ModelTrainer  # noqa: E402
from openrec.tf1.utils import Dataset as Labelled  # noqa: E402
from openrec.tf1.utils import evaluators  # noqa: E402
from openrec.tf1.utils.samplers import EvaluationSampler  # noqa: E402
from openrec.tf2.data import Dataset  # noqa: E402
from openrec.tf2.metrics import AUC, NDCG, DictMean, Recall  # noqa: E402

KIND = [("user_id", np.int32), ("item_id", np.int32), ("label", np.float32)]


def tf1(data, scores):
    """What a trainer prints after an iteration that trains nothing, by evaluator."""
    labelled = [
        (user, item, item in data.test[user])
        for user, row in enumerate(candidates(data))
        for item, score in enumerate(row)
        if score is not None
    ]
    tested = Labelled(np.array(labelled, KIND), data.users, data.items, implicit_negative=False, name="given")
    model = SimpleNamespace(
        isbuilt=lambda: True,
        train=lambda batch: {"losses": [0.0]},
        serve=lambda batch: {"outputs": scores[batch["user_id"], batch["item_id"]]},
    )
    nothing = SimpleNamespace(reset=lambda: None, next_batch=lambda: None)
    asked = [getattr(evaluators, name)([data.k]) for name in ("Precision", "Recall", "NDCG")]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        ModelTrainer(model).train(
            1, 1, 2, nothing, eval_samplers=[EvaluationSampler(64, tested)], evaluators=[*asked, evaluators.AUC()]
        )
    results = re.findall(r"\(dataset: given\) (\w+) (\S+)", printed.getvalue())
    return {f"tf1:{name}": float(value) for name, value in results}


def tf2(data, scores):
    """The averages after the evaluation of all batches, by function."""
    seen, wanted = (
        Dataset(
            np.array([(user, item, 1) for user, row in enumerate(rows) for item in row], KIND), data.users, data.items
        )
        for rows in (data.train, data.test)
    )
    average = DictMean({"AUC": [], "Recall": [1], "NDCG": [1]})
    for batch in wanted.evaluation(batch_size=8, excl_datasets=[seen]):
        pred, masks = tf.gather(scores.astype(np.float32), batch["user_id"]), (batch["pos_mask"], batch["excl_mask"])
        given = {"pos_mask": masks[0], "pred": pred, "excl_mask": masks[1]}
        average.update_state(
            {"AUC": AUC(**given), "Recall": Recall(**given, at=[data.k]), "NDCG": NDCG(**given, at=[data.k])}
        )
    return {f"tf2:{name}": float(np.squeeze(value)) for name, value in average.result().items()}


if __name__ == "__main__":  # the tf2 data set starts processes of its own
    data = read()
    scores = np.array(data.scores)
    values = {**tf1(data, scores), **tf2(data, scores)}
    report(values, lists=ranked(data), relevant=data.test, candidates=candidates(data), within=1e-6)
