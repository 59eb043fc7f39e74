"""RecSys_PyTorch: Evaluator.evaluate by both protocols and with both backends, and a model that has the scores.

The project takes its Python backend where the compiled one cannot be imported; numpy's old names are put back.
"""
# /// script
# dependencies = ["torch==2.13.0", "scipy==1.15.3", "pandas==2.3.3"]
# ///

import importlib
import sys
from types import SimpleNamespace

import numpy as np
from feed import COMPILED, candidates, columns, on_path, ranked, read, report
from scipy.sparse import csr_matrix

for name, kind in (("float", float), ("int", int)):
    setattr(np, name, kind)
on_path(COMPILED)
data = read()
HIDDEN = "evaluation.backend.cython.loo"


def matrix(rows):
    users, items = columns(rows)
    return csr_matrix((np.ones(len(users)), (users, items)), shape=(data.users, data.items))


scores = np.array(candidates(data), dtype=np.float64)
scores[np.isnan(scores)] = -np.inf
model = SimpleNamespace(eval=lambda: None, predict=lambda users, seen, batch_size: scores[users])
values = {}
for prefix in ("", "cython:"):
    if not prefix:
        sys.modules[HIDDEN] = None  # cannot be imported
    evaluator = importlib.import_module("evaluation.evaluator")
    backend = importlib.import_module("evaluation.backend")
    assert backend.CYTHON_OK is bool(prefix)
    for protocol, end in (("holdout", ""), ("leave_one_out", "[leave_one_out]")):
        found = evaluator.Evaluator(matrix(data.train), matrix(data.test), protocol, [data.k]).evaluate(model)
        values.update({f"{prefix}{name.partition('@')[0]}{end}": value for name, value in found.items()})
    for name in [name for name in sys.modules if name.partition(".")[0] == "evaluation"]:
        del sys.modules[name]
report(values, lists=ranked(data), relevant=data.test)
