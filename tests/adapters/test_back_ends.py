"""The other back ends of a library give the numbers of the one that is asked; the exceptions are listed here."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

from metric_adapters.case_files import save_case
from metric_harness.naming.probes.probe import library_probes
from tests.support.feeding import run_script
from tests.support.live import Live

SCRIPTS = Path(__file__).parent / "back_ends"
PROBES = {probe.name: probe for probe in library_probes()}
DIFFER: dict[str, dict[str, set[str]]] = {
    "recommenders_spark": {"ndcg_at_k": {"no_list"}},  # Spark leaves out who has no list, Python counts him 0
    "replay_polars": {},
    "replay_spark": {},
}
"""By script and function: the probes on which the two give different numbers."""


def same(theirs: float | str, value: float | None, error: str | None) -> bool:
    """Whether both give one number, or neither gives any."""
    if isinstance(theirs, str):
        return error is not None or (theirs == "nan" and value is not None and math.isnan(value))
    return value is not None and value == pytest.approx(theirs, abs=1e-9)


@pytest.mark.slow
@pytest.mark.live
@pytest.mark.parametrize("script", DIFFER)
def test_the_other_back_ends_give_the_same_numbers(live: Live, tmp_path: Path, script: str) -> None:
    if script.endswith("spark") and shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not on PATH")
    for name, probe in PROBES.items():
        save_case(probe.case, tmp_path / name)
    (tmp_path / "cases.json").write_text(json.dumps({name: probe.k for name, probe in PROBES.items()}))
    key = script.partition("_")[0]
    answers: dict[str, dict[str, Any]] = json.loads(run_script(key, SCRIPTS / f"{script}.py", tmp_path, tmp_path))
    differ: dict[str, set[str]] = {}
    for function, by_probe in answers.items():
        for name, theirs in by_probe.items():
            reply = live.ask(key, function, PROBES[name].case, PROBES[name].k)
            if not same(theirs, reply.value, reply.error):
                differ.setdefault(function, set()).add(name)
    assert sum(map(len, answers.values())) > 50
    assert differ == DIFFER[script]
