"""RecPack's metrics of what is recommended: coverage, and diversity inside a list, fitted on the items' features."""

from __future__ import annotations

from typing import Any, Callable, Tuple

import numpy as np
from recpack import metrics
from scipy.sparse import csr_matrix

from metric_adapters.subject import Answer, Subject
from metric_adapters.training import vectors
from metric_reference.case import Case

Matrices = Callable[[Case], Tuple[Any, Any]]


def subjects(matrices: Matrices) -> "dict[str, Subject]":
    """The subjects; ``matrices`` makes the two matrices of a case that RecPack takes."""

    def ask_coverage(case: Case, k: int) -> Answer:
        asked = metrics.CoverageK(k)
        asked.calculate(*matrices(case))
        return Answer(float(asked.value))

    def ask_diversity(case: Case, k: int) -> Answer:
        asked = metrics.IntraListDiversityK(k)
        asked.fit(csr_matrix(vectors(case) != 0))
        asked.calculate(*matrices(case))
        results = asked.results
        users, values = results["user_id"].to_numpy(np.int64), results["score"].to_numpy(np.float64)
        return Answer(float(asked.value), users, values)

    return {
        "CoverageK": Subject(ask_coverage, metrics.CoverageK),
        "IntraListDiversityK": Subject(ask_diversity, metrics.IntraListDiversityK),
    }
