"""Each snippet that ``find`` prints calls the library's function and gives the number of the identified variant."""

from __future__ import annotations

import re
import subprocess

import pytest

from metric_harness.recordings.known_functions import identified
from metric_harness.recordings.snippets import RECOMMENDED, RELEVANT, snippet
from metric_reference.case import Case, case_from_lists
from metric_reference.variant import Variant
from tests.support.live import LIBRARIES, made_ready

K = 3
NEWEST = [
    (key, row["function"], form)
    for form, rows in identified().items()
    for row in rows
    for key, library in LIBRARIES.items()
    if library.name == row["library"]
    and row["release"] == library.newest().version
    and snippet(library, row["function"], K)
]


def example() -> Case:
    items = sorted({item for lists in (RELEVANT, RECOMMENDED) for those in lists.values() for item in those})
    lists, relevant = (
        [[items.index(item) for item in by_user[user]] for user in RELEVANT] for by_user in (RECOMMENDED, RELEVANT)
    )
    return case_from_lists(lists, relevant, len(items))


def test_the_usual_libraries_have_snippets() -> None:
    assert len(NEWEST) > 40
    assert len({key for key, *_ in NEWEST}) == 8


@pytest.mark.live
@pytest.mark.slow
@pytest.mark.parametrize(("key", "function", "form"), NEWEST)
def test_a_snippet_gives_the_number_of_its_variant(key: str, function: str, form: str) -> None:
    library = LIBRARIES[key]
    ready = made_ready(library, library.newest())
    script = snippet(library, function, K)
    ran = subprocess.run([str(ready.python), "-c", script], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    printed = re.findall(r"-?\d+\.\d+(?:e-?\d+)?", ran.stdout.splitlines()[-1])
    assert float(printed[-1]) == pytest.approx(Variant.parse(form).value(example(), k=K), abs=1e-6)
