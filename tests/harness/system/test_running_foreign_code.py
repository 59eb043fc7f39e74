"""Each sentence of docs/running-foreign-code.md has a test that fails if it is false; what no other file holds."""

import itertools
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from metric_harness.cli.audit import time_limits
from metric_harness.cli.tree import Root, Tree, loaded
from metric_harness.libraries.new import new_library
from tests.support.command import run
from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "running-foreign-code.md").read_text(encoding="utf-8")
OWN = """
{first}
def recall(recommended, relevant, k):
    {body}
    return len(set(recommended[:k]) & set(relevant)) / max(len(relevant), 1)
"""


def own(folder: Path, first: str = "", body: str = "pass") -> str:
    (folder / "own.py").write_text(OWN.format(first=first, body=body))
    return f"{folder / 'own.py'}:recall"


def running(tree=Root, prefix=""):
    """The commands that start code of others: they choose its Python or limit its memory."""
    for row in tree.rows:
        command = loaded(row)
        if isinstance(command, Tree):
            yield from running(type(command), f"{row.name} ")
        elif {"environment", "memory"} & {param.name for param in command.params} and row.name != "evaluate":
            yield prefix + row.name


def test_the_page_lists_the_commands_that_run_code():
    listed = re.findall("`([^`]+)`", PAGE.partition(" run code that")[0])
    assert sorted(listed) == sorted(running())


@pytest.mark.parametrize(
    ("held", "code"), [("mmap.mmap(-1, 600 << 20)", 0), ("bytearray(600 << 20)", 2)], ids=["shared", "private"]
)
def test_memory_that_is_mapped_as_shared_does_not_count(tmp_path, held, code):
    target = own(tmp_path, "import mmap\nHELD = []", f"HELD or HELD.append({held})")
    done = run("audit", target, "--memory", "0.5", "--metric", "recall", "-q")
    assert done.returncode == code, done.stdout + done.stderr
    assert "mapped as shared does not count" in PAGE


def test_pythonpath_is_searched_for_imports_of_an_own_function(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "shop_helper.py").write_text("ONE = 1\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "elsewhere"))
    target = own(tmp_path, "import os, shop_helper", "assert shop_helper.ONE and 'PYTHONPATH' not in os.environ")
    assert run("audit", target, "-q").returncode == 0
    assert "the folders of `PYTHONPATH` are searched" in PAGE


def test_less_than_a_mebibyte_is_no_limit_of_memory(tmp_path):
    done = run("audit", own(tmp_path), "--memory", "1e-12")
    assert (done.returncode, "no number of GiB" in done.stderr) == (2, True)


LOOKS = """
import gc, json, os, resource, signal, socket, subprocess, sys
from pathlib import Path

LIMIT = "import resource; print(resource.getrlimit(resource.RLIMIT_DATA)[0])"

def look():
    out = Path(os.environ["LOOK_OUT"])
    if out.exists():
        return
    os.write(1, b"noise\\n")
    subprocess.run(["echo", "noise of a child"], check=True)
    with socket.create_connection(("127.0.0.1", int(os.environ["LOOK_PORT"])), 30):
        pass
    os.kill(int(os.environ["LOOK_PID"]), signal.SIGTERM)
    child = subprocess.run([sys.executable, "-c", LIMIT], capture_output=True, text=True, check=True)
    limits = [resource.getrlimit(resource.RLIMIT_DATA)[0], int(child.stdout)]
    python = sorted(name for name in os.environ if name.startswith("PYTHON"))
    read = os.read(0, 9).decode() + sys.stdin.read()
    Path(os.environ["LOOK_GONE"]).unlink()
    unbound = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_CPU, resource.RLIMIT_FSIZE)]
    cores = len(os.sched_getaffinity(0))
    page = {"folder": os.getcwd(), "read": read, "python": python, "limits": limits, "unbound": unbound, "cores": cores}
    page["secrets"] = [each.secret for each in gc.get_objects() if type(each).__name__ == "Worker"]
    page["asserts"], page["hash"] = __debug__, hash("seed")
    out.write_text(json.dumps(page))

def recall(recommended, relevant, k):
    look()
    return len(set(recommended[:k]) & set(relevant)) / max(len(relevant), 1)
"""


def test_what_is_confined_and_what_is_not(tmp_path, monkeypatch):
    """The code reads an empty input, has a folder of its own and limits that children share; the rest is open to it."""
    (tmp_path / "looks.py").write_text(LOOKS)
    (tmp_path / "gone").touch()
    monkeypatch.setenv("LOOK_GONE", str(tmp_path / "gone"))
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with socket.create_server(("127.0.0.1", 0)) as server:
        for name, value in (("OUT", tmp_path / "found.json"), ("PORT", server.getsockname()[1]), ("PID", other.pid)):
            monkeypatch.setenv(f"LOOK_{name}", str(value))
        monkeypatch.setenv("PYTHONHASHSEED", "3")
        monkeypatch.setenv("PYTHONOPTIMIZE", "1")
        done = run("audit", f"{tmp_path / 'looks.py'}:recall", "--memory", "1", "-q")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "noise" not in done.stdout
    assert other.wait() == -signal.SIGTERM
    found = json.loads((tmp_path / "found.json").read_text())
    assert (found["read"], found["python"], found["asserts"]) == ("", [], True)
    first_seed = {**os.environ, "PYTHONHASHSEED": "1"}
    asked = subprocess.run(
        [sys.executable, "-c", "print(hash('seed'))"], env=first_seed, stdout=subprocess.PIPE, check=True
    )
    assert found["hash"] == int(asked.stdout)
    assert [len(secret) for secret in found["secrets"]] == [32]
    assert found["limits"] == [1 << 30, 1 << 30]
    own_limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_CPU, resource.RLIMIT_FSIZE)]
    assert (found["unbound"], found["cores"]) == (own_limits, len(os.sched_getaffinity(0)))
    assert not (tmp_path / "gone").exists()
    assert Path(found["folder"]) != Path.cwd()
    assert not Path(found["folder"]).exists()


