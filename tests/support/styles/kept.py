"""Classes that print their results or leave them in attributes; none of their methods returns one."""


class Report:
    """Sums over queries at several depths; rows are (score, document, rank)."""

    def __init__(self, mrr_depths, recall_depths):
        self.mrr = dict.fromkeys(mrr_depths, 0.0)
        self.recall = dict.fromkeys(recall_depths, 0.0)
        self.queries = 0

    def add(self, query_key, rows, relevant):
        self.queries += 1
        found = [at for at, (_, document, _) in enumerate(rows) if document in relevant]
        for depth in self.mrr:
            if found and found[0] < depth:
                self.mrr[depth] += 1 / (found[0] + 1)
        for depth in self.recall:
            self.recall[depth] += sum(at < depth for at in found) / len(relevant)

    def show(self, stream):
        for depth, total in self.mrr.items():
            print(f"MRR@{depth} = {total / self.queries}", file=stream)


class Ranks:
    """A sum for each of two settings, chosen by name, and every value for one of them."""

    def __init__(self):
        self.mrr = {"all": 0.0, "known": 0.0}
        self.hits = {"all": 0.0, "known": 0.0}

    def update(self, rank, setting):
        self.mrr[setting] += 1 / rank
        if rank <= 10:
            self.hits[setting] += 1

    def show(self, title):
        print(title, self.mrr, self.hits)


class EachUser:
    """The values of the users, of which somebody else takes the mean."""

    def __init__(self, k=10):
        self.k, self.values = k, []

    def add(self, relevant, recommended):
        self.values.append(len(set(recommended[: self.k]) & set(relevant)) / len(relevant))

    def plot(self, axis):
        axis.hist(self.values)


class Shares:
    """The results are properties."""

    def __init__(self):
        self.hits, self.ranks, self.total = 0, 0.0, 0

    def update(self, relevant, retrieved):
        self.total += 1
        rank = next((rank for rank, item in enumerate(retrieved, 1) if item in relevant), None)
        if rank is not None:
            self.hits += 1
            self.ranks += 1 / rank

    @property
    def hit_rate(self):
        return self.hits / self.total if self.total else 0.0

    @property
    def mrr(self):
        return self.ranks / self.total if self.total else 0.0
