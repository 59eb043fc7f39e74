"""ranx: compare, which evaluates a run made of a data frame and tests it against another one.

Rank-biased precision takes judgements for gains, where its documentation has 0 and 1: it is run with judgements of 1.
"""

import pandas as pd
from feed import candidates, columns, ranked, read, report
from ranx import Qrels, Run, compare

data = read()
k = data.k


def named(users, items):
    """Queries and documents; the latter's ids have the length for which the adapter has everything compiled."""
    return {"q_id": [str(user) for user in users], "doc_id": [f"d{item:09d}" for item in items]}


users, items, ratings = columns(data.test, data.ratings)
graded = Qrels.from_df(pd.DataFrame({**named(users, items), "score": ratings}))
binary = Qrels.from_df(pd.DataFrame({**named(users, items), "score": 1}))
rows = [(user, item, score) for user, row in enumerate(candidates(data)) for item, score in enumerate(row)]
users, items, scores = zip(*(row for row in rows if row[2] is not None), strict=True)
runs = [
    Run.from_df(pd.DataFrame({**named(users, items), "score": given}), name=name)
    for name, given in (("model", scores), ("upside down", [1 - score for score in scores]))
]
CUT = ("hits", "hit_rate", "precision", "recall", "f1", "mrr", "map", "dcg", "dcg_burges", "ndcg", "ndcg_burges")


def evaluated(qrels, measures, **options):
    results = compare(qrels, runs, list(measures.values()), **options).results["model"]
    return {name: results[measure] for name, measure in measures.items()}


values = evaluated(graded, {**{name: f"{name}@{k}" for name in CUT}, "r-precision": "r-precision"})
both = {f"{name}[make_comparable]": f"{name}@{k}" for name in ("map", "ndcg")}
values.update(evaluated(graded, both, make_comparable=True))
report(values, lists=ranked(data), relevant=data.test, gains=data.ratings)
report(evaluated(binary, {"rbp.80": "rbp.80"}), lists=ranked(data), relevant=data.test)
