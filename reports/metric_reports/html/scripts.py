"""The page's own scripts: their texts, and the policy that lets a browser run these and no others."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from pathlib import Path

from markupsafe import Markup

TEMPLATES = Path(__file__).parent / "templates"
FILES = (
    "variants.js",
    "playground.js",
    "state.js",
    "report.js",
    "data.js",
    "finder.js",
    "pair.js",
    "edges.js",
    "cite.js",
)
"""Scripts of the page, in the order in which they run."""


def scripts() -> list[Markup]:
    """The text of each script, to be put between ``<script>`` and ``</script>`` as it is."""
    return [Markup((TEMPLATES / name).read_text(encoding="utf-8")) for name in FILES]


def policy(texts: Iterable[str]) -> Markup:
    """The Content-Security-Policy of a page that runs these scripts, is styled inline and loads nothing."""
    digests = (hashlib.sha256(text.encode("utf-8")).digest() for text in texts)
    allowed = " ".join(f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in digests) or "'none'"
    return Markup(
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; "
        "form-action 'none'"
    )
