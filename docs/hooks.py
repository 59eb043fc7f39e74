"""Steps of the site's build: formulas become MathML, so that a page needs no script and no network to show them."""

from __future__ import annotations

import re
from typing import Any

from metric_reports.html.mathml import mathml

FORMULA = re.compile(r"(?ms)^```math\n(.*?)\n```$")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace each fenced block of LaTeX by MathML; one that cannot be converted stays as it is."""
    return FORMULA.sub(_formula, markdown)


def _formula(block: re.Match[str]) -> str:
    element = mathml(block[1])
    return block[0] if element is None else f'<div class="formula">{element}</div>'
