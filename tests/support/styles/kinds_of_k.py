"""k under other names, in other forms, and not as a parameter."""

TOPK = 10


def recall_by_variable(actual, predicted):
    return len(set(actual) & set(predicted[:TOPK])) / len(actual)


def recall_of_ats(truth, recs, ats):
    return {at: len(set(truth) & set(recs[:at])) / len(truth) for at in ats}


def precision_of_text(actual, predicted, cutoffs):
    """``cutoffs`` is text, such as "5,10"."""
    return {int(text): len(set(actual) & set(predicted[: int(text)])) / int(text) for text in cutoffs.split(",")}


class Recalls:
    """Made with a list of cut-offs, whatever its name says."""

    def __init__(self, cutoff):
        self.cutoff = [int(one) for one in cutoff]

    def evaluate(self, actual, predicted):
        return [len(set(actual) & set(predicted[:k])) / len(actual) for k in self.cutoff]


def precision_not_cut(actual, predicted, top_n):
    """Takes k, and relies on lists that end there."""
    return len([item for item in predicted if item in actual]) / top_n


def hits_of_relevance(hits, n_items, k, method, verbose):
    """Required parameters that take no data; True and False index a matrix by mask."""
    assert n_items > 0
    if verbose:
        print(hits)
    if method == 1:
        return float(any(hits[:k]))
    raise ValueError(method)
