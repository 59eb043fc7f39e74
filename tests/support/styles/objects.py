"""A class that is made with k and has a method for one user."""


class Evaluator:
    def __init__(self, top_k=20):
        self.top_k = top_k

    def f1(self, recommended, relevant):
        hits = len(set(recommended[: self.top_k]) & set(relevant))
        precision, recall = hits / self.top_k, hits / len(relevant)
        return 2 * precision * recall / (precision + recall) if hits else 0.0
