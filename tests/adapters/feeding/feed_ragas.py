"""Ragas: evaluate on a data set of samples with the ids that were retrieved and those of the reference."""

import os

os.environ["RAGAS_DO_NOT_TRACK"] = "true"  # it reports its use otherwise

from feed import ranked, read, report, text, texts
from ragas import EvaluationDataset, SingleTurnSample, evaluate
from ragas.metrics import IDBasedContextPrecision, IDBasedContextRecall

data = read()
lists = ranked(data, data.k)
samples = [
    SingleTurnSample(
        user_input=str(user),
        retrieved_context_ids=[text(item) for item in row],
        reference_context_ids=expected,
    )
    for user, (row, expected) in enumerate(zip(lists, texts(data), strict=True))
]
metrics = {type(metric).__name__: metric for metric in (IDBasedContextPrecision(), IDBasedContextRecall())}
found = evaluate(EvaluationDataset(samples), metrics=[*metrics.values()], show_progress=False, raise_exceptions=True)
means = found.to_pandas().mean(numeric_only=True)
report({name: means[metric.name] for name, metric in metrics.items()}, lists=lists, relevant=data.test)
