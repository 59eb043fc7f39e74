"""Spark: CrossValidator with RankingEvaluator, which calls RankingMetrics; a fold holds as many users as each other.

The pipeline that is validated passes on the lists that the frame has.
"""

from pathlib import Path

from feed import ranked, read, report
from pyspark.ml import Pipeline
from pyspark.ml.evaluation import RankingEvaluator
from pyspark.ml.feature import SQLTransformer
from pyspark.ml.tuning import CrossValidator
from pyspark.sql import SparkSession

data = read()
FOLDS = 3
METRICS = {
    "RankingMetrics.precisionAt": "precisionAtK",
    "RankingMetrics.recallAt": "recallAtK",
    "RankingMetrics.meanAveragePrecisionAt": "meanAveragePrecisionAtK",
    "RankingMetrics.ndcgAt": "ndcgAtK",
    "RankingMetrics.meanAveragePrecision": "meanAveragePrecision",
}
assert data.users % FOLDS == 0
builder = SparkSession.builder.master("local[1]")
for name, value in (
    ("spark.driver.host", "localhost"),
    ("spark.driver.bindAddress", "127.0.0.1"),
    ("spark.ui.enabled", "false"),
    ("spark.sql.shuffle.partitions", "1"),
    ("spark.local.dir", str(Path.cwd())),
):
    builder = builder.config(name, value)
spark = builder.getOrCreate()
lists = ranked(data)
rows = [
    ([float(item) for item in row], [float(item) for item in expected], user % FOLDS)
    for user, (row, expected) in enumerate(zip(lists, data.test, strict=True))
]
frame = spark.createDataFrame(rows, "prediction array<double>, label array<double>, fold int")
found = {}
for name in METRICS.values():
    validator = CrossValidator(
        estimator=Pipeline(stages=[SQLTransformer(statement="SELECT * FROM __THIS__")]),
        estimatorParamMaps=[{}],
        evaluator=RankingEvaluator(metricName=name, k=data.k),
        numFolds=FOLDS,
        foldCol="fold",
    )
    (found[name],) = validator.fit(frame).avgMetrics
values = {function: found[name] for function, name in METRICS.items()}
values.update({f"RankingEvaluator[{name}]": found[name] for name in ("meanAveragePrecisionAtK", "ndcgAtK")})
report(values, lists=lists, relevant=data.test)
