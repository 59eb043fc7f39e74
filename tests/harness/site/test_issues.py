"""``site --issues``: a folder for each error and warning, and scripts that show both numbers in the library alone."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from metric_harness.site.functions import functions_of
from metric_harness.site.issues import ISSUE, SCRIPT, write_issues
from metric_harness.system.errors import HarnessError
from metric_reports.types.site import SiteFinding
from tests.support.live import LIBRARIES, made_ready

FINDINGS = [
    (row["library"], row["function"], finding)
    for row in functions_of(list(LIBRARIES.values()))
    for finding in row["findings"]
    if finding["issue"] is not None
]
SCRIPTS = [row for row in FINDINGS if row[2]["script"] is not None]


def test_each_error_and_warning_with_a_case_has_a_folder(tmp_path: Path) -> None:
    assert write_issues(LIBRARIES, tmp_path) == (len(FINDINGS), len(SCRIPTS))
    issues, scripts = (sorted(tmp_path.glob(f"*/*/{name}")) for name in (ISSUE, SCRIPT))
    assert (len(issues), len(scripts)) == (len(FINDINGS), len(SCRIPTS))
    for path in scripts:
        head, _, code = path.read_text(encoding="utf-8").partition("\nrelevant = ")
        assert head.startswith("#")
        assert "harness" not in code
        assert "```python\n" in (text := (path.parent / ISSUE).read_text(encoding="utf-8"))
        assert code in text


def test_a_file_that_was_changed_is_kept(tmp_path: Path) -> None:
    library = {"rexmex": LIBRARIES["rexmex"]}
    write_issues(library, tmp_path)
    (own := next(tmp_path.glob(f"*/*/{ISSUE}"))).write_text("changed", encoding="utf-8")
    with pytest.raises(HarnessError):
        write_issues(library, tmp_path)
    assert own.read_text(encoding="utf-8") == "changed"


def test_at_least_ten_libraries_have_scripts() -> None:
    assert len({key for key, *_ in SCRIPTS}) >= 10


@pytest.mark.live
@pytest.mark.slow
@pytest.mark.parametrize(("key", "function", "finding"), SCRIPTS, ids=lambda it: it["code"] if type(it) is dict else it)
def test_a_script_prints_the_two_numbers_of_its_issue(
    key: str, function: str, finding: SiteFinding, tmp_path: Path
) -> None:
    library = LIBRARIES[key]
    ready = made_ready(library, library.newest())
    if reason := ready.reason_against(library.subjects[function].needs):
        pytest.skip(f"{library.name} {reason}")
    options = dict(zip(ready.arguments[::2], ready.arguments[1::2], strict=True))
    paths = [options[name] for name in ("--compiled", "--source") if name in options]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    (tmp_path / SCRIPT).write_text(finding["script"] or "", encoding="utf-8")
    ended = subprocess.run(
        [str(ready.python), SCRIPT], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert ended.returncode == 0, ended.stderr
    lines = re.findall(r"(?m)^(?:returned|expected) .*$", ended.stdout)
    printed = [float(re.findall(r"nan|-?\d+(?:\.\d+)?(?:e-?\d+)?", text)[-1]) for text in lines]
    line = (finding["issue"] or "").splitlines()[2]
    stated = [float(number) for number in re.findall(r"\*\*(.+?)\*\*", line)]
    assert printed == pytest.approx(stated, rel=1e-5, abs=1e-6, nan_ok=True), ended.stdout
