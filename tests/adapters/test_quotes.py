"""What library.toml quotes stands in the documentation word for word, for libraries that ship it as docstrings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from metric_harness.recordings.read import read_recording
from tests.support.live import LIBRARIES, made_ready

pytestmark = [pytest.mark.live, pytest.mark.slow]

SHIPPED = ("recbole", "recommenders", "replay", "rectools", "ignite", "cwl_eval", "ir_measures", "continuous_eval")
"""Libraries whose quotes are of docstrings; those of others are of pages, C sources or articles."""
MARKUP = re.compile(r"[`*\"'#\\]")


def words(text: str) -> str:
    """A text without markup, in one line."""
    return " ".join(MARKUP.sub("", text).split())


@pytest.mark.parametrize("key", SHIPPED)
def test_a_quote_stands_in_the_documentation(key: str) -> None:
    library = LIBRARIES[key]
    release = library.newest()
    recording = read_recording(library, release)
    assert recording is not None
    (packages,) = made_ready(library, release).python.parent.parent.glob("lib/python*/site-packages")
    quotes = {name: info.quote for name, info in library.subjects_of(release).items() if info.quote}
    assert quotes
    folders = {packages / Path(recording.sources[name]["file"] or "").parts[0] for name in quotes}
    shipped = " ".join(words(path.read_text(encoding="utf-8")) for one in folders for path in sorted(one.rglob("*.py")))
    for name, quote in quotes.items():
        parts = [words(part) for part in re.split(r"…|\.\.\.|; ", quote)]
        assert all(part in shipped for part in parts), f"adapters/{key}/library.toml: {name} quotes {quote!r}"