def test_a_time_limit_ends_any_command():
    """Long before a command of a few milliseconds could have started."""
    command = [sys.executable, "-m", "metric_harness", "--time-limit", "0.001", "explain", "rules"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""}, check=False)
    assert (done.returncode, done.stderr.count("the time limit is over")) == (2, 1), done.stderr
    assert not done.stdout


def test_a_short_limit_for_questions_leaves_ten_seconds_for_the_import():
    assert [time_limits(timeout) for timeout in (0.5, 60.0)] == [(0.5, 10.0), (60.0, 60.0)]


def test_a_dry_run_says_what_would_be_done_and_does_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("METRIC_HARNESS_CACHE", str(tmp_path / "cache"))
    (tmp_path / "pred.csv").write_text("user_id,item_id,score\n1,10,3\n1,11,2\n")
    (tmp_path / "test.csv").write_text("user_id,item_id\n1,11\n")
    leaves = f"\nimport pathlib\npathlib.Path({str(tmp_path / 'ran')!r}).touch()\n"
    own(tmp_path, leaves)
    new_library("mine", tmp_path / "lib")
    adapter = tmp_path / "lib" / "mine" / "adapter.py"
    adapter.write_text(adapter.read_text() + leaves)
    before = sorted(tmp_path.rglob("*"))
    lists = ("--recommendations", "pred.csv", "--truth", "test.csv")
    mine = ["would be built", "downloaded", "would run    precision_at_k"]
    for words, said in (
        (("compare", *lists, "--adapters", "lib", "--libraries", "mine"), mine),
        (("library", "record", "mine", "--adapters", "lib"), [*mine, "would write"]),
        (("audit", "own.py:recall"), [f"would run    {tmp_path / 'own.py'}:recall"]),
    ):
        done = run(*words, "--dry-run")
        assert done.returncode == 0, done.stderr
        assert all(text in done.stdout for text in said), done.stdout
    assert sorted(tmp_path.rglob("*")) == before


def test_the_folder_of_a_run_that_was_killed_goes_at_the_next_start(tmp_path):
    """``locked_folder`` is what every run begins with."""
    made = "import os, sys; from pathlib import Path; from metric_harness.system.scratch import locked_folder\n"
    made += "print(locked_folder(Path(sys.argv[1]))[0], flush=True); os.kill(os.getpid(), 9)"
    command = [sys.executable, "-c", made, tmp_path]
    folders = [subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout.strip() for _ in range(2)]
    assert [Path(folder).exists() for folder in folders] == [False, True]


