"""Environments: the build of torch is chosen, a fitting Python is found, what is half-built is built anew."""

import io
import json
import multiprocessing
import subprocess
import sys
import time
from pathlib import Path

import pytest
from filelock import FileLock
from rich.console import Console

from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.environments import (
    MARKER,
    EnvironmentFailure,
    environment_for,
    find_python,
    pythons_of_pyenv,
    resolve_python,
    torch_arguments,
)
from metric_harness.libraries.intact import python_of
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from tests.support.processes import ended_within, marked

HERE = ".".join(map(str, sys.version_info[:2]))
WHEEL = "torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl"


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("METRIC_HARNESS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def release(*requirements, without=(), python=">=3.8", version="1.0"):
    return Release(version, python, requirements, tuple(without), "")


def library(key="small"):
    return Library(Path(key), key, key.title(), key, "https://example.org", "MIT", "", (), {})


class Lines(Reporter):
    """A reporter that keeps what it says."""

    def __init__(self):
        super().__init__(quiet=False, console=Console(file=io.StringIO(), force_terminal=False))
        self.said = []

    def say(self, text):
        self.said.append(text)


# The build of torch


@pytest.mark.parametrize(
    ("requirements", "variables", "platform", "expected"),
    [
        (["torch==2.13.0"], {}, "linux", ["--torch-backend", "cpu"]),
        (["numpy", "Torch>=2"], {}, "linux", ["--torch-backend", "cpu"]),
        (["torch==2.13.0"], {}, "darwin", []),
        (["numpy", "torchmetrics"], {}, "linux", []),
        ([], {}, "linux", []),
        (["torch @ https://example.org/torch.whl"], {}, "linux", []),
        (["./a/path", "torch"], {}, "linux", ["--torch-backend", "cpu"]),
        (["torch"], {"METRIC_HARNESS_TORCH_BACKEND": "cu128"}, "linux", ["--torch-backend", "cu128"]),
        (["torch"], {"METRIC_HARNESS_TORCH_BACKEND": "auto"}, "darwin", ["--torch-backend", "auto"]),
        (["torch"], {"METRIC_HARNESS_TORCH_BACKEND": "index"}, "linux", []),
        (["numpy"], {"METRIC_HARNESS_TORCH_BACKEND": "cu128"}, "linux", []),
        (["torch"], {"UV_TORCH_BACKEND": "cu126"}, "linux", ["--torch-backend", "cu126"]),
    ],
)
def test_torch_is_the_cpu_build_unless_the_person_says_otherwise(requirements, variables, platform, expected):
    assert torch_arguments(requirements, "3.11.7", variables, platform) == expected


@pytest.mark.parametrize(
    ("requirement", "python", "taken"),
    [
        ("torch==2.13.0", "3.11.7", True),
        ("torch", "3.11.7", True),
        ("torch==2.12.0", "3.11.7", False),
        ("torch==2.13.0", "3.12.1", False),
    ],
)
def test_a_wheel_of_torch_that_fits_is_taken_as_it_is(tmp_path, requirement, python, taken):
    (tmp_path / WHEEL).touch()
    (tmp_path / "torch-no-wheel.whl").touch()
    variables = {"UV_FIND_LINKS": f"https://example.org/links,{tmp_path.as_uri()}"}
    expected = [] if taken else ["--torch-backend", "cpu"]
    assert torch_arguments([requirement], python, variables, "linux") == expected


# Which Python


def test_the_running_python_serves_where_it_fits():
    assert find_python(library(), release(python=f"=={HERE}.*")) == (
        Path(sys.executable), ".".join(map(str, sys.version_info[:3])),
    )  # fmt: skip


def test_a_python_of_pyenv_is_found_behind_the_shims_that_fail():
    others = [path for path in pythons_of_pyenv() if path.parent.name != ".".join(map(str, sys.version_info[:3]))]
    if not others:
        pytest.skip("pyenv has no other Python here")
    for folder in others:
        version = folder.parent.name
        found, said = find_python(library(), release(python=f"=={version}"))
        assert (found.resolve().parent, said) == (folder.resolve(), version)


def test_without_a_fitting_python_the_message_says_which_and_what_to_do():
    with pytest.raises(EnvironmentFailure, match=r"Small 1\.0 needs Python >=9\.9, none found \(this one is 3\.") as no:
        environment_for(library(), release("six", python=">=9.9"))
    assert "install one" in str(no.value)


def test_the_current_environment_and_given_ones(tmp_path):
    ours = Path(sys.executable)
    wanted = (library(), release("six"))
    assert resolve_python("current", *wanted) == ours
    assert resolve_python(str(ours), *wanted) == ours
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    assert resolve_python(str(tmp_path / "venv"), *wanted) == python_of(tmp_path / "venv")


def test_a_given_environment_that_is_none_is_named(tmp_path):
    (tmp_path / "text").write_text("no program")
    for given, text in (("nowhere", "no .*nowhere"), (str(tmp_path), "no .*python"), (str(tmp_path / "text"), "run")):
        with pytest.raises(HarnessError, match=f"--environment .*{text}"):
            resolve_python(given, library(), release("six"))


# Builds


def installed(python):
    listing = subprocess.run([python, "-I", "-c", "import six; print(six.__version__)"], capture_output=True, text=True)
    return listing.stdout.strip()


@pytest.mark.live
def test_an_environment_is_built_once_and_anew_for_other_requirements(cache):
    lines = Lines()
    python = environment_for(library(), release("six==1.16.0"), lines)
    assert installed(python) == "1.16.0"
    assert lines.said[0] == "Small 1.0: building its environment"
    folder = next((cache / "environments").glob("small-1.0-*[0-9a-f]"))
    marker = json.loads((folder / MARKER).read_text())
    assert marker["packages"] == {"six": "1.16.0"}
    assert marker["requirements"] == ["six==1.16.0"]
    assert marker["uv"]
    assert folder in python.parents
    said = len(lines.said)
    assert environment_for(library(), release("six==1.16.0"), lines) == python
    assert len(lines.said) == said, "a complete environment was built again"
    other = environment_for(library(), release(without=["six==1.17.0"]), lines)
    assert other.parent.parent.parent != folder
    assert (installed(python), installed(other)) == ("1.16.0", "1.17.0")
    run = subprocess.run([python, "-I", "-c", "import numpy"], capture_output=True)
    assert run.returncode, "the harness's own packages are in the library's environment"


@pytest.mark.live
@pytest.mark.parametrize("damage", ["no marker", "half a marker", "no python", "python does not run"])
def test_what_is_not_whole_is_built_anew(cache, damage):
    python = environment_for(library(), release("six==1.16.0"))
    folder = next((cache / "environments").glob("small-1.0-*[0-9a-f]"))
    (folder / "rubbish").write_text("of the old environment")
    if damage == "no marker":
        (folder / MARKER).unlink()
    elif damage == "half a marker":
        (folder / MARKER).write_text('{"executable": ')
    else:
        python.unlink()
    if damage == "python does not run":
        python.write_text("no program")
        python.chmod(0o755)
    lines = Lines()
    again = environment_for(library(), release("six==1.16.0"), lines)
    assert installed(again) == "1.16.0"
    said = ["its environment is damaged (bin/python does not run)"] if damage == "python does not run" else []
    assert [line for line in (*said, "incomplete or broken") if line not in " ".join(lines.said)] == []
    assert not (folder / "rubbish").exists()


def test_requirements_that_cannot_be_had_cost_that_library_alone(cache, monkeypatch):
    monkeypatch.setenv("UV_NO_INDEX", "1")
    with pytest.raises(EnvironmentFailure) as failed:
        environment_for(library(), release("six==99.99"))
    text = str(failed.value)
    assert text.startswith("Small 1.0: its environment could not be built: `uv pip install` ended with exit code 1:")
    assert "six==99.99" in text
    log = Path(text.rpartition("All of uv's output: ")[2])
    assert "six==99.99" in log.read_text()
    assert not list((cache / "environments").glob(f"*/{MARKER}"))
    with pytest.raises(EnvironmentFailure):
        environment_for(library(), release("six==99.99"))


@pytest.mark.live
def test_a_package_whose_setup_asks_for_use_2to3_is_built():
    python = environment_for(library(), release("ml-metrics==0.1.4"))
    command = [str(python), "-c", "import ml_metrics; print(ml_metrics.apk([1, 2], [3, 1]))"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "0.25\n"


def build_six(_number):
    return environment_for(library(), release("six==1.16.0"))


@pytest.mark.live
def test_two_processes_build_one_environment():
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        first, second = pool.map(build_six, range(2), chunksize=1)
    assert first == second
    assert installed(first) == "1.16.0"


def test_an_environment_that_another_process_builds_is_waited_for(cache, monkeypatch):
    """The other process holds the lock; afterwards its environment is there and nothing is built."""
    monkeypatch.setenv("UV_NO_INDEX", "1")
    lines = Lines()
    wanted = (library(), release("nothing-that-exists==0", python=f"=={HERE}.*"))
    with pytest.raises(EnvironmentFailure):
        environment_for(*wanted)
    folder = next((cache / "environments").glob("small-1.0-*[0-9a-f]"))
    other = FileLock(folder.with_name(f"{folder.name}.lock"), thread_local=False)
    other.acquire()

    def finish(_text):
        (folder / MARKER).write_text(json.dumps({"executable": sys.executable}))
        other.release()

    lines.say = finish
    assert environment_for(*wanted, lines) == Path(sys.executable)


@pytest.mark.skipif(sys.platform != "linux", reason="looks through /proc")
def test_a_look_up_ends_with_who_asked(tmp_path):
    """A Python that never says its version is left by nobody, not even by one that is killed outright."""
    hangs = tmp_path / "python"
    hangs.write_text("#!/bin/sh\nsleep 600\n")
    hangs.chmod(0o755)
    program = (
        "from pathlib import Path\n"
        "from metric_harness.libraries.intact import python_version\n"
        f"python_version(Path({str(hangs)!r}))\n"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(hangs)]) as asking:
        until = time.monotonic() + 60
        while len(marked(str(hangs))) < 3:  # who asks, the supervisor and the Python
            assert time.monotonic() < until
            time.sleep(0.05)
        asking.kill()
    assert ended_within(5, str(hangs))
