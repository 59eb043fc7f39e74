"""The Jinja environment that the report and the site share."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from metric_reports.html.mathml import mathml
from metric_reports.view import words


def templates_in(folder: Path) -> jinja2.Environment:
    """A Jinja environment that always escapes, and fails on a missing name instead of printing nothing."""
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters.update(address=words.web_address, breakable=breakable, capital=capital, mathml=mathml)
    return templates


def printable(value: Any) -> Any:
    """A value as Jinja prints it: texts of the record without control characters, our own markup unchanged."""
    return words.clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def breakable(printed: str) -> Markup:
    """A variant's printed form, escaped, that may break after a bracket or an equals sign."""
    return Markup("<wbr>").join(re.split(r"(?<=[(=])", words.clean(printed)))


def capital(text: str) -> str:
    """A text with a capital first letter; the others stay as they are."""
    return text[:1].upper() + text[1:]
