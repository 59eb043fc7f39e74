"""The reference beside its peers on the same seeded cases, in one run: a table, and JSON."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from metric_harness.system.progress import Reporter
from tests.benchmarks.cases import ITEMS, LISTED, SAMPLE, SCORED_ITEMS, SCORED_USERS, USERS
from tests.benchmarks.report import goals, show
from tests.support.peers.asking import PEERS, ask

ROOT = Path(__file__).parents[2]
SIX = {
    "hit_rate(value=any)": {"pytrec_eval": "success_20", "ranx": "hit_rate@20"},
    "precision(divide_by=k)": {"pytrec_eval": "P_20", "ranx": "precision@20"},
    "recall(divide_by=relevant)": {"pytrec_eval": "recall_20", "ranx": "recall@20"},
    "reciprocal_rank(over=first)": {"pytrec_eval": "recip_rank", "ranx": "mrr@20"},
    "average_precision(divide_by=relevant)": {"pytrec_eval": "map_cut_20", "ranx": "map@20"},
    "ndcg(gain=linear)": {"pytrec_eval": "ndcg_cut_20", "ranx": "ndcg@20"},
}
"""The six metrics that everyone has: the variant, and what the peers call it. Lists are 20 long."""


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    options.add_argument("--out", type=Path, help="write the numbers here, as JSON")
    options.add_argument("--users", type=int, default=USERS, help=f"users with lists of 20 of {ITEMS} items ({USERS})")
    options.add_argument(
        "--scored", type=int, default=SCORED_USERS, help=f"users with scores of {SCORED_ITEMS} items ({SCORED_USERS})"
    )
    options.add_argument("--repeats", type=int, default=5, help="runs of each, of which minimum and median are told")
    given = options.parse_args()
    reporter = Reporter(quiet=False)
    with tempfile.TemporaryDirectory() as folder:
        result: dict[str, Any] = {
            "machine": {
                "processor": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version(),
                "numpy": version("numpy"), **{name: PEERS[name][0] for name in ("pytrec_eval", "ranx", "sklearn")},
            },
            "lists": lists(Path(folder), given.users, given.repeats, reporter),
            "auc": auc(Path(folder), given.scored, given.repeats, reporter),
            "growth": ours("growth", given.users, given.repeats, reporter=reporter),
        }  # fmt: skip
    result["goals"] = goals(result)
    if given.out:
        given.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    show(result)


def lists(folder: Path, users: int, repeats: int, reporter: Reporter) -> dict[str, Any]:
    """All ranking variants from arrays, beside the six metrics of each peer; they must give the same numbers."""
    case = folder / "lists"
    program("tests.benchmarks.cases", "lists", case, users, reporter=reporter)
    found = ours("lists", case, repeats, reporter=reporter)
    found["peers"] = {}
    for peer in ("pytrec_eval", "ranx"):
        reporter.say(f"{peer}: six metrics of {users} users")
        answer = ask(peer, case, [names[peer] for names in SIX.values()], folder / peer, repeats + 1, reporter)
        agree(
            peer, {names[peer]: found["values"][f"{variant}@{LISTED}"] for variant, names in SIX.items()}, answer.values
        )
        first, *rest = answer.evaluate
        found["peers"][peer] = {
            "convert": answer.convert, "first": first, "evaluate": rest, "before": answer.before, "peak": answer.peak
        }  # fmt: skip
    return found


def auc(folder: Path, users: int, repeats: int, reporter: Reporter) -> dict[str, Any]:
    """AUC in each scope, beside scikit-learn's roc_auc_score, one call a user, on the first users."""
    case, sample = folder / "scores", folder / "scores-sample"
    program("tests.benchmarks.cases", "scores", case, users, reporter=reporter)
    found = ours("scores", case, min(repeats, 3), reporter=reporter)
    sampled = min(SAMPLE, users)
    reporter.say(f"sklearn: roc_auc_score of {sampled} users")
    answer = ask("sklearn", sample, ["roc_auc_score"], folder / "sklearn", min(repeats, 3), reporter)
    agree("sklearn", {"roc_auc_score": found["value of the sample"]}, answer.values)
    found["sklearn"] = {"users": sampled, "evaluate": answer.evaluate}
    return found


def agree(peer: str, ours: dict[str, float], theirs: dict[str, Any]) -> None:
    """Stop where a peer computes something else: its seconds would be the seconds of something else."""
    for measure, value in ours.items():
        if not abs(theirs[measure].mean() - value) <= 1e-9:
            sys.exit(
                f"{peer} gives {theirs[measure].mean()!r} for {measure}, the reference {value!r}; nothing is compared"
            )


def ours(*words: Any, reporter: Reporter) -> dict[str, Any]:
    """What tests/benchmarks/measure.py prints."""
    return json.loads(program("tests.benchmarks.measure", *words, reporter=reporter))


def program(module: str, *words: Any, reporter: Reporter) -> str:
    """Run a module of the project in a process of its own; returns what it printed."""
    reporter.say(f"{module.rpartition('.')[2]}: {' '.join(Path(str(word)).name for word in words)}")
    command = [sys.executable, "-m", module, *map(str, words)]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    main()
