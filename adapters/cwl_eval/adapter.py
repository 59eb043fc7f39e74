"""cwl_eval takes judgements and the rows of a run, topic by topic in the order of the file; it prints a value for each.

It takes no mean; the one returned is that of the topics in the run.
"""

from __future__ import annotations

import logging
from importlib.metadata import version as version_of
from typing import Any, Callable, Optional

import numpy as np
from cwl.ruler import cwl_ruler as measures
from cwl.ruler.ranking import RankingMaker
from cwl.seeker.trec_qrel_handler import TrecQrelHandler

from metric_adapters.shapes import relevant_pairs
from metric_adapters.subject import Answer, CannotShow, Subject
from metric_adapters.trec import by_query, documents
from metric_reference.case import Case

logging.getLogger("cwl").disabled = True  # its debugging lines are most of the time it takes


def version() -> str:
    return version_of("cwl-eval")


def asking(metric: Callable[[int], Any], depth: Optional[int] = 1000) -> Callable[[Case, int], Answer]:
    """Ask a measure for its expected utility, as ``cwl-eval`` does for each topic of a run.

    metric : makes the measure from k; depth : how many ranks are calculated, 1000 for the command, None: as many as the
        longest list has. The command refuses gains outside 0 to 1, and prints nothing for a topic without rows.
    """

    def ask(case: Case, k: int) -> Answer:
        if not case.list_lengths.all():
            raise CannotShow("a run has no row for a topic with an empty list, and the mean over topics is not its own")
        judged = TrecQrelHandler()
        users, items, gains = relevant_pairs(case)
        if np.any(gains > 1):
            raise CannotShow(f"gains lie between 0 and 1, as the command checks: {gains[gains > 1][0]}")
        for user, document, gain in zip(users.tolist(), documents(case, items), gains.tolist()):
            judged.put_value(str(user), document, gain)
        ranks = case.width if depth is None else max(depth, k, case.width)
        values = {}
        for user in range(case.users):
            ranking = RankingMaker(str(user), judged, max_n=ranks)
            for document in documents(case, case.list_of(user)):
                ranking.add(document, "Q0")
            values[str(user)] = metric(k).measure(ranking.get_ranking())
        return by_query(float(np.mean(list(values.values()))), values)

    return ask


# Average precision takes time with the square of the depth and is the same at any depth that holds the list.
SUBJECTS = {
    "PrecisionCWLMetric": Subject(asking(measures.PrecisionCWLMetric), measures.PrecisionCWLMetric),
    "RRCWLMetric": Subject(asking(lambda k: measures.RRCWLMetric()), measures.RRCWLMetric),
    "APCWLMetric": Subject(asking(lambda k: measures.APCWLMetric(), depth=None), measures.APCWLMetric),
    "RBPCWLMetric(0.8)": Subject(asking(lambda k: measures.RBPCWLMetric(0.8)), measures.RBPCWLMetric),
    "NDCGCWLMetric": Subject(asking(measures.NDCGCWLMetric), measures.NDCGCWLMetric),
}
