"""KerasRS: a model that is compiled with the metrics and evaluated in batches; it has the scores."""

import os

os.environ["KERAS_BACKEND"] = "torch"

import keras
import keras_rs
import numpy as np
from feed import labels, ranked, read_untrained, report

data = read_untrained()
model = keras.Sequential([keras.layers.Embedding(data.users, data.items), keras.layers.Flatten()])
model.build((None, 1))
model.set_weights([np.array(data.scores)])


def evaluate(names, graded):
    measures = [getattr(keras_rs.metrics, name)(k=data.k, name=name) for name in names]
    model.compile(loss="mse", metrics=measures)
    truth = np.array(labels(data, graded), dtype=np.float32)
    found = model.evaluate(np.arange(data.users)[:, None], truth, batch_size=8, verbose=0, return_dict=True)
    return {name: found[name] for name in names}


values = evaluate(("MeanAveragePrecision", "MeanReciprocalRank", "PrecisionAtK", "RecallAtK"), graded=False)
values.update(evaluate(("NDCG",), graded=True))
report(values, lists=ranked(data), relevant=data.test, gains=data.ratings, train=data.train, within=1e-6)
