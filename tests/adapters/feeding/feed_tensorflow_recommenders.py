"""TensorFlow Recommenders: a two-tower Model with a Retrieval task, compiled and evaluated by Keras.

The towers are embeddings that are set, not trained: of an item a unit vector, of a user his scores of all items, so
that the dot products are the given scores. What he has in training scores lowest.
"""

import numpy as np
import tensorflow as tf
import tensorflow_recommenders as tfrs
from feed import candidates, columns, ranked, read, report

data = read()
LOWEST = -1.0
scores = np.array([[LOWEST if score is None else score for score in row] for row in candidates(data)], dtype=np.float32)


def tower(rows):
    return tf.keras.layers.Embedding(*rows.shape, embeddings_initializer=tf.keras.initializers.Constant(rows))


class TwoTowers(tfrs.Model):
    def __init__(self, by_id):
        super().__init__()
        self.by_id = by_id
        self.users, self.items = tower(scores), tower(np.eye(data.items, dtype=np.float32))
        catalogue = tf.data.Dataset.range(data.items).batch(16)
        indexed = catalogue.map(lambda ids: (ids, self.items(ids)) if by_id else self.items(ids))
        self.task = tfrs.tasks.Retrieval(metrics=tfrs.metrics.FactorizedTopK(candidates=indexed, ks=(1, data.k)))

    def compute_loss(self, inputs, training=False):
        ids = inputs["item"] if self.by_id else None
        return self.task(self.users(inputs["user"]), self.items(inputs["item"]), candidate_ids=ids)


users, items = columns(data.test)
pairs = tf.data.Dataset.from_tensor_slices({"user": np.array(users), "item": np.array(items)}).batch(8)
values = {}
for name, by_id in (("FactorizedTopK", False), ("FactorizedTopK[true_candidate_ids]", True)):
    model = TwoTowers(by_id)
    model.compile(optimizer="sgd")
    metrics = model.evaluate(pairs, return_dict=True, verbose=0)
    values[name] = metrics[f"factorized_top_k/top_{data.k}_categorical_accuracy"]
report(values, lists=ranked(data), relevant=data.test, within=1e-6)
