"""Times the reference in a process of its own and prints JSON: ``python -m tests.benchmarks.measure WHAT ...``.

Beside each measurement of memory stands what the process held when only the case was loaded.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from metric_reference.case import Case
from metric_reference.catalogue import ranking_variants
from metric_reference.evaluate import evaluate
from metric_reference.matching import match
from metric_reference.variant import Variant
from tests.benchmarks.cases import ITEMS, LISTED, RELEVANT, SAMPLE, first_users, list_case
from tests.support.peers.run import peak_memory

AUC = ("per_user", "per_positive", "stacked", "limited", "top_k")


def seconds_of(work: Callable[[], Any], repeats: int) -> list[float]:
    """Seconds that each of several runs took."""
    seconds = []
    for _ in range(repeats):
        begun = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begun)
    return seconds


def load(folder: Path) -> Case:
    """The case in a folder, in memory: the time to read the files is nobody's."""
    settings = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    return Case(n_items=settings["n_items"], **{path.stem: np.load(path) for path in folder.glob("*.npy")})


def lists(folder: str, repeats: str) -> dict[str, Any]:
    """All ranking variants of the catalogue together, from arrays to numbers, matching included; then each alone."""
    case, variants = load(Path(folder)), ranking_variants()
    before = peak_memory()
    seconds = seconds_of(lambda: evaluate(case, variants, [LISTED]), int(repeats))
    peak = peak_memory()
    relevant = int(case.relevant.sum())
    return {
        "case": {"users": case.users, "width": case.width, "items": case.n_items, "relevant": relevant},
        "variants": len(variants),
        "seconds": seconds,
        "before": before,
        "peak": peak,
        "matching": seconds_of(lambda: match(case), int(repeats)),
        "alone": {str(variant): alone(variant, case, int(repeats)) for variant in variants},
        "values": evaluate(case, variants, [LISTED]),
    }


def alone(variant: Variant, case: Case, repeats: int) -> list[float]:
    """Seconds of one variant, once the case is matched: it shares no sum and no sorting with another."""
    fresh = iter([match(case) for _ in range(repeats)])
    return seconds_of(lambda: variant.of_matches(next(fresh), k=LISTED), repeats)


def scores(folder: str, repeats: str) -> dict[str, Any]:
    """AUC in each scope, matching included."""
    case = load(Path(folder))
    assert case.candidate_scores is not None
    out: dict[str, Any] = {"users": case.users, "items": case.n_items, "scores": case.candidate_scores.nbytes}
    out["before"] = peak_memory()
    out["seconds"], out["values"] = {}, {}
    for scope in AUC:
        variant = Variant.parse(f"auc(scope={scope})@{LISTED}")
        out["seconds"][scope] = seconds_of(lambda variant=variant: variant.value(case), int(repeats))  # type: ignore[misc]
        out["values"][scope] = variant.value(case)
    out["peak"] = peak_memory()
    out["value of the sample"] = Variant.parse("auc(scope=per_user)@1").value(
        first_users(case, min(SAMPLE, case.users))
    )
    return out


def growth(users: str, repeats: str) -> dict[str, Any]:
    """How the time of all ranking variants together grows: doubled users, ranks, and relevant items."""
    most, variants = int(users), ranking_variants()
    part = max(1, most // 8)
    whole = list_case(most)

    def series(sizes: Sequence[float], case_of: Callable[[Any], Case]) -> dict[str, Any]:
        seconds = []
        for size in sizes:
            case = case_of(size)
            seconds.append(min(seconds_of(lambda case=case: evaluate(case, variants, [case.width]), int(repeats))))  # type: ignore[misc]
        return {"sizes": list(sizes), "seconds": seconds, "exponent": exponent(sizes, seconds)}

    return {
        "users": series([max(1, most // 2**halved) for halved in (4, 3, 2, 1, 0)], lambda n: first_users(whole, n)),
        "k": series([10, 20, 40, 80, 160], lambda k: list_case(part, listed=k)),
        "relevant items a user": series([4, 8, 16, 32, 64], lambda mean: list_case(part, relevant=mean)),
        "fixed": {"users": part, "items": ITEMS, "k": LISTED, "relevant": RELEVANT},
    }


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The power of the size that the time grows with: slope of a line through the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    print(json.dumps({"lists": lists, "scores": scores, "growth": growth}[what](*rest)))
