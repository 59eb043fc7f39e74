"""Figures of matplotlib as small SVG that takes its colours from the page, so that light, dark and print all work."""

from __future__ import annotations

import io
import logging
import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from metric_reports.view.words import clean

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = ("ink", "muted", "rule", "paper", *(f"e{n}" for n in range(8)), *(f"v{n}" for n in range(8)), "alarm")
COLOURS = {name: f"#0a0b{number:02x}" for number, name in enumerate(NAMES)}
"""The placeholder in a figure for a colour of the page's style sheet."""
PAINT = {code: f"var(--{name})" for name, code in COLOURS.items()}
SVG = "{http://www.w3.org/2000/svg}"
KEPT_ATTRIBUTES = {
    "path": ("d", "transform"),
    "text": ("x", "y", "transform"),
    "tspan": ("x", "y"),
    "g": ("transform",),
}
PAINTED = (
    "fill",
    "stroke",
    "stroke-width",
    "opacity",
    "fill-opacity",
    "stroke-opacity",
    "stroke-dasharray",
    "font-size",
    "font-weight",
    "text-anchor",
)
LEFT_OUT = frozenset(("defs", "style", "metadata", "clipPath", "title"))
DOT = 3.6
"""Radius of a dot, in pixels."""


@contextmanager
def figure(width: float, height: float) -> Iterator[Figure]:
    """A figure with a size in CSS pixels. Its text is not read as mathematics, and all its colours are ours."""
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    ink, muted, rule = COLOURS["ink"], COLOURS["muted"], COLOURS["rule"]
    settings: Any = {
        "text.parse_math": False,
        "svg.fonttype": "none",
        "svg.hashsalt": "metric-harness",
        "font.size": 11,
        "text.color": ink,
        "axes.edgecolor": rule,
        "axes.labelcolor": muted,
        "xtick.color": rule,
        "ytick.color": rule,
        "xtick.labelcolor": muted,
        "ytick.labelcolor": ink,
        "grid.color": rule,
        "axes.grid.axis": "x",
        "xtick.major.size": 0,
        "ytick.major.size": 0,
        "xtick.minor.size": 0,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.spines.left": False,
        "axes.axisbelow": True,
        "axes.facecolor": "none",
        "font.family": "DejaVu Sans",
        "path.simplify": False,
    }
    with mpl.rc_context(settings), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a name in a script that the font lacks: the browser has it
        yield Figure(figsize=(width / 72, height / 72), dpi=72, facecolor="none", layout="constrained")


def drawn(made: Figure, name: str, title: str, about: str, marks: Mapping[str, Sequence[str]] | None = None) -> Markup:
    """A figure as an ``svg`` element that a screen reader names.

    name : an id of the page, from which those of title and description are made. marks : by the gid of a group, what
    each thing in it is, told where the pointer rests on it; the things of the group ``dots`` are drawn as circles.
    """
    out = io.StringIO()
    made.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    root = ET.fromstring(out.getvalue())
    box = root.attrib["viewBox"]
    _, _, width, height = (f"{float(part):g}" for part in box.split())
    inner = "".join(_written(part, marks or {}, None) for part in root)
    named = f'aria-labelledby="{name}-title {name}-about"'
    return Markup(
        f'<svg role="img" {named} viewBox="{box}" width="{width}" height="{height}">'
        f'<title id="{name}-title">{escape(clean(title))}</title>'
        f'<desc id="{name}-about">{escape(clean(about))}</desc>{inner}</svg>'
    )


def _written(element: ET.Element, marks: Mapping[str, Sequence[str]], told: Iterator[str] | None) -> str:
    tag = element.tag.removeprefix(SVG)
    if tag in LEFT_OUT or element.get("id") == "patch_1":  # the empty ground of the figure
        return ""
    name = element.get("id", "")
    told = iter(marks[name]) if name in marks else told
    if tag == "use":
        return _circle(element, told)
    inner = "".join(_written(part, marks, told) for part in element)
    if tag == "g" and (not inner or not element.get("transform")):
        return inner
    if tag not in KEPT_ATTRIBUTES or (tag == "path" and _unseen(element)):
        return inner
    given = {key: element.get(key) for key in KEPT_ATTRIBUTES[tag]} | _style(element)
    if (given.get("transform") or "").startswith("rotate(-0 "):
        del given["transform"]
    if tag == "path":
        given["d"] = re.sub(r"\s+", " ", element.get("d", "")).strip()
        inner = _title(told)
    text = escape(clean(element.text or "")) if tag in ("text", "tspan") else ""
    return f"<{tag}{_attributes(given)}>{text}{inner}</{tag}>"


def _unseen(path: ET.Element) -> bool:
    style = _style(path)
    return not path.get("d", "").strip() or (style.get("fill") == "none" and style.get("stroke", "none") == "none")


def _circle(element: ET.Element, told: Iterator[str] | None) -> str:
    given = {"cx": element.get("x"), "cy": element.get("y"), "r": f"{DOT:g}", **_style(element)}
    return f"<circle{_attributes(given)}>{_title(told)}</circle>"


def _title(told: Iterator[str] | None) -> str:
    text = next(told, "") if told is not None else ""
    return f"<title>{escape(clean(text))}</title>" if text else ""


def _style(element: ET.Element) -> dict[str, Any]:
    """What the element's style says, as attributes; a colour becomes the page's."""
    pairs = (part.partition(":") for part in element.get("style", "").split(";") if ":" in part)
    found = {name.strip(): value.strip() for name, _, value in pairs}
    size = re.match(r"(?:bold )?([\d.]+)px", found.get("font", ""))
    if size:
        found["font-size"] = size[1]
    found["font-size"] = found.get("font-size", "").removesuffix("px")
    return {name: PAINT.get(found[name].lower(), found[name]) for name in PAINTED if found.get(name)}


def _attributes(given: Mapping[str, Any]) -> str:
    short = {
        key: re.sub(r"-?\d+\.\d{2,}", lambda number: f"{float(number[0]):.1f}", str(value))
        for key, value in given.items()
        if value
    }
    return "".join(f' {key}="{escape(value)}"' for key, value in short.items())
