"""What several pages share: the folder, the mark of a made page, and pieces of text."""

from __future__ import annotations

from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent
MADE = "<!-- Made by: python docs/generate.py. Do not edit. -->"


def sentence(text: str) -> str:
    """A text as a sentence: with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"


def anchor(heading: str) -> str:
    """The address of a heading inside its page."""
    return heading.lower().replace(" ", "-")


def cell(text: str) -> str:
    """A message as the text of a table's cell."""
    return f"`{text.replace('|', '/').replace('`', chr(39))}`"
