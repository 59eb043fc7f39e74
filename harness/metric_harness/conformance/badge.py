"""Shows the conformance of a library: a badge, and a table of what its functions compute."""

from __future__ import annotations

import json
from xml.sax.saxutils import escape

from metric_harness.conformance.check import Conformance
from metric_reference.signatures.methods import sentence

GREEN, RED = "#2e7d32", "#b3261e"
LABEL = "metrics"
CHARACTER_WIDTH = 7
"""Pixels for each character of the badge, in a font of 11 pixels."""


def message(result: Conformance) -> str:
    """``7 of 7 as declared``."""
    return f"{sum(verdict.within for verdict in result.verdicts)} of {len(result.verdicts)} as declared"


def endpoint(result: Conformance) -> str:
    """The JSON that badge services fetch."""
    colour = "green" if result.within else "red"
    return json.dumps({"schemaVersion": 1, "label": LABEL, "message": message(result), "color": colour}) + "\n"


def svg(result: Conformance) -> str:
    """The badge as SVG."""
    return drawn(message(result), GREEN if result.within else RED)


def drawn(text: str, colour: str) -> str:
    """A badge with this message as SVG, readable by screen readers."""
    text = escape(text)
    left, right = CHARACTER_WIDTH * len(LABEL) + 12, CHARACTER_WIDTH * len(text) + 12
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{LABEL}: {text}">\n'
        f'<rect width="{left}" height="20" fill="#424242"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{colour}"/>\n'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{left / 2}" y="14">{LABEL}</text><text x="{left + right / 2}" y="14">{text}</text></g>\n</svg>\n'
    )


def table(result: Conformance) -> str:
    """A Markdown table of what each function computes."""
    lines = ["| function | what it computes | signature |", "| --- | --- | --- |"]
    for verdict in result.verdicts:
        signature = verdict.computed or verdict.declared.actual
        words = sentence(signature).replace("|", "\\|")
        mark = "" if verdict.within else " **Not as declared.**"
        row = f"| `{verdict.declared.function}` | {words}{mark} | `{signature.short()}` |"
        lines.append(row.replace("|mh", "\\|mh"))
    return "\n".join(lines) + "\n"
