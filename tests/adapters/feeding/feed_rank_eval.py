"""rank_eval: compare on judgements and two runs; the report's means of the first are taken.

Judgements have levels for NDCG alone.
"""

from feed import ranked, read_untrained, report, text
from rank_eval import Qrels, Run, compare

data = read_untrained()


def judgements(graded):
    return Qrels.from_dict(
        {
            str(user): {text(item): rating if graded else 1 for item, rating in zip(items, ratings, strict=True)}
            for user, (items, ratings) in enumerate(zip(data.test, data.ratings, strict=True))
        }
    )


def run(sign, name):
    table = {
        str(user): {text(item): sign * score for item, score in enumerate(row)} for user, row in enumerate(data.scores)
    }
    made = Run.from_dict(table)
    made.name = name
    return made


values = {}
for graded, names in (
    (False, ("precision", "recall", "r-precision", "mrr", "map", "hits")),
    (True, ("ndcg", "ndcg_burges")),
):
    asked = [f"{name}@{data.k}" for name in names]
    found = compare(judgements(graded), [run(1.0, "given"), run(-1.0, "reversed")], asked)
    values.update({name: found.results["given"][f"{name}@{data.k}"] for name in names})
report(values, lists=ranked(data), relevant=data.test, gains=data.ratings, train=data.train)
