"""What functions of libraries compute is what the catalogue says that they do."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from metric_adapters.case_files import save_case
from metric_harness.libraries.describe import Library
from metric_harness.libraries.staging import stage
from metric_reference.edges import Edges
from tests.reference.test_beyond_accuracy import value
from tests.support.live import LIBRARIES, made_ready
from tests.support.oracles.cases import K, asked_case
from tests.support.oracles.known import ASKED, RELEASES
from tests.support.places import SUPPORT


def environment_of(key: str) -> Path:
    release = RELEASES.get(key)
    if release is None:
        return made_ready(LIBRARIES[key], LIBRARIES[key].newest()).python
    library = Library(Path(), key, key, key, "https://example.org", "", "", (release,), {})
    return made_ready(library, release).python


@pytest.mark.live
@pytest.mark.parametrize("entry", ASKED)
def test_libraries_compute_the_variants_that_the_catalogue_says(entry: str, tmp_path: Path) -> None:
    """Each function in its own environment, on lists of k items and on lists of any length up to 14."""
    key = entry.partition(",")[0]
    python, asked = environment_of(key), ASKED[entry]
    program = SUPPORT / "oracles" / "run.py"
    for name in asked.cases:
        case = asked_case(name)
        save_case(case, tmp_path / name)
        command = [python, "-I", program, stage([]), key, tmp_path / name, K]
        ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr
        answers = json.loads(ran.stdout.splitlines()[-1])
        edges = Edges(no_list=asked.no_list)
        ours = {function: value(text, case, K, edges) for function, text in asked.variants.items()}
        theirs = {function: answers[function] for function in asked.variants}
        assert ours == pytest.approx(theirs, abs=asked.close, rel=0), name