def test_what_swallows_the_signal_ends_all_the_same():
    stays = "from metric_harness.system import signals\nimport time\nsignals.heed()\nwhile True:\n    try:\n"
    stays += "        print(flush=True)\n        time.sleep(60)\n    except KeyboardInterrupt:\n        pass\n"
    with subprocess.Popen([sys.executable, "-c", stays], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.terminate()
        assert (process.wait(60), process.stderr.read()) == (143, b"Interrupted.\n")


@pytest.mark.parametrize("debug", [False, True])
def test_what_is_unforeseen_is_one_line_with_the_path_of_a_log(debug, tmp_path):
    breaks = "import sys\nfrom metric_harness.cli import app\napp.app = lambda *words, **settings: 1 / 0\napp.main()\n"
    command = [sys.executable, "-c", breaks, *(["--debug"] if debug else [])]
    environment = {**os.environ, "METRIC_HARNESS_CACHE": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    (log,) = (tmp_path / "logs").iterdir()
    line, *more = done.stderr.splitlines()
    assert done.returncode == 2
    assert line.startswith("error: a mistake of metric-harness: ZeroDivisionError")
    assert str(log) in line
    assert more[:1] == (["Traceback (most recent call last):"] if debug else [])
    assert "ZeroDivisionError" in log.read_text()


HERE, MACHINE = "harness/system/test_running_foreign_code.py::", "end_to_end/test_machine_faults.py::"
INTACT, ENVIRONMENTS = "harness/libraries/test_intact.py::", "harness/libraries/test_environments.py::"
ASK, OWN_WORKER = "harness/worker/test_ask.py::", "adapters/test_own_worker.py::"
CUT_SHORT, PROCESSES = "end_to_end/test_interruption.py::", "harness/system/test_processes.py::"
CONFINED = HERE + "test_what_is_confined_and_what_is_not"
FAULT = MACHINE + "test_a_fault_is_one_line_or_no_harm"
HELD_BY = {
    "`compare`, `audit`, `scan`, `paper`, `library check`": HERE + "test_the_page_lists_the_commands_that_run_code",
    "Importing a file runs it": OWN_WORKER + "test_a_function_whose_file_exits_where_it_needs_it_says_so",
    "`library conform` runs the programs": "harness/conformance/test_conformance.py::"
    "test_a_program_is_run_only_if_told_so",
    "metric-harness keeps this code from": FAULT + "[an audited file that kills who watches it]",
    "**It is no sandbox**": CONFINED,
    "Run code that you do not trust in": "",
    "`--dry-run` (of": (
        HERE + "test_a_dry_run_says_what_would_be_done_and_does_nothing",
        "harness/cli/test_cache_commands.py::test_prune_removes_nothing_in_a_dry_run_or_unasked",
    ),
    "| crash, `exit`": ASK + "test_a_bad_subject_costs_its_own_answer_alone",
    "| endless loop": ASK + "test_a_hang_is_ended_and_the_log_says_where_it_hung",
    "the import has at least 10 s": HERE + "test_a_short_limit_for_questions_leaves_ten_seconds_for_the_import",
    "| a command that takes too long": HERE + "test_a_time_limit_ends_any_command",
    "| memory |": (HERE + "test_memory_that_is_mapped_as_shared_does_not_count", CONFINED),
    "| processes that it starts": (
        PROCESSES + "test_they_end_with_who_started_them",
        PROCESSES + "test_processes_in_sessions_of_their_own_end_with_the_command",
        PROCESSES + "test_they_end_when_the_command_ends_by_itself",
    ),
    "| prints, reading the keyboard": (CONFINED, ASK + "test_prints_go_to_the_log"),
    "| plots": "adapters/test_plots.py::test_nothing_is_drawn_while_a_function_is_asked",
    "| false answers": (FAULT + "[lines that look like answers, on every descriptor]", CONFINED),
    "| inputs": (
        ASK + "test_a_subject_that_writes_into_its_input_changes_no_other_answer",
        ASK + "test_a_subject_that_writes_into_large_input_changes_no_other_answer",
    ),
    "| packages": (
        ENVIRONMENTS + "test_an_environment_is_built_once_and_anew_for_other_requirements",
        ENVIRONMENTS + "test_the_current_environment_and_given_ones",
    ),
    "| Python's settings": (
        HERE + "test_pythonpath_is_searched_for_imports_of_an_own_function",
        ASK + "test_the_worker_sees_the_staged_packages_and_no_settings_of_python",
        CONFINED,
    ),
    "| current folder": (
        CONFINED,
        HERE + "test_the_folder_of_a_run_that_was_killed_goes_at_the_next_start",
        "harness/conformance/test_conformance.py::test_a_program_is_run_only_if_told_so",
    ),
    "| text that it returns": (
        "harness/system/test_terminal.py::test_a_console_replaces_what_steers",
        "reports/test_reports_hostile.py::test_hostile_texts_are_shown_and_do_not_act",
    ),
    "| an installed package that is damaged": (
        INTACT + "test_a_damaged_package_is_noticed_and_built_anew",
        INTACT + "test_a_copy_of_uv_that_was_changed_through_a_link_is_not_run",
        INTACT + "test_what_merely_moved_is_read_once",
        INTACT + "test_compiled_files_play_no_part",
    ),
    "| our files beside the library": (
        "harness/libraries/test_staging.py::test_staging_is_repeatable_and_repairs_what_was_changed",
        "harness/libraries/test_staging.py::test_nothing_but_the_sources_is_believed",
    ),
    "| your files": (
        "harness/cli/test_outputs.py::test_what_we_wrote_is_replaced_unless_it_was_changed",
        "harness/cli/test_outputs.py::test_an_output_is_no_input",
        CONFINED,
    ),
    "Files: the code reads": CONFINED,
    "The network": CONFINED,
    "Environment variables": CONFINED,
    "Processor and disk": CONFINED,
    "Other processes of your user": CONFINED,
    "Malice against the supervisor": (
        FAULT + "[an audited file that kills who watches it]",
        PROCESSES + "test_a_supervisor_that_is_killed_takes_the_command_with_it_and_leaves_what_left_before",
    ),
    "Builds: installing": "harness/libraries/test_compiled_parts.py::test_a_compiled_part_is_built_once",
    "SIGTERM and Ctrl-C": (
        CUT_SHORT + "test_signals_at_random_moments",
        HERE + "test_what_swallows_the_signal_ends_all_the_same",
    ),
    "Everything that it started": (
        CUT_SHORT + "test_a_signal_ends_every_worker_of_libraries_asked_side_by_side",
        ENVIRONMENTS + "test_a_look_up_ends_with_who_asked",
    ),
    "In the first hundredths": CUT_SHORT + "test_signals_at_random_moments",
    "Ctrl-C may then print": CUT_SHORT + "test_signals_at_random_moments",
    "`compare` and `paper` hold": CUT_SHORT + "test_runs_at_once_in_one_folder",
    "The system frees the folder": CUT_SHORT + "test_kills_at_random_moments",
    "`scan` holds none": CUT_SHORT + "test_scans_at_once_in_one_folder",
    "Runs may share a cache": CUT_SHORT + "test_runs_at_once_in_one_cache",
    "Stored answers are found": "harness/comparison/test_side_by_side.py::test_another_data_set_asks_only_the_split",
    "Each file of answers": (
        "harness/system/test_store.py::test_damage_is_set_aside_and_said_once",
        "harness/worker/test_answer_store.py::test_damaged_arrays_are_set_aside_and_asked_again",
        "harness/scanning/test_scan_command.py::test_a_kept_result_that_was_changed_is_asked_again",
        FAULT + "[a number that was changed]",
    ),
    "The rows of a release": "harness/comparison/test_kept_parts.py::"
    "test_a_rerun_starts_no_worker_unless_an_answer_was_lost",
    "Exit code 0 means": (
        "harness/naming/test_audit_command.py::test_exit_codes_follow_the_findings_that_are_left",
        "harness/scanning/test_scan_command.py::test_what_could_not_be_asked_or_read_is_exit_code_2_unless_allowed",
        "harness/conformance/test_conformance.py::test_what_could_not_be_asked_has_not_left",
        HERE + "test_what_is_unforeseen_is_one_line_with_the_path_of_a_log",
    ),
    "`metric-harness doctor` says": FAULT + "[a cache that cannot be kept is what the doctor finds]",
    "`metric-harness doctor cache` shows": (
        "harness/cli/test_cache_commands.py::test_the_cache_shows_what_it_holds",
        "harness/cli/test_cache_commands.py::test_prune_removes_what_no_release_needs_and_keeps_the_rest",
    ),
}  # fmt: skip
"""How a sentence or a row begins, or a later part of it, and the tests that fail if it is false; empty: advice."""


def sentences():
    """The sentences of the page, and the rows of its table."""
    text = "\n".join(line for line in PAGE.splitlines() if not line.startswith(("#", "| ---", "| what |")))
    for block in re.split(r"\n\n|\n(?=[|*])", text.strip()):
        yield from filter(None, [block] if block.startswith("|") else re.split(r"(?<=[.:])\s+(?=[A-Z`*])", block))


def test_every_sentence_is_held_by_a_test():
    found = [" ".join(sentence.removeprefix("* ").split()) for sentence in sentences()]
    for sentence in found:
        assert any(map(sentence.startswith, HELD_BY)), sentence
    for begin in HELD_BY:
        assert sum(begin in sentence for sentence in found) == 1, begin
    held = (tests if isinstance(tests, tuple) else (tests,) for tests in HELD_BY.values())
    for test in itertools.chain.from_iterable(held):
        file, _, name = test.partition("::")
        name, _, row = name.rstrip("]").partition("[")
        if test:
            assert f"def {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), test
        if row:
            assert f'name = "{row}"' in (ROOT / "tests" / "end_to_end" / "machine_faults.toml").read_text(), row
