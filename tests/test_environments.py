"""Environments: pip's settings reach uv, the build of torch is chosen, what is half-built is built anew."""

import io
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from filelock import FileLock
from rich.console import Console

from harness.environments import (
    MARKER,
    EnvironmentFailure,
    environment_for,
    find_python,
    no_index,
    python_of,
    resolve_python,
    torch_arguments,
)
from harness.errors import HarnessError
from harness.libraries import Library, Release, find_libraries
from harness.pip_settings import local_path, parse_config_list, pip_settings, translate, uv_environment
from harness.progress import Reporter
from harness.staging import stage

FAKES = Path(__file__).parent / "fakes"
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


# pip's settings


def test_the_settings_of_pip_that_concern_an_installation_are_read_in_pip_s_order():
    text = "\n".join(
        [
            "global.find-links='/a'", "global.timeout='9'", "install.find-links='/b /c'", "download.find-links='/no'",
            "global.extra-index-url='\\nfile:///x/simple\\nfile:///y/simple'", ":env:.timeout='30'", "", "a warning",
        ]
    )  # fmt: skip
    assert parse_config_list(text) == {
        "find-links": "/b /c", "timeout": "30", "extra-index-url": "\nfile:///x/simple\nfile:///y/simple",
    }  # fmt: skip


def test_pip_s_settings_become_uv_s(tmp_path):
    wheels, more = tmp_path / "wheels", tmp_path / "more wheels"
    wheels.mkdir()
    more.mkdir()
    settings = {
        "find-links": f"{wheels}\n {more.as_uri()} https://example.org/links {tmp_path}/missing",
        "index-url": "https://example.org/simple",
        "extra-index-url": "\nhttps://b.example/simple\n  file:///c/simple",
        "no-index": "true",
        "constraint": "/c1.txt /c2.txt",
        "cert": "/certificates.pem",
        "trusted-host": "a.example b.example:80",
        "proxy": "http://proxy.example:8080",
        "default-timeout": "180",
        "quiet": "1",
    }
    assert translate(settings, {}) == {
        "UV_FIND_LINKS": f"{wheels},{more.as_uri()},https://example.org/links",
        "UV_DEFAULT_INDEX": "https://example.org/simple",
        "UV_INDEX": "https://b.example/simple file:///c/simple",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_NO_INDEX": "1",
        "UV_CONSTRAINT": "/c1.txt /c2.txt",
        "UV_INSECURE_HOST": "a.example b.example:80",
        "UV_HTTP_TIMEOUT": "180",
        "SSL_CERT_FILE": "/certificates.pem",
        "HTTPS_PROXY": "http://proxy.example:8080",
    }


def test_no_settings_become_no_variables():
    assert translate({}, {}) == {}
    assert translate({"no-index": "false", "timeout": "soon", "find-links": " "}, {}) == {}


def test_a_single_index_leaves_uv_its_strategy():
    assert translate({"index-url": "https://example.org/simple"}, {}) == {
        "UV_DEFAULT_INDEX": "https://example.org/simple"
    }


@pytest.mark.parametrize(
    ("option", "variable"),
    [
        ("find-links", "UV_FIND_LINKS"), ("index-url", "UV_DEFAULT_INDEX"), ("index-url", "UV_INDEX_URL"),
        ("extra-index-url", "UV_INDEX"), ("extra-index-url", "UV_EXTRA_INDEX_URL"), ("constraint", "UV_CONSTRAINT"),
        ("cert", "SSL_CERT_FILE"), ("proxy", "https_proxy"),
    ],
)  # fmt: skip
def test_a_variable_that_is_set_wins(option, variable):
    assert translate({option: "https://theirs.example"}, {variable: "https://mine.example"}) == {}


def test_relative_paths_are_those_of_the_person_s_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wheels").mkdir()
    given = translate({"find-links": "./wheels", "constraint": "c.txt"}, {})
    assert given == {"UV_FIND_LINKS": str(tmp_path / "wheels"), "UV_CONSTRAINT": str(tmp_path / "c.txt")}


