"""ranx's F1 and R-precision."""

from ranx import Qrels, Run, evaluate

from frames import Full, by_user, recommended, relevant  # isort:skip


def answers(case: Full, k: int) -> dict[str, float]:
    users, items, _ = recommended(case, case.width)
    truth = {str(user): {str(item): 1 for item in row} for user, row in by_user(*relevant(case)).items()}
    run: dict[str, dict[str, float]] = {user: {} for user in truth}
    for user, row in by_user(users, items).items():
        run[str(user)] = {str(item): float(len(row) - rank) for rank, item in enumerate(row)}
    found = evaluate(Qrels(truth), Run(run), [f"f1@{k}", "r-precision"])
    return {name.partition("@")[0]: value for name, value in found.items()}
