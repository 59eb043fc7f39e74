"""Jinja for the pages of the site: escaping always on, addresses relative to the page."""

from __future__ import annotations

from functools import cache
from itertools import islice
from pathlib import Path

import jinja2
from markupsafe import Markup

from metric_reports.html.jinja import templates_in
from metric_reports.html.page import TEMPLATES as REPORT
from metric_reports.view.names import plain_name
from metric_reports.view.table import COLOURS, letters
from metric_reports.view.words import EDGES, count, listing, words

TEMPLATES = Path(__file__).parent / "templates"
PALETTE_END = "\n* {"
"""What follows the colours in the report's style sheet."""


@cache
def environment() -> jinja2.Environment:
    """The templates of the site."""
    templates = templates_in(TEMPLATES)
    templates.filters.update(
        listing=listing,
        metric=words,
        differs=differs,
        named=plain_name,
        per_cent=per_cent,
        plain=lambda word: word.replace("_", " "),
    )
    templates.globals.update(count=count, edges=EDGES, letter=letter, tint=tint)
    return templates


def per_cent(share: float | None) -> str:
    """A share of 1 as ``19 %``; a dash for None."""
    return "–" if share is None else f"{100 * share:.0f}\N{NO-BREAK SPACE}%"


def same_formula(sentence: str) -> bool:
    """Whether a name differs from a signature only in who is in the mean, duplicates and ties, not in the formula."""
    parts = {part.strip().partition(" ")[0] for part in sentence.removeprefix("differs in ").split("),")}
    return parts <= {"users", "norel", "nolist", "dup", "ties"}


def differs(sentence: str) -> str:
    """How a name differs from a signature, the formula first."""
    if sentence == "exact":
        return "the same number for every input"
    return f"{'the same formula' if same_formula(sentence) else 'another formula'}; {sentence}"


def letter(index: int) -> str:
    """The letter of a definition by its index, from 0: A, B, ... Z, AA, AB."""
    return next(islice(letters(), index, None))


def tint(index: int) -> str:
    """The report's CSS classes that colour a definition by its index; from the ninth on colours repeat with stripes."""
    return f"v{index % COLOURS}" + (" again" if index >= COLOURS else "")


def style() -> Markup:
    """The style sheet: the colours of the report, then the site's own rules."""
    report = (REPORT / "style.css").read_text(encoding="utf-8")
    palette = report.partition(PALETTE_END)[0]
    return Markup(palette + "\n" + (TEMPLATES / "site.css").read_text(encoding="utf-8"))
