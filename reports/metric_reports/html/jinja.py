"""How pages are made from templates: the same rules for the report and the site."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from metric_reports.html.mathml import mathml
from metric_reports.view import words


def templates_in(folder: Path) -> jinja2.Environment:
    """Jinja with escaping always on; a template that asks for what is not there fails instead of printing nothing."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(address=words.web_address, breakable=breakable, capital=capital, mathml=mathml)
    return made


def printable(value: Any) -> Any:
    """What Jinja prints: the record's texts without control characters, our own markup as it is."""
    return words.clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def breakable(printed: str) -> Markup:
    """A variant's printed form that may break after a bracket or an equals sign; escaped."""
    return Markup("<wbr>").join(re.split(r"(?<=[(=])", words.clean(printed)))


def capital(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]
