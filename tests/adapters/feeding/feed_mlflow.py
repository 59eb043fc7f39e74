"""MLflow: evaluate with the model type of a retriever on a table of what was retrieved and what is expected."""
# /// script
# dependencies = ["sqlalchemy==2.0.44", "alembic==1.17.1", "matplotlib==3.10.7"]
# ///

import mlflow
import pandas as pd
from feed import ranked, read, report, text, texts

data = read()
mlflow.set_tracking_uri("sqlite:///mlflow.db")
retrieved = [[text(item) for item in row] for row in ranked(data)]
table = pd.DataFrame({"question": range(data.users), "retrieved": retrieved, "expected": texts(data)})
found = mlflow.models.evaluate(
    data=table,
    predictions="retrieved",
    targets="expected",
    model_type="retriever",
    evaluators="default",
    evaluator_config={"retriever_k": data.k},
)
values = {f"{name}_at_k": found.metrics[f"{name}_at_{data.k}/mean"] for name in ("precision", "recall", "ndcg")}
report(values, lists=ranked(data), relevant=data.test)
