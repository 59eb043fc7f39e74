"""The numbers of :mod:`tests.benchmarks.scale` as tables and as a plot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.benchmarks.beside_a_scan import show as show_evaluate
from tests.benchmarks.ease import show as show_ease
from tests.benchmarks.report import columns

MINUTES, MEMORY = 30, 12 * 2**30
"""The goal for the comparison."""


def show(result: dict[str, Any]) -> None:
    """Print everything."""
    console = Console()
    console = console if console.is_terminal else Console(width=120)
    console.print(", ".join(f"{name} {value}" for name, value in result["machine"].items()))
    for table in (of_comparison(result["comparison"]), of_libraries(result["comparison"]), of_steps(result),
                  of_growth(result["growth"])):  # fmt: skip
        console.print(table)
    for size in result["ease"]:
        show_ease(size)
    for ids in result["evaluate"]:
        show_evaluate(ids)


def of_comparison(found: dict[str, Any]) -> Table:
    sample = "" if found["sample"] is None else f", AUC on {found['sample']}"
    title = f"The comparison: {found['users']} test users x {found['items']} items{sample}"
    table = columns(title, "what", "measured", "goal", "met")
    minutes, asking = found["seconds"] / 60, found["asking"] / 60
    table.add_row("minutes", f"{minutes:.1f}", f"{MINUTES}", "yes" if minutes <= MINUTES else "NO")
    table.add_row("of them reading, split and EASE", f"{minutes - asking:.1f}", "", "")
    table.add_row("of them asking and identifying", f"{asking:.1f}", "", "")
    peak = f"{found['peak'] / 2**30:.1f}"
    table.add_row("peak GiB, all processes", peak, f"{MEMORY >> 30}", "yes" if found["peak"] <= MEMORY else "NO")
    table.caption = f"Cells: {found['status']}; load {found['load_before']:.1f} to {found['load_after']:.1f}."
    return table


def of_libraries(found: dict[str, Any]) -> Table:
    table = columns(
        "Seconds for 100,000 users, and how often the reference fits into them", "library", "functions", "lists",
        "x reference", "AUC functions", "AUC", "x reference",
    )  # fmt: skip
    for name, kinds in found["libraries"].items():
        cells = []
        for kind in ("lists", "auc"):
            mine = kinds.get(kind)
            times = mine and mine.get("times_reference")
            cells += [str(mine["functions"]), f"{mine['per_100k']:.1f}"] if mine else ["", ""]
            cells.append(f"{times:.0f}" if times else "")
        table.add_row(name, *cells)
    return table


def of_steps(result: dict[str, Any]) -> Table:
    read, ours, named = result["reading"], result["variants"], result["comparison"]["identification"]
    table = columns("Steps beside a peer or a bound", "step", "seconds", "beside", "its seconds", "times")
    seconds = read["seconds"]
    rows = [
        (f"reading {read['rows']:,} ratings, checked", seconds["read_ratings"], "pyarrow.csv", seconds["pyarrow"]),
        ("the same", seconds["read_ratings"], "the bare bytes", seconds["bytes"]),
        ("splitting them", read["split"], "pyarrow.csv", seconds["pyarrow"]),
        (f"matching {ours['users']:,} lists", ours["matching"], "a copy in memory", ours["copy"]),
        (f"{ours['variants']} variants of them", ours["together"], "the matching", ours["matching"]),
        (f"identifying {named['subjects']} functions", named["seconds"], "their answers", named["answers"]),
    ]
    for step, mine, peer, theirs in rows:
        table.add_row(step, f"{mine:.3f}", peer, f"{theirs:.3f}", f"{mine / theirs:.2f}")
    return table


def of_growth(growth: dict[str, Any]) -> Table:
    table = columns("Growth", "of", "sizes", "seconds", "exponent")
    for name, series in growth.items():
        sizes, seconds = " ".join(map(str, series["sizes"])), " ".join(f"{each:.3f}" for each in series["seconds"])
        table.add_row(name, sizes, seconds, f"{series['exponent']:.2f}")
    return table


def plot(result: dict[str, Any], path: Path) -> None:
    """Seconds of each library for 100,000 users, and EASE by items; SVG that is the same for the same numbers."""
    import matplotlib as mpl

    mpl.use("svg")
    import matplotlib.pyplot as plt

    mpl.rcParams.update({"svg.hashsalt": "metric-harness", "font.size": 9})
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained", width_ratios=(3, 2))
    libraries = result["comparison"]["libraries"]
    order = sorted(libraries, key=lambda name: -libraries[name].get("lists", {"per_100k": 0})["per_100k"])
    for shift, kind, colour, what in ((-0.2, "lists", "#33658a", "metrics of lists"), (0.2, "auc", "#d68c45", "AUC")):
        there = [place for place, name in enumerate(order) if kind in libraries[name]]
        values = [libraries[order[place]][kind]["per_100k"] for place in there]
        left.barh([place + shift for place in there], values, 0.4, color=colour, label=what)
    ours = result["variants"]
    left.axvline(ours["per_100k"], color="#222", lw=1, ls="--", label=f"reference, all {ours['variants']} variants")
    left.set(xscale="log", yticks=range(len(order)), yticklabels=order, xlabel="seconds for 100,000 users")
    left.legend(fontsize=7, loc="lower right")
    for precision, marker in (("float64", "o"), ("float32", "s")):
        for part, style, colour in (("fit", "-", "#33658a"), ("lapack", "--", "#222")):
            sizes = [each["items"] for each in result["ease"]]
            seconds = [min(run["seconds"] for run in each["runs"][precision][part]) for each in result["ease"]]
            name = "EASE" if part == "fit" else "potrf + potri"
            right.plot(sizes, seconds, style, color=colour, marker=marker, ms=4, label=f"{name}, {precision}")
    right.set(xscale="log", yscale="log", xlabel="items", ylabel="seconds")
    right.legend(fontsize=7)
    figure.savefig(path, format="svg", metadata={"Date": None})
    plt.close(figure)
