"""TensorFlow Ranking: a Keras model, compiled with the metrics and evaluated on batches of lists.

The lists have their candidates alone and are padded with the label -1, as the library's own parsing of lists pads them.
The model hands on the score that an item has as its only feature.
"""

import numpy as np
import tensorflow as tf
import tensorflow_ranking as tfr
from feed import candidates, ranked, read, report

data = read()
PADDING = -1.0
CUT = ("MRR", "Hits", "Precision", "Recall", "MeanAveragePrecision", "NDCG", "DCG")
features, binary, graded = [], [], []
for user, row in enumerate(candidates(data)):
    scored = {item: score for item, score in enumerate(row) if score is not None}
    gains = dict(zip(data.test[user], data.ratings[user], strict=True))
    features.append(list(scored.values()))
    graded.append([float(gains.get(item, 0)) for item in scored])
    binary.append([float(item in gains) for item in scored])


def evaluated(labels, metrics):
    """What Keras reports for the metrics, by name."""
    inputs = tf.keras.Input(shape=(None, 1))
    model = tf.keras.Model(inputs, tf.keras.layers.Lambda(lambda each: tf.squeeze(each, axis=-1))(inputs))
    model.compile(optimizer="sgd", metrics=metrics)
    given = tf.ragged.constant(features, dtype=tf.float32).to_tensor(0.0)
    wanted = tf.ragged.constant(labels, dtype=tf.float32).to_tensor(PADDING)
    batches = tf.data.Dataset.from_tensor_slices((tf.expand_dims(given, -1), wanted)).batch(8)
    return model.evaluate(batches, return_dict=True, verbose=0)


def metric(name):
    return getattr(tfr.keras.metrics, f"{name}Metric")(name=f"{name}Metric", topn=data.k)


pairs = evaluated(binary, [tfr.keras.metrics.OPAMetric(name="OPAMetric")])
values = evaluated(binary, [metric(name) for name in CUT[:5]])
values.update(evaluated(graded, [metric(name) for name in CUT[5:]]))
shown = {"lists": ranked(data), "relevant": data.test, "candidates": candidates(data), "within": 1e-5}
for found, gains in ((values, {"gains": data.ratings}), (pairs, {})):
    found.pop("loss")
    assert np.isfinite(list(found.values())).all()
    report(found, **shown, **gains)
