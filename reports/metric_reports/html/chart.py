"""What every picture of a record shares: its parts, and names and numbers short enough for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from metric_reports.record import from_json_number
from metric_reports.types.common import Who
from metric_reports.view.words import clean


class Chart(NamedTuple):
    """A picture with what it shows in words and in numbers.

    svg : the drawing, or None where there is nothing to draw; head, rows : the table behind it.
    """

    name: str
    title: str
    caption: str
    svg: Markup
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def named(titles: dict[tuple[str, str], str], thing: Who) -> str:
    """Title and release of what a cell belongs to."""
    pair = (thing["library"], thing["release"])
    return titles.get(pair, " ".join(pair))


def finite(value: Any) -> float | None:
    """A number of the record if it is a finite one."""
    number = from_json_number(value)
    return number if number is not None and math.isfinite(number) else None


def cut(text: str, width: int = 28) -> str:
    """A name short enough for the margin of a picture."""
    line = " ".join(clean(text).split())
    return line if len(line) <= width else f"{line[: width - 1]}…"
