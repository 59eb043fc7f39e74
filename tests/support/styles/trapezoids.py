"""Areas by trapezoids, of positions, and the harmonic mean of two shares."""


def average_precision(ranks, nres):
    """
    ranks : ranks of the hits, from 0
    nres : number of relevant documents
    """
    area = 0.0
    for found, rank in enumerate(ranks):
        before = found / rank if rank else 1.0
        area += (before + (found + 1) / (rank + 1)) / (2 * nres)
    return area


def map_of_queries(ranks, gnd):
    """``ranks`` has a column for each query; ``junk`` counts neither way."""
    areas = []
    for query, judged in enumerate(gnd):
        column = [one for one in ranks[:, query].tolist() if one not in judged["junk"]]
        found = [rank for rank, one in enumerate(column) if one in judged["ok"]]
        if judged["ok"]:
            areas.append(average_precision(found, len(judged["ok"])))
    return sum(areas) / len(areas), areas


def f1_of_shares(recommended, relevant, k):
    hits = len(set(recommended[:k]) & set(relevant))
    precision, recall = hits / min(k, len(relevant)), hits / len(relevant)
    return 2 * precision * recall / (precision + recall) if hits else 0.0
