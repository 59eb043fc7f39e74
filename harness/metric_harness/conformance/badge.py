"""What a library shows of its conformance: a badge, and a table of what its functions compute."""

from __future__ import annotations

import json
from xml.sax.saxutils import escape

from metric_harness.conformance.check import Conformance
from metric_reference.signatures.methods import sentence

GREEN, RED = "#2e7d32", "#b3261e"
LABEL = "metrics"
WIDTH = 7
"""Pixels a character of the badge takes, in a font of 11 pixels."""


def message(found: Conformance) -> str:
    """``7 of 7 as declared``."""
    return f"{sum(one.within for one in found.verdicts)} of {len(found.verdicts)} as declared"


def endpoint(found: Conformance) -> str:
    """The JSON that badge services read from an address."""
    colour = "green" if found.within else "red"
    return json.dumps({"schemaVersion": 1, "label": LABEL, "message": message(found), "color": colour}) + "\n"


def svg(found: Conformance) -> str:
    """The badge as a picture, with its text for screen readers."""
    return drawn(message(found), GREEN if found.within else RED)


def drawn(text: str, colour: str) -> str:
    """A badge with this message as SVG."""
    text = escape(text)
    left, right = WIDTH * len(LABEL) + 12, WIDTH * len(text) + 12
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{LABEL}: {text}">\n'
        f'<rect width="{left}" height="20" fill="#424242"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{colour}"/>\n'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{left / 2}" y="14">{LABEL}</text><text x="{left + right / 2}" y="14">{text}</text></g>\n</svg>\n'
    )


def table(found: Conformance) -> str:
    """A Markdown table of what each function computes."""
    lines = ["| function | what it computes | signature |", "| --- | --- | --- |"]
    for one in found.verdicts:
        shown = one.found or one.declared.actual
        words = sentence(shown).replace("|", "\\|")
        mark = "" if one.within else " **Not as declared.**"
        lines.append(f"| `{one.declared.function}` | {words}{mark} | `{shown.short()}` |".replace("|mh", "\\|mh"))
    return "\n".join(lines) + "\n"