def test_links_are_paths_or_addresses():
    assert local_path("file:///some%20wheels") == Path("/some wheels")
    assert local_path("/wheels") == Path("/wheels")
    assert local_path("https://example.org/links") is None


def test_pip_itself_is_asked(tmp_path, monkeypatch):
    (tmp_path / "wheels").mkdir()
    (tmp_path / "pip.conf").write_text(
        f"[global]\nno-index = true\nfind-links =\n    {tmp_path / 'wheels'}\n    {tmp_path}\n"
    )
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    if "find-links" not in pip_settings():
        pytest.skip("neither this environment nor its base interpreter has pip, whose configuration this reads")
    variables = uv_environment()
    assert variables["UV_FIND_LINKS"] == f"{tmp_path / 'wheels'},{tmp_path}"
    assert no_index(variables) == ["--no-index"]
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    assert uv_environment()["UV_FIND_LINKS"] == str(tmp_path)


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


@pytest.mark.libraries
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


@pytest.mark.libraries
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
    assert "incomplete or broken" in lines.said[0]
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


def build_six(queue):
    queue.put(str(environment_for(library(), release("six==1.16.0"))))


@pytest.mark.libraries
def test_two_processes_build_one_environment():
    assert len(set(in_processes(build_six))) == 1


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


# Staging


def in_processes(function, count=2):
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    processes = [context.Process(target=function, args=(queue,)) for _ in range(count)]
    for process in processes:
        process.start()
    results = [queue.get(timeout=120) for _ in processes]
    for process in processes:
        process.join(30)
        assert process.exitcode == 0
    return results


def fakes():
    return list(find_libraries([FAKES]).values())


def test_staged_is_what_a_worker_needs_and_no_more(cache):
    folder = stage(fakes())
    assert folder.parent == cache / "staged"
    assert {path.name for path in folder.iterdir()} == {"adapters", "reference"}
    assert (folder / "adapters" / "misbehaving" / "adapter.py").is_file()
    assert (folder / "adapters" / "misbehaving" / "__init__.py").is_file()
    assert (folder / "adapters" / "worker.py").is_file()
    assert (folder / "reference" / "case.py").is_file()
    assert {path.suffix for path in folder.rglob("*") if path.is_file()} == {".py"}
    alone = stage([one for one in fakes() if one.key == "misbehaving"])
    assert alone != folder
    assert not (alone / "adapters" / "unimportable").exists()


def test_staging_is_repeatable_and_repairs_what_was_changed():
    folder = stage(fakes())
    inode = folder.stat().st_ino
    assert stage(fakes()) == folder
    assert folder.stat().st_ino == inode, "an unchanged folder was written again"
    worker = folder / "adapters" / "worker.py"
    code = worker.read_bytes()
    for damage in (worker.unlink, lambda: worker.write_text("")):
        damage()
        assert stage(fakes()) == folder
        assert worker.read_bytes() == code
    assert not [path for path in folder.parent.iterdir() if path.name.startswith(".")]


def test_a_changed_adapter_is_staged_elsewhere(tmp_path):
    shutil.copytree(FAKES / "unimportable", tmp_path / "unimportable")
    (one,) = (one for one in find_libraries([tmp_path]).values() if one.folder.parent == tmp_path)
    before = stage([one])
    with (tmp_path / "unimportable" / "adapter.py").open("a") as file:
        file.write("# changed\n")
    after = stage([one])
    assert before != after
    assert (after / "adapters" / "unimportable" / "adapter.py").read_text().endswith("# changed\n")


def stage_fakes(queue):
    until = time.monotonic() + 1
    folders = set()
    while time.monotonic() < until:
        folder = stage(fakes())
        folders.add(str(folder))
        assert (folder / "adapters" / "worker.py").read_bytes()
    queue.put(sorted(folders))


def test_two_processes_stage_one_folder():
    (first, second) = in_processes(stage_fakes)
    assert first == second
    assert len(first) == 1
