"""NeuRec: ProxyEvaluator with its C++ backend and UniEvaluator with its Python one, for a model that has the scores.

An empty module stands in for TensorFlow 1, which no evaluator calls. Either prints eight decimals of float32 numbers.
"""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
from feed import COMPILED, on_path, ranked, read, report

sys.modules["tensorflow"] = ModuleType("tensorflow")
on_path(COMPILED)

from evaluator import ProxyEvaluator  # noqa: E402
from evaluator.backend.cpp.uni_evaluator import UniEvaluator as Compiled  # noqa: E402
from evaluator.backend.python.uni_evaluator import UniEvaluator as Python  # noqa: E402

data = read()
METRICS = ["Precision", "Recall", "MAP", "NDCG", "MRR"]
scores = np.array(data.scores, dtype=np.float32)
model = SimpleNamespace(predict=lambda users, items: scores[users].copy())
train, test = dict(enumerate(data.train)), dict(enumerate(data.test))
proxy = ProxyEvaluator(train, test, metric=METRICS, top_k=[data.k], batch_size=8)
assert isinstance(proxy.evaluator, Compiled)
values = {}
for backend, evaluator in (
    ("cpp", proxy),
    ("python", Python(train, test, metric=METRICS, top_k=[data.k], batch_size=8)),
):
    found = map(float, evaluator.evaluate(model).split())
    values.update({f"{backend}:{name.lower()}": value for name, value in zip(METRICS, found, strict=True)})
report(values, lists=ranked(data), relevant=data.test, within=1e-7)
