"""The commands, the code and the table of the page of drawn candidates come out as shown."""

from __future__ import annotations

import contextlib
import io
import re
import shlex

import numpy as np
import pytest

from metric_reference.candidates.moments import moments
from metric_reference.candidates.over_users import of_mean
from metric_reference.candidates.places import of_ranks
from metric_reference.candidates.scheme import Scheme
from tests.reference.candidates.test_toy_example import DRAWN, RANKS, REPEATS, TEXTS, drawn
from tests.support.command import run
from tests.support.places import ROOT

PAGE = (ROOT / "docs/candidates.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"(?ms)^```console\n\$ metric-harness ([^\n]+)\n(.*?)^```$", PAGE)


def test_the_page_shows_commands():
    assert len(SHOWN) == 4


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "printed"), SHOWN)
def test_a_command_prints_what_is_shown(command, printed):
    assert without_time(run(*shlex.split(command), cwd=ROOT).stdout) == without_time(printed)


def without_time(text):
    """How long it took is not compared."""
    return re.sub(r"; [\d.]+ s$", "", text.strip(), flags=re.MULTILINE)


def test_the_code_prints_what_is_shown():
    ((code, printed),) = re.findall(r"(?ms)^```python\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "candidates.md", "exec"), {})
    assert said.getvalue() == printed


def test_the_table_of_the_toy_example():
    rows = re.findall(r"(?m)^\| (?:all )?(\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([ABC]) \|$", PAGE)
    assert len(rows) == 6
    for negatives, *printed, first in rows:
        found = {}
        for name, ranks in RANKS.items():
            places = of_ranks(np.array(ranks), 10_000)
            found[name] = of_mean(moments(Scheme(int(negatives)), places, ["average_precision"])["average_precision"])[
                0
            ]
        assert [f"{found[name]:.3f}" for name in "ABC"] == printed
        assert max(found, key=found.__getitem__) == first


def test_the_table_of_99_negatives():
    """Printed digits beside the exact ones; where they differ, by how many standard errors of the simulation."""
    names = {"AUC": "auc", "average precision": "average_precision", "NDCG": "ndcg", "recall@10": "recall@10"}
    rows = re.findall(r"(?m)^\| (AUC|average precision|NDCG|recall@10) \| ([^\n]*±[^\n]*) \|$", PAGE)
    assert [names[row] for row, _ in rows] == list(TEXTS)
    same, off = 0, []
    for (_, cells), text in zip(rows, TEXTS, strict=True):
        expected = []
        for name in RANKS:
            printed, spread = DRAWN[name][TEXTS.index(text)]
            mean, variance = drawn(name, 99, text)
            expected += [f"{printed:.3f} ± {spread:.3f}", f"{mean:.3f} ± {variance**0.5:.3f}"]
            if f"{printed:.3f}" == f"{mean:.3f}":
                same += 1
            else:
                off.append(abs(printed - mean) / (variance / REPEATS) ** 0.5)
        assert cells.split(" | ") == expected
    assert f"{same} of the 12 means have the printed digits. The other {len(off)} are off by {min(off):.1f} to " in PAGE
    assert f"to {max(off):.1f} standard errors of 1000 draws" in PAGE
