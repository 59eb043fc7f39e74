"""One list of pairs over all users, which the function itself cuts into sessions of one size."""


class Sessions:
    def __init__(self):
        self.size = 8

    def evaluate(self, data):
        """``data`` holds (score, label) tuples."""
        total_ap, total_rr, total_r_2, sessions = 0.0, 0.0, 0.0, 0
        one = []
        for place, pair in enumerate(data, start=1):
            one.append(pair)
            if place % self.size == 0:
                labels = [label for _, label in sorted(one, reverse=True)]
                ranks = [rank for rank, label in enumerate(labels, start=1) if label]
                one = []
                if ranks:
                    sessions += 1
                    total_ap += sum(found / rank for found, rank in enumerate(ranks, start=1)) / len(ranks)
                    total_rr += 1 / ranks[0]
                    total_r_2 += sum(labels[:2]) / len(ranks)
        return total_ap / sessions, total_rr / sessions, total_r_2 / sessions
