"""pytrec_eval's R-precision."""

import pytrec_eval

from frames import Full, by_user, recommended, relevant  # isort:skip


def answers(case: Full, k: int) -> dict[str, float]:
    truth = {str(user): {str(item): 1 for item in row} for user, row in by_user(*relevant(case)).items()}
    run = {
        str(user): {str(item): float(len(row) - rank) for rank, item in enumerate(row)}
        for user, row in by_user(*recommended(case, case.width)[:2]).items()
    }
    found = pytrec_eval.RelevanceEvaluator(truth, {"Rprec"}).evaluate(run)
    return {"Rprec": sum(values["Rprec"] for values in found.values()) / len(found)}
