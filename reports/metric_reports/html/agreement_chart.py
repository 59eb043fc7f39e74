"""A picture of how far releases agree."""

from __future__ import annotations

from itertools import combinations

from markupsafe import Markup

from metric_reports.html.chart import Chart, cut
from metric_reports.html.svg import COLOURS, drawn, figure
from metric_reports.types.run import Record

MOST_RELEASES = 24
"""A heat map of more releases leaves out those that are not the newest of their library."""
MOST_WITH_TEXT = 20
"""In a heat map of more rows the squares hold no text."""
MOST_WITH_LARGE_SQUARES = 10
"""A heat map of more rows has small squares."""


def agreement(record: Record, titles: dict[tuple[str, str], str]) -> Chart | None:
    """How often two releases compute the same variant of a metric; None for fewer than two releases."""
    means: dict[tuple[str, str], dict[str, set[str]]] = {}
    for cell in record["cells"]:
        if cell["variant"] is not None:
            mine = means.setdefault((cell["library"], cell["release"]), {})
            mine.setdefault(cell["metric"], set()).add(cell["variant"])
    newest = {(one["name"], one["release"]) for one in record["libraries"] if one.get("newest", True)}
    keys = [key for key in means if key in newest or len(means) <= MOST_RELEASES]
    if len(keys) < 2:
        return None
    shared: dict[tuple[int, int], tuple[int, int]] = {}
    for one, two in combinations(range(len(keys)), 2):
        common = means[keys[one]].keys() & means[keys[two]].keys()
        same = sum(bool(means[keys[one]][metric] & means[keys[two]][metric]) for metric in common)
        shared[one, two] = (same, len(common))
    names = [titles.get(key, " ".join(key)) for key in keys]
    rows = [(name, *(_fraction(shared, one, two) for two in range(len(keys)))) for one, name in enumerate(names)]
    caption = (
        "How many of the shared metrics have the same definition in both releases: darker means more agreement. "
        f"{_extremes(shared, keys, names)}{'' if len(keys) == len(means) else ' Newest releases alone.'}"
    )
    svg = _heat_map(names, shared)
    return Chart("agreement", "Agreement between libraries", caption.strip(), svg, ("release", *names), rows)


def _fraction(shared: dict[tuple[int, int], tuple[int, int]], one: int, two: int) -> str:
    if one == two:
        return "–"
    same, common = shared[min(one, two), max(one, two)]
    return f"{same} of {common}" if common else "none in common"


def _extremes(shared: dict[tuple[int, int], tuple[int, int]], keys: list[tuple[str, str]], names: list[str]) -> str:
    """The pair of two libraries that agree least."""
    pairs = [
        (same / common, -common, one, two)
        for (one, two), (same, common) in shared.items()
        if common and keys[one][0] != keys[two][0]
    ]
    if not pairs:
        return ""
    _, _, one, two = min(pairs)
    return f"Furthest apart: {names[one]} and {names[two]}, the same in {_fraction(shared, one, two)}."


def _heat_map(names: list[str], shared: dict[tuple[int, int], tuple[int, int]]) -> Markup:
    from matplotlib.patches import Rectangle

    size, side = len(names), 38.0 if len(names) <= MOST_WITH_LARGE_SQUARES else 27.0
    margin = 7.0 * max(len(cut(name)) for name in names)
    told = []
    with figure(side * size + margin + 20, side * size + margin + 20) as made:
        axes = made.subplots()
        axes.set_xlim(-0.5, size - 1.5)
        axes.set_ylim(size - 0.5, 0.5)
        axes.set_aspect("equal")
        axes.set_xticks(
            range(size - 1),
            labels=[cut(name) for name in names[:-1]],
            rotation=90,
            rotation_mode="anchor",
            ha="right",
            va="center",
        )
        axes.set_yticks(range(1, size), labels=[cut(name) for name in names[1:]])
        axes.tick_params(labelcolor=COLOURS["ink"])
        axes.spines["bottom"].set_visible(False)
        for (one, two), (same, common) in shared.items():
            share = same / common if common else 0.0
            square = Rectangle(
                (one - 0.47, two - 0.47),
                0.94,
                0.94,
                facecolor=COLOURS["e5"],
                alpha=0.04 + 0.51 * share,
                gid=f"square-{one}-{two}",
                linewidth=0,
            )
            axes.add_patch(square)
            told.append((f"square-{one}-{two}", f"{names[two]} and {names[one]}: {_fraction(shared, one, two)}"))
            if size <= MOST_WITH_TEXT:
                axes.text(
                    one,
                    two,
                    f"{same}/{common}" if common else "–",
                    ha="center",
                    va="center",
                    fontsize=11 if size <= MOST_WITH_LARGE_SQUARES else 9,
                )
        marks = {gid: [text] for gid, text in told}
        about = f"Lower triangle of {size} by {size} releases; the table below holds the numbers."
        return drawn(made, "chart-agreement", "Agreement between releases", about, marks)
