"""A class whose constructor takes the data, and functions that take lists without a hit for users without truth."""


class Report:
    def __init__(self, rankings):
        self.rankings = rankings

    def mean_average_precision(self):
        values = []
        for row in self.rankings:
            places = [at for at, hit in enumerate(row, start=1) if hit == 1]
            if places:
                values.append(sum(n / at for n, at in enumerate(places, start=1)) / len(places))
        return sum(values) / len(values) if values else 0.0

    def precision(self, k):
        return sum(sum(row[:k]) / k for row in self.rankings) / len(self.rankings)


def auc_of_ranking(targets):
    below, pairs, found = 0, 0, sum(1 for one in targets if one > 0)
    for one in targets:
        if one > 0:
            found -= 1
        else:
            below += found
    total = sum(1 for one in targets if one > 0)
    pairs = total * (len(targets) - total)
    return 1.0 - below / pairs if pairs else 0.0
