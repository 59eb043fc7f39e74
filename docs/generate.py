"""Writes what is made from data in docs/: rules, variants, libraries, history, calling conventions, verification cases.

    python docs/generate.py

A test makes the pages again and compares. Nobody edits them by hand; in evidence.md only the table is made.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from made_pages.conventions import conventions_page
from made_pages.evidence import evidence_page
from made_pages.functions import functions_page
from made_pages.history import history_page
from made_pages.index import index_page
from made_pages.libraries import libraries_page
from made_pages.measured import measured
from made_pages.page import DOCS
from made_pages.rules import rules_page
from made_pages.variants import variants_page

MEASURED = "../reference/metric_reference/measured.json"
"""What the pages of the catalogue are made with: it is made first."""
PAGES: dict[str, Callable[[], str]] = {
    MEASURED: measured,
    "rules.md": rules_page,
    "variants.md": variants_page,
    "libraries.md": libraries_page,
    "functions.md": functions_page,
    "history.md": history_page,
    "conventions.md": conventions_page,
    "evidence.md": evidence_page,
    "index.md": index_page,
}


def pages(names: Iterable[str] = PAGES) -> Iterator[tuple[Path, str]]:
    """The file and the text of each page."""
    for name in names:
        yield DOCS / name, PAGES[name]().rstrip("\n") + "\n"


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python docs/generate.py", description=__doc__).parse_args()
    ((first, known),) = pages([MEASURED])
    if not first.exists() or first.read_text(encoding="utf-8") != known:
        first.write_text(known, encoding="utf-8")
        os.execv(sys.executable, [sys.executable, *sys.argv])  # the catalogue is read when it is imported
    for path, text in pages():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(DOCS.parent))
