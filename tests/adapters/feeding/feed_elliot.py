"""Elliot: run_experiment on a configuration of three files, with its ProxyRecommender; its own table of results.

`elliot.recommender` imports every model and with them TensorFlow: a package with the proxy alone takes its place. With
pandas 2 the proxy reads users as tuples, so it gets its lists from here.
"""
# /// script
# dependencies = ["scipy==1.15.3", "hyperopt==0.2.7", "setuptools==80.9.0", "tqdm==4.67.1", "pillow==12.0.0"]
# ///

import sys
from pathlib import Path
from types import ModuleType

import pandas as pd
import yaml
from feed import SOURCE, candidates, columns, on_path, ranked, read, report

on_path()
package = ModuleType("elliot.recommender")
package.__path__ = [str(Path(SOURCE, "elliot", "recommender"))]
sys.modules["elliot.recommender"] = package

from elliot.recommender.generic.Proxy.Proxy import ProxyRecommender  # noqa: E402
from elliot.run import run_experiment  # noqa: E402

data = read()
lists = ranked(data)
SIMPLE = "HR Precision Recall F1 MRR MAP MAR nDCG nDCGRendle2020 AUC GAUC LAUC ItemCoverage UserCoverage Gini SEntropy"
SIMPLE = [*SIMPLE.split(), "EFD", "EPC", "ARP", "MAE", "MSE", "RMSE"]
COMPLEX = [
    {"metric": "ExtendedEFD", "relevance": "binary"},
    {"metric": "ExtendedEPC", "relevance": "binary"},
    {"metric": "ExtendedF1", "metric_0": "Precision", "metric_1": "Recall"},
    {"metric": "DSC", "metric_0": "Precision", "metric_1": "Recall"},
    {"metric": "SRecall", "feature_data": "../features.tsv"},
]


class Given(ProxyRecommender):
    __module__ = ProxyRecommender.__module__

    def read_recommendations(self, path):
        return {user: [(item, 5 * data.scores[user][item]) for item in row] for user, row in enumerate(lists)}


package.Given = Given
for name, rows in (("train", columns(data.train, data.train_ratings)), ("test", columns(data.test, data.ratings))):
    pd.DataFrame(dict(enumerate(rows))).assign(time=0).to_csv(f"{name}.tsv", sep="\t", header=False, index=False)
topics = [[place for place, value in enumerate(row) if value > 0.5] for row in data.vectors]
Path("features.tsv").write_text("\n".join("\t".join(map(str, (item, *row))) for item, row in enumerate(topics)))
experiment = {
    "version": "0.3.1",
    "dataset": "given",
    "top_k": data.k,
    "models": {"Given": {"meta": {"verbose": False}, "path": ""}},
    "data_config": {"strategy": "fixed", "train_path": "../train.tsv", "test_path": "../test.tsv"},
    "evaluation": {"cutoffs": [data.k], "simple_metrics": SIMPLE, "complex_metrics": COMPLEX, "relevance_threshold": 1},
}
Path("config").mkdir()  # it writes beside the folder of its configuration
Path("config", "given.yml").write_text(yaml.safe_dump({"experiment": experiment}))
run_experiment(str(Path("config", "given.yml").absolute()))
(table,) = Path(".").rglob("rec_cutoff*.tsv")
found = pd.read_csv(table, sep="\t").to_dict("records")[0]
values = {name: found[name] for name in SIMPLE}
for asked in COMPLEX:
    (values[asked["metric"]],) = [value for name, value in found.items() if name.startswith(asked["metric"])]
vectors = [[float(value > 0.5) for value in row] for row in data.vectors]
report(
    values,
    lists=lists,
    relevant=data.test,
    gains=data.ratings,
    candidates=candidates(data),
    vectors=vectors,
    predicted=[[5 * data.scores[user][item] for item in row] for user, row in enumerate(data.test)],
)
