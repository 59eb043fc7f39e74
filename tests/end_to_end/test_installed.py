"""The wheel alone, as a stranger has it: every command of the README and the tutorials in a fresh environment.

On this Python; -m large asks the other ones that uv finds or brings.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from metric_harness import __version__
from metric_harness.system.pip_settings import uv_environment
from tests.docs.test_tutorials import OF_LIBRARIES, TUTORIALS, shown, text_of, without_durations
from tests.support.places import ROOT

pytestmark = pytest.mark.slow
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
OWN = f"3.{sys.version_info[1]}"
FUNCTION = '''
from math import log2


def ndcg_at_k(recommended: list, relevant: dict[int, float], k: int) -> float:
    """NDCG of graded items."""
    gains = sorted(relevant.values(), reverse=True)[:k]
    ideal = sum(gain / log2(rank + 2) for rank, gain in enumerate(gains))
    dcg = sum(relevant.get(item, 0) / log2(rank + 2) for rank, item in enumerate(recommended[:k]))
    return dcg / ideal if ideal else 0.0
'''
SIGNATURE = "ndcg@10|users:truth|ties:id_ascending|rel:>=4|mh:1.0#54c8bb66"
FILES = "--recommendations recommendations.csv --truth truth.csv"
COMMANDS = {
    'audit metrics.py:ndcg_at_k': ("", "  verified "),
    'audit metrics.py:ndcg_at_k --expect "ndcg(gain=linear)"': ("", "ndcg(gain=linear)"),
    'audit metrics.py:ndcg_at_k --repair "ndcg(gain=linear)"': ("", "there is nothing to change"),
    "scan src/": ("-y", "1 verified"),
    "evaluate --recommendations RECS --truth TRUTH": (f"{FILES} --threshold 4", "ndcg"),
    "signature cite": (f'"{SIGNATURE}"', "NDCG"),
    "signature verify": (f'"{SIGNATURE}" {FILES} --value 0.1516', "The value is what the signature says"),
    "library conform": ("", "1 of 1 as declared"),
    "vectors": ("--out vectors.json", "definitions"),
    "explain variants --metric average_precision": ("", "divide_by=min_k_relevant"),
    "explain AP004": ("", "AP004"),
    "site": ("--out site", "site/index.html"),
}  # fmt: skip
"""The commands of the README that are quick: what is added to them, and what they print."""
WITH_LIBRARIES = {
    "compare": (f"--libraries sklearn {FILES} --threshold 4 --k 10 --out own", 0),
    "compare --libraries recbole,recommenders": ("--out old", 0),
    "compare --libraries recbole==0.2.1,recbole": ("--out new", 0),
    "report diff old/run.json new/run.json": ("", 1),
    "library history haystack": ("--dry-run", 0),
    "paper": ("--help", 0),  # it builds nine old releases
}
"""Those that build environments for libraries, what is added to them, and their exit code."""


def run(*command: str | Path, cwd: Path | None = None, code: int = 0) -> str:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, cwd=cwd, env=uv_environment()
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def fresh(folder: Path, version: str) -> Path:
    """An environment with this Python, which uv finds or brings, or pyenv has; else the test is skipped."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    problem = ""
    for python in (version, *sorted(pyenv.glob(f"{version}.*/bin/python"))):
        command = [sys.executable, "-m", "uv", "venv", "-q", "--no-project", "--python", str(python), str(folder)]
        made = subprocess.run(command, capture_output=True, text=True, env=uv_environment())
        if made.returncode == 0:
            return folder / "bin"
        problem = problem or " ".join(made.stderr.split())
    pytest.skip(f"no Python {version} here, and uv cannot bring it: {problem[-200:]}")


@pytest.fixture(
    scope="module",
    params=[pytest.param(version, marks=[] if version == OWN else [pytest.mark.large]) for version in PYTHONS],
)
def installed(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of an environment that holds the wheel, its extra ``all`` and nothing of the clone."""
    where = fresh(tmp_path_factory.mktemp(f"python{request.param}") / "env", request.param)
    run(sys.executable, "-m", "uv", "pip", "install", "-q", "--python", where / "python", f"{wheel}[all]")
    return where


@pytest.fixture(scope="module")
def project(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a user's, elsewhere, for each environment."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "src").mkdir()
    for name in ("metrics.py", "src/metrics.py"):
        (folder / name).write_text(FUNCTION, encoding="utf-8")
    for path in (ROOT / "docs/examples/footnote").iterdir():
        shutil.copy(path, folder)
    return folder


def asked(where: Path, command: str, added: str, project: Path, code: int = 0) -> str:
    words = shlex.split(f"{command} {added}".replace("--recommendations RECS --truth TRUTH", ""))
    return run(where / "metric-harness", *words, cwd=project, code=code)


def test_the_readme_has_these_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`metric-harness ([^`]*)`", readme)) == {*COMMANDS, *WITH_LIBRARIES}


def test_the_environment_is_whole(installed: Path) -> None:
    run(sys.executable, "-m", "pip", "--python", installed / "python", "check")
    assert run(installed / "metric-harness", "--version") == f"metric-harness {__version__}\n"


def test_quick_commands_of_the_readme(installed: Path, project: Path) -> None:
    asked(installed, "library conform", "--declare metrics.py:ndcg_at_k --out metrics.toml", project)
    printed = {command: asked(installed, command, added, project) for command, (added, _) in COMMANDS.items()}
    assert {command: printed[command] for command, (_, has) in COMMANDS.items() if has not in printed[command]} == {}


def test_the_python_of_the_readme(installed: Path, project: Path) -> None:
    code = (
        "from metric_harness import assert_computes, audit, identify\n"
        "from metrics import ndcg_at_k as my_ndcg\n"
        "print(identify('metrics.py:ndcg_at_k'))\n"
        "audit('metrics.py:ndcg_at_k')\n"
        "assert_computes(my_ndcg, 'ndcg(gain=linear)')\n"
    )
    (project / "test_own.py").write_text(code, encoding="utf-8")
    assert "ndcg(gain=linear)" in run(installed / "python", "test_own.py", cwd=project)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.live] if name in OF_LIBRARIES else []) for name in TUTORIALS]
)
def test_a_tutorial(installed: Path, name: str, tmp_path: Path) -> None:
    def printed(words: list[str], folder: Path) -> str:
        done = subprocess.run([installed / "metric-harness", *words], capture_output=True, text=True, cwd=folder)
        return done.stdout

    assert without_durations(shown(text_of(name), tmp_path, printed)) == without_durations(text_of(name))


@pytest.mark.live
@pytest.mark.parametrize("installed", [OWN], indirect=True)
def test_commands_of_the_readme_that_ask_libraries(installed: Path, project: Path) -> None:
    for command, (added, code) in WITH_LIBRARIES.items():
        assert asked(installed, command, added, project, code).strip(), command
