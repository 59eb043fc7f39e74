"""trectools: TrecRun.evaluate_run on files of judgements and results, which have levels for NDCG alone."""

from feed import ranked, read_untrained, report, write_qrels, write_run
from trectools import TrecQrel, TrecRun

data = read_untrained()
write_qrels("qrels", data)
write_qrels("levels", data, graded=True)
write_run("run", data)
write_run("cut", data, data.k)


def evaluate(judged, listed, measures):
    """What evaluate_run gives for its measures over all queries, by the function that computes each."""
    table = TrecRun(listed).evaluate_run(TrecQrel(judged), per_query=False).data
    found = dict(zip(table["metric"], table["value"], strict=True))
    return {function: found[measure] for measure, function in measures.items()}


k = data.k
values = evaluate("qrels", "run", {f"P_{k}": "get_precision", f"R_{k}": "get_recall", "Rprec": "get_rprec"})
values.update(evaluate("qrels", "cut", {"recip_rank": "get_reciprocal_rank", "map": "get_map"}))
values.update(evaluate("levels", "run", {f"NDCG_{k}": "get_ndcg"}))
report(values, lists=ranked(data), relevant=data.test, gains=data.ratings, train=data.train)
