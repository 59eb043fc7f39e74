"""The values of models by the number of drawn negatives, as SVG: a line for each model, all items at the right."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from markupsafe import Markup

from metric_reports.html.plots import axis, safe, svg, text
from metric_reports.view.sampled_view import Curve
from metric_reports.view.words import short

COLOURS = ("e5", "e6", "e2", "e3", "e1", "e7")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4", "1 4")
"""A model has a colour and a dash, so that neither alone tells lines apart."""
WIDTH, HEIGHT, LEFT, RIGHT, TOP, FOOT = 420, 250, 46, 96, 34, 40
"""In pixels; the right margin holds the names."""
NAME_HEIGHT = 13
Scale = Callable[[float], float]


def curve_plot(curve: Curve, models: Sequence[str], name: str) -> Markup:
    """The expectation of each model by the number of negatives, on a logarithmic axis, with two standard deviations of
    one draw around it; the value among all items at the end."""
    negatives = [number for number, _, _ in curve.points]
    first, last = math.log10(negatives[0]), math.log10(max(negatives[-1], negatives[0] * 10))
    inside = WIDTH - RIGHT - 34

    def x_of(number: float) -> float:
        return LEFT + (math.log10(number) - first) / (last - first) * (inside - LEFT)

    upper = [a + 2 * b for _, values, sds in curve.points for a, b in zip(values, sds, strict=True)]
    top_value = max(*curve.all_items, *upper)
    scale, ticks = axis(0.0, top_value or 1.0, 0.0, HEIGHT - TOP - FOOT)

    def y_of(value: float) -> float:
        return HEIGHT - FOOT - scale(max(value, 0.0))

    at_all = WIDTH - RIGHT
    title = f"{curve.label}, drawn {curve.weights}"
    parts = [text(0, 16, title, "heading")]
    for y, tick in ticks:
        parts.append(f'<path d="M{LEFT} {HEIGHT - FOOT - y:.1f}H{at_all}" stroke="var(--rule)"/>')
        parts.append(text(LEFT - 6, HEIGHT - FOOT - y + 4, tick, "tick", "end"))
    shown = -math.inf
    for number in negatives:
        if x_of(number) - shown > 34 or number == 99:
            parts.append(text(x_of(number), HEIGHT - FOOT + 15, f"{number}", "tick", "middle"))
            shown = x_of(number)
    parts.append(text(at_all, HEIGHT - FOOT + 15, "all", "tick", "middle"))
    parts.append(text((LEFT + inside) / 2, HEIGHT - 8, "negatives", "tick", "middle"))
    between = f"M{(inside + at_all) / 2:.1f} {TOP}V{HEIGHT - FOOT}"
    parts.append(f'<path d="{between}" stroke="var(--rule)" stroke-dasharray="2 3"/>')
    for number, model in enumerate(models):
        parts += line_of(curve, number, model, x_of, y_of, at_all)
    parts += names_of(curve.all_items, models, y_of, at_all)
    description = "; ".join(
        f"{model}: {short(curve.points[0][1][number], 3)} among {negatives[0]} negatives, "
        f"{short(curve.points[-1][1][number], 3)} among {negatives[-1]}, "
        f"{short(curve.all_items[number], 3)} among all items"
        for number, model in enumerate(models)
    )
    return svg(parts, name, title, f"{description}.", WIDTH, HEIGHT)


def line_of(curve: Curve, number: int, model: str, x_of: Scale, y_of: Scale, at_all: float) -> list[str]:
    """The band, the line and the dots of a model."""
    colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
    points = [(x_of(count), values[number], sds[number], count) for count, values, sds in curve.points]
    upper = " ".join(f"{x:.1f},{y_of(value + 2 * sd):.1f}" for x, value, sd, _ in points)
    lower = " ".join(f"{x:.1f},{y_of(value - 2 * sd):.1f}" for x, value, sd, _ in reversed(points))
    path = "L".join(f"{x:.1f} {y_of(value):.1f}" for x, value, _, _ in points)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    parts = [
        f'<polygon points="{upper} {lower}" fill="var(--{colour})" fill-opacity="0.15"/>',
        f'<path d="M{path}" fill="none" stroke="var(--{colour})" stroke-width="1.6"{dashed}/>',
    ]
    dots = [(x, value, f"among {count} negatives") for x, value, _, count in points]
    dots.append((at_all, curve.all_items[number], "among all items"))
    return parts + [
        f'<circle cx="{x:.1f}" cy="{y_of(value):.1f}" r="2.6" fill="var(--{colour})"><title>{safe(model)}: '
        f"{short(value, 4)} {among}</title></circle>"
        for x, value, among in dots
    ]


def names_of(values: Sequence[float], models: Sequence[str], y_of: Scale, x: float) -> list[str]:
    """The names of the models beside their values among all items, moved apart where they would overlap."""
    order = sorted(range(len(models)), key=lambda model: -values[model])
    parts, before = [], -math.inf
    for model in order:
        y = max(y_of(values[model]) + 4, before + NAME_HEIGHT)
        before = y
        parts.append(text(x + 10, y, models[model], "row", "start", COLOURS[model % len(COLOURS)]))
    return parts
