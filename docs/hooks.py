"""Steps of the site's build: the JSON Schemas of the records, and formulas as MathML.

A page with MathML needs no script and no network to show it.
"""

from __future__ import annotations

import json
import re
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from metric_reports.html.mathml import mathml
from metric_reports.record import MODELS, schema

FORMULA = re.compile(r"(?ms)^```math\n(.*?)\n```$")


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the JSON Schema of each record, made from its type."""
    for name in MODELS:
        text = json.dumps(schema(name), indent=1) + "\n"
        files.append(File.generated(config, f"schema/{name}.schema.json", content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace each fenced block of LaTeX by MathML; one that cannot be converted stays as it is."""
    return FORMULA.sub(_formula, markdown)


def _formula(block: re.Match[str]) -> str:
    element = mathml(block[1])
    return block[0] if element is None else f'<div class="formula">{element}</div>'
