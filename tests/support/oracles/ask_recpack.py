"""RecPack's coverage."""

from recpack.metrics import CoverageK
from scipy.sparse import csr_matrix

from frames import Full, recommended, relevant  # isort:skip


def answers(case: Full, k: int) -> dict[str, float]:
    shape = (case.users, case.n_items)
    users, items, ranks = recommended(case, case.width)
    truth = relevant(case)
    metric = CoverageK(k)
    metric.calculate(
        csr_matrix(([1.0] * len(truth[0]), truth), shape=shape), csr_matrix((1.0 / ranks, (users, items)), shape=shape)
    )
    return {"CoverageK": metric.value}
