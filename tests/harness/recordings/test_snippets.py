"""Each snippet that ``find`` prints calls the library's function and gives the number of the identified variant."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import tomllib
from functools import cache
from pathlib import Path

import pytest

from metric_harness.recordings.known_functions import identified
from metric_harness.recordings.snippets import EXAMPLE_K, ONE_RELEVANT, RECOMMENDED, RELEVANT, snippet, snippet_page
from metric_reference.case import Case, case_from_lists
from metric_reference.variant import Variant
from tests.support.live import LIBRARIES, made_ready

RANKINGS = ["hit_rate", "precision", "recall", "f1", "reciprocal_rank", "average_precision", "ndcg", "r_precision"]
NEWEST = [
    (key, row["function"], form)
    for form, rows in identified().items()
    for row in rows
    for key, library in LIBRARIES.items()
    if library.name == row["library"] and row["release"] == library.newest().version
]
SHOWN = [row for row in NEWEST if snippet_page(LIBRARIES[row[0]], row[1])]
ROUNDED = {"beir": 5, "mteb": 5, "torch_rechub": 4, "nDCG(dcg='exp-log2')@k": 5}
"""Digits of the numbers that a library, or a function, rounds itself."""
RUNNER = Path(__file__).parents[2] / "support" / "run_snippets.py"


def example(relevant: dict[int, list[int]]) -> Case:
    items = sorted({item for lists in (RELEVANT, RECOMMENDED) for those in lists.values() for item in those})
    lists, those = (
        [[items.index(item) for item in by_user[user]] for user in RELEVANT] for by_user in (RECOMMENDED, relevant)
    )
    return case_from_lists(lists, those, len(items))


@cache
def ran(key: str) -> dict[str, dict[str, str]]:
    """What each snippet of a library has printed, and its error if any; one process runs them all."""
    library = LIBRARIES[key]
    ready = made_ready(library, library.newest())
    subjects = library.subjects
    functions = [one for its, one, _ in SHOWN if its == key and not ready.reason_against(subjects[one].needs)]
    pages = [snippet_page(library, function) or {} for function in functions]
    asked = {
        "scripts": {function: snippet(library, function, EXAMPLE_K) for function in functions},
        "lacking": sorted({name for page in pages for name in page.get("lacking", [])}),
    }
    options = dict(zip(ready.arguments[::2], ready.arguments[1::2], strict=True))
    paths = [options[name] for name in ("--compiled", "--source") if name in options]  # the first has all files too
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as folder:
        answers = Path(folder, "answers")  # a file, for libraries write to the standard output from C
        process = subprocess.run(
            [str(ready.python), str(RUNNER), str(answers)],
            cwd=folder,
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            env=environment,
            timeout=600,
        )
        rows = map(json.loads, answers.read_text(encoding="utf-8").splitlines())
        found = {row["function"]: row for row in rows}
    crash = {"printed": "", "error": f"exit code {process.returncode}\n{process.stderr}"}
    return {function: found.get(function, crash) for function in functions}


def test_nearly_all_definitions_of_rankings_have_a_snippet() -> None:
    rankings = [row for row in NEWEST if row[2].partition("(")[0] in RANKINGS]
    lacking = [row for row in rankings if row not in SHOWN]
    assert len(lacking) <= 0.1 * len(rankings), lacking
    assert {key for key, *_ in SHOWN} == {key for key, *_ in rankings}


def test_a_file_names_functions_that_are_identified_and_so_run() -> None:
    for key in {key for key, *_ in SHOWN}:
        page = tomllib.loads((LIBRARIES[key].folder / "snippet.toml").read_text(encoding="utf-8"))
        snippets = page.get("snippets", [page])
        named = [function for each in snippets for function in each["functions"]]
        assert sorted(named) == sorted(function for its, function, _ in SHOWN if its == key)
        for each in snippets:
            texts = [name for table in each.values() if isinstance(table, dict) for name in table]
            assert set(texts) <= {*each["functions"], "else"}, key


@pytest.mark.live
@pytest.mark.slow
@pytest.mark.parametrize(("key", "function", "form"), SHOWN)
def test_a_snippet_gives_the_number_of_its_variant(key: str, function: str, form: str) -> None:
    library = LIBRARIES[key]
    if reason := made_ready(library, library.newest()).reason_against(library.subjects[function].needs):
        pytest.skip(f"{library.name} {reason}")
    result = ran(key)[function]
    assert not result["error"], result["error"]
    printed = re.findall(r"-?\d+\.\d+(?:e-?\d+)?", result["printed"].splitlines()[-1])
    page = snippet_page(library, function) or {}
    relevant = ONE_RELEVANT if page.get("one_relevant") else RELEVANT
    digits = ROUNDED.get(function, ROUNDED.get(key))
    off = 0.51 * 10**-digits if digits else 1e-6
    assert float(printed[-1]) == pytest.approx(Variant.parse(form).value(example(relevant), k=EXAMPLE_K), abs=off)
