"""The numbers of the benchmarks as tables, and which of the goals they meet."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

MEMORY = 1.5e9
"""All variants together stay below so many bytes."""


def goals(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Each goal, the number that was measured, and whether it is met. Times are minima over the runs."""
    lists, auc = result["lists"], result["auc"]
    all_variants, by_user = min(lists["seconds"]), sklearn_seconds(auc)
    peers = {name: min(peer["evaluate"]) for name, peer in lists["peers"].items()}
    converted = {name: peers[name] + peer["convert"] for name, peer in lists["peers"].items()}
    rows = [
        *((f"all variants faster than six of {name}, converted already", seconds / all_variants, 1.0)
          for name, seconds in peers.items()),
        *((f"all variants 50 times as fast as six of {name} with conversion", seconds / all_variants, 50.0)
          for name, seconds in converted.items()),
        ("peak memory of all variants below 1.5 GB: how often it fits", MEMORY / lists["peak"], 1.0),
        *((f"AUC {scope} 20 times as fast as sklearn user by user", by_user / min(seconds), 20.0)
          for scope, seconds in auc["seconds"].items()),
        ("memory beside the scores below twice theirs: how often it fits",
         2 * auc["scores"] / max(1, auc["peak"] - auc["before"]), 1.0),
    ]  # fmt: skip
    return [{"goal": goal, "wanted": wanted, "factor": found, "met": found >= wanted} for goal, found, wanted in rows]


def sklearn_seconds(auc: dict[str, Any]) -> float:
    """Seconds of roc_auc_score for all users, from those of the sample."""
    return min(auc["sklearn"]["evaluate"]) * auc["users"] / auc["sklearn"]["users"]


def show(result: dict[str, Any]) -> None:
    """Print everything."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=120)
    console.print(", ".join(f"{name} {value}" for name, value in result["machine"].items()))
    for table in (of_lists(result["lists"]), of_auc(result["auc"]), of_variants(result["lists"]),
                  of_growth(result["growth"]), of_goals(result["goals"])):  # fmt: skip
        console.print(table)


def of_lists(lists: dict[str, Any]) -> Table:
    size = lists["case"]
    title = (
        f"Lists: {size['users']} users x {size['width']} of {size['items']} items, {size['relevant']} relevant; "
        "seconds, and memory in MB"
    )
    table = columns(title, "what", "min", "median", "times ours", "peak memory", "of it loaded")
    fastest = min(lists["seconds"])

    def row(what: str, seconds: Sequence[float], memory: dict[str, Any]) -> None:
        cells = [f"{min(seconds):.3f}", f"{median(seconds):.3f}", f"{min(seconds) / fastest:.1f}"]
        table.add_row(what, *cells, f"{memory['peak'] / 1e6:.0f}", f"{memory['before'] / 1e6:.0f}")

    row(f"reference, {lists['variants']} variants, from arrays", lists["seconds"], lists)
    for name, peer in lists["peers"].items():
        row(f"{name}, 6 metrics, converted already", peer["evaluate"], peer)
        row(f"{name}, 6 metrics, with conversion", [peer["convert"] + each for each in peer["evaluate"]], peer)
        table.add_row(f"{name}, its first call", f"{peer['first']:.3f}", "", "", "", "")
    return table


def of_auc(auc: dict[str, Any]) -> Table:
    title = f"AUC: {auc['users']} users x {auc['items']} items, scores of {auc['scores'] / 1e6:.0f} MB"
    table = columns(title, "scope", "min", "median", "sklearn / ours")
    by_user = sklearn_seconds(auc)
    for scope, seconds in auc["seconds"].items():
        table.add_row(scope, f"{min(seconds):.3f}", f"{median(seconds):.3f}", f"{by_user / min(seconds):.0f}")
    extra, sampled = (auc["peak"] - auc["before"]) / 1e6, auc["sklearn"]["users"]
    table.add_row(f"sklearn, {sampled} users scaled up", f"{by_user:.1f}", "", "1")
    table.caption = f"Memory beside the loaded scores: {extra:.0f} MB."
    return table


def of_variants(lists: dict[str, Any]) -> Table:
    table = columns("Each variant alone, once the case is matched: milliseconds", "variant", "min", "median")
    for name, seconds in {"the matching itself": lists["matching"], **lists["alone"]}.items():
        table.add_row(name, f"{1e3 * min(seconds):.1f}", f"{1e3 * median(seconds):.1f}")
    return table


def of_growth(growth: dict[str, Any]) -> Table:
    fixed = growth["fixed"]
    title = (
        f"Growth of all variants together; else {fixed['users']} users, k {fixed['k']}, {fixed['relevant']} relevant"
    )
    table = columns(title, "of", "sizes", "seconds", "exponent")
    for name, series in growth.items():
        if name != "fixed":
            sizes, seconds = " ".join(map(str, series["sizes"])), " ".join(f"{each:.3f}" for each in series["seconds"])
            table.add_row(name, sizes, seconds, f"{series['exponent']:.2f}")
    return table


def of_goals(rows: list[dict[str, Any]]) -> Table:
    table = columns("Goals", "goal", "wanted", "measured", "met")
    for row in rows:
        table.add_row(row["goal"], f"{row['wanted']:g}", f"{row['factor']:.1f}", "yes" if row["met"] else "NO")
    return table


def columns(title: str, first: str, *others: str) -> Table:
    table = Table(title=title, title_justify="left", caption_justify="left")
    table.add_column(first)
    for name in others:
        table.add_column(name, justify="right")
    return table
