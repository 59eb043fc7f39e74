"""What docs/audit.md shows is what the command prints."""

import re
import shlex

import pytest

from tests.support.places import ROOT

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("own")]

PAGE = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"(?ms)^```console\n\$ metric-harness (audit .*?)\n(.*?)^```$", PAGE)


def test_the_page_shows_audits():
    assert [bool(re.search(r"recommenders|recbole", command)) for command, _ in SHOWN] == [True, False, False, False]


@pytest.mark.parametrize(
    ("command", "output"),
    [pytest.param(*one, marks=[pytest.mark.live] if "recommenders" in one[0] else []) for one in SHOWN],
)
def test_what_the_page_shows_is_what_comes(command, output, run, tmp_path):
    (written,) = re.findall(r"(?ms)^```python\n(import math\n.*?)^```$", PAGE)
    (tmp_path / "metrics.py").write_text(written)
    audited, _, echo = command.partition("; ")
    ended, printed, _ = run(*shlex.split(audited)[1:])
    assert printed + (f"exit code {ended}\n" if echo else "") == output
