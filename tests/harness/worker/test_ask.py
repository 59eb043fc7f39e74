"""Whatever a library does costs its own question alone: the healthy subject beside it is answered afterwards."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from metric_adapters.case_files import save_case
from metric_harness.libraries.describe import find_libraries
from metric_harness.libraries.staging import stage
from metric_harness.worker.launch import Launch
from metric_harness.worker.messages import Asked
from metric_harness.worker.process import StartFailure, Worker
from metric_reference.case import case_from_lists
from tests.support.places import ROOT, SUPPORT

FAKES = SUPPORT / "fakes"
LIMIT = 2 << 30


@pytest.fixture(scope="module")
def staged(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("METRIC_HARNESS_CACHE", str(tmp_path_factory.mktemp("cache")))
        return stage(list(find_libraries([FAKES]).values()))


@pytest.fixture(scope="module")
def case_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("case")
    save_case(case_from_lists([[0, 1, 2], [3]], [[1], [3]], 5), folder)
    return folder


@pytest.fixture
def new_worker(staged, tmp_path):
    def make(key="misbehaving", **settings):
        return Worker(
            Launch(
                python=Path(sys.executable), staged=staged, name=key, log=tmp_path / "log.txt", memory=LIMIT, **settings
            )
        )

    return make


@pytest.fixture
def worker(new_worker):
    with new_worker() as worker:
        worker.start()
        yield worker


@pytest.fixture
def ask(worker, case_folder, tmp_path):
    return lambda subject, timeout=30: worker.ask(subject, case_folder, 2, tmp_path / "out" / subject, timeout)


def check_healthy(reply):
    assert (reply.kind, reply.error, reply.value) == ("answer", None, 0.75)
    assert reply.users.tolist() == [0, 1]
    assert reply.values.tolist() == [1.0, 0.5]
    assert reply.users.dtype == np.int64
    assert reply.values.dtype == np.float64
    assert reply.seconds >= 0


def alive(process):
    """Whether a process runs; one that has ended and that nobody has waited for does not."""
    try:
        os.kill(process, 0)
        return subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True).stdout[:1] not in b"Z"
    except ProcessLookupError:
        return False


def ends(process, seconds=10):
    until = time.monotonic() + seconds
    while alive(process) and time.monotonic() < until:
        time.sleep(0.05)
    return not alive(process)


BAD = {
    "raises": ("exception", "ValueError: k is wrong: it must be larger than itself"),
    "raises_after_output": ("exception", "KeyError: 'user 7'"),
    "reads_input": ("exception", "EOFError: EOF when reading a line"),
    "exits": ("exception", "SystemExit: 3"),
    "none": ("exception", "TypeError"),
    "text": ("exception", "TypeError: the value is no number but str: '0.5'"),
    "array": ("exception", "TypeError: the value is no number but ndarray: array([0.5])"),
    "no_answer": ("exception", "AttributeError: 'NoneType' object has no attribute 'value'"),
    "unfitting_values": ("exception", "ValueError: users of shape (3,) beside values of shape (2,)"),
    "text_values": ("exception", "ValueError: could not convert string to float"),
    "not_there": ("exception", "KeyError: 'not_there'"),
    "exits_at_once": ("crash", "ended by itself with exit code 3"),
    "forks_then_crashes": ("crash", "ended by itself with exit code 4"),
    "segfaults": ("crash", "crashed: SIGSEGV"),
    "aborts": ("crash", "crashed: SIGABRT"),
    "kills_itself": ("crash", "crashed: SIGKILL (the system may be out of memory)"),
    "closes_everything": ("crash", "ended by itself with exit code 1"),
    "writes_to_the_stream": ("garbage", "b'not an answer"),
    "eats_memory": ("memory", "MemoryError: Unable to allocate"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("subject", BAD)
def test_a_bad_subject_costs_its_own_answer_alone(ask, subject):
    check_healthy(ask("healthy"))
    begun = time.monotonic()
    reply = ask(subject)
    kind, text = BAD[subject]
    assert (reply.kind, reply.value, reply.users, reply.values) == (kind, None, None, None)
    assert text in reply.error
    assert "\n" not in reply.error
    assert time.monotonic() - begun < 20
    check_healthy(ask("healthy"))


@pytest.mark.parametrize("subject", ["hangs", "hangs_in_c"])
def test_a_hang_is_ended_and_the_log_says_where_it_hung(worker, ask, subject):
    process = worker._running.process.pid
    begun = time.monotonic()
    reply = ask(subject, timeout=1.5)
    assert (reply.kind, reply.error, reply.value) == ("timeout", "timed out after 1.5 s", None)
    assert 1.5 <= time.monotonic() - begun < 5
    assert not alive(process)
    assert f"in {subject}" in worker.tail(30)
    check_healthy(ask("healthy"))


def test_prints_go_to_the_log(worker, ask):
    assert ask("prints").value == 0.5
    log = worker.launch.log.read_text()
    for number in range(95, 100):
        assert f'"value": {number}' in log
    assert "printed by the import" in log
    assert "written by the import" in log
    check_healthy(ask("healthy"))


def test_nan_and_infinity_are_values_and_not_errors(ask):
    reply = ask("nan")
    assert (reply.kind, reply.error) == ("answer", None)
    assert np.isnan(reply.value)
    np.testing.assert_array_equal(reply.values, [np.nan, 1.0])
    assert ask("infinite").value == -np.inf
    assert ask("scalar_array").value == 0.5


def test_a_subject_that_writes_into_its_input_changes_no_other_answer(ask, case_folder):
    before = {path.name: path.read_bytes() for path in case_folder.iterdir()}
    assert ask("mutates").value == 0.75
    check_healthy(ask("healthy"))
    assert {path.name: path.read_bytes() for path in case_folder.iterdir()} == before


def test_a_subject_that_writes_into_large_input_changes_no_other_answer(worker, tmp_path):
    users = 100_000
    save_case(case_from_lists([[0, 1]] * users, [[1]] * users, 5), tmp_path / "large")
    assert (tmp_path / "large" / "recommended.npy").stat().st_size > 1 << 20
    values = [
        worker.ask(name, tmp_path / "large", 4, tmp_path / name, 30).value for name in ("healthy", "mutates", "healthy")
    ]
    assert values == [0.5, 0.5, 0.5]


def test_a_forked_child_does_not_outlive_the_worker(new_worker, case_folder, tmp_path):
    with new_worker() as worker:
        child = int(worker.ask("forks", case_folder, 2, tmp_path / "f", 30).value)
        assert alive(child)
        check_healthy(worker.ask("healthy", case_folder, 2, tmp_path / "h", 30))
    assert ends(child)


def test_a_forked_child_that_comes_back_gives_no_answer(ask):
    assert ask("forks_and_both_return").value == 0.25
    check_healthy(ask("healthy"))


def test_repeated_warnings_are_few_lines(ask):
    warnings = ask("warns").warnings
    assert "RuntimeWarning: Mean of empty slice" in " ".join(warnings)
    assert "UserWarning: user 1 has no list" in warnings
    assert len(warnings) <= 5


def test_the_fakes_offer_what_their_description_names(worker):
    assert set(worker.start()["subjects"]) == set(find_libraries([FAKES])["misbehaving"].subjects)


def test_start_tells_what_answers(worker):
    info = worker.start()
    assert info["version"] == "1.0"
    assert info["packages"]["numpy"] == np.__version__
    assert info["subjects"]["healthy"]["file"] == "adapter.py"
    assert info["subjects"]["healthy"]["line"] > 1


def test_the_worker_sees_the_staged_packages_and_no_settings_of_python(worker, ask, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    worker.start()
    environment = Path(f"/proc/{worker._running.process.pid}/environ")
    if not environment.exists():
        pytest.skip("this system has no /proc to read a process's environment from")
    assert b"PYTHON" not in environment.read_bytes()


@pytest.mark.parametrize(
    ("key", "kind", "text"),
    [
        ("unimportable", "exception", "ImportError: cannot import name 'ndcg' from 'a_library' (unknown location)"),
        ("dies_on_import", "crash", "ended by itself with exit code 7"),
        ("hangs_on_import", "timeout", "timed out after 1 s"),
        ("no_such_library", "exception", "ModuleNotFoundError: No module named 'metric_library.adapter'"),
    ],
)
def test_a_library_that_does_not_start_says_why(new_worker, case_folder, tmp_path, key, kind, text):
    with new_worker(key, start_timeout=1 if kind == "timeout" else 60) as worker:
        with pytest.raises(StartFailure) as failed:
            worker.start()
        assert failed.value.cause.kind == kind
        assert str(failed.value) == f"{key}: its adapter does not start: {text}"
        begun = time.monotonic()
        reply = worker.ask("healthy", case_folder, 2, tmp_path / "h", 30)
        assert reply.value is None
        assert text in reply.error
        assert time.monotonic() - begun < 0.5, "a start that failed was waited for again"


def test_a_python_that_is_none_is_named(staged, tmp_path):
    with (
        Worker(
            Launch(python=tmp_path / "python", staged=staged, name="misbehaving", log=tmp_path / "log.txt")
        ) as worker,
        pytest.raises(StartFailure, match="python cannot be run: No such file"),
    ):
        worker.start()


def asking_program(staged, case_folder, tmp_path):
    """A harness in a process of its own that asks a subject which forks and then one which hangs."""
    return textwrap.dedent(f"""
        import signal, sys
        from pathlib import Path
        from metric_harness.worker.launch import Launch
        from metric_harness.worker.process import Worker
        staged, case, out = map(Path, {[str(path) for path in (staged, case_folder, tmp_path)]!r})
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
        launch = Launch(python=Path(sys.executable), staged=staged, name="misbehaving", log=out / "log.txt")
        with Worker(launch) as worker:
            worker.start()
            child = int(worker.ask("forks", case, 2, out / "f", 30).value)
            print(worker._running.process.pid, child, flush=True)
            worker.ask("hangs", case, 2, out / "h", 600)
    """)


def test_control_c_kills_the_worker_and_its_children(staged, case_folder, tmp_path):
    command = [sys.executable, "-c", asking_program(staged, case_folder, tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as asking:
        worker, child = map(int, asking.stdout.readline().split())
        assert alive(worker)
        assert alive(child)
        time.sleep(0.3)
        asking.send_signal(signal.SIGINT)
        _, errors = asking.communicate(timeout=20)
    assert b"KeyboardInterrupt" in errors
    assert ends(worker)
    assert ends(child)


def test_the_end_of_the_requests_ends_the_worker_and_its_children(staged, case_folder, tmp_path):
    """When the harness is killed outright nobody sends quit."""
    program = asking_program(staged, case_folder, tmp_path).replace('"hangs"', '"healthy"') + "    input()\n"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as asking:
        worker, child = map(int, asking.stdout.readline().split())
        assert alive(worker)
        asking.kill()
        asking.wait()
        assert ends(worker)
        assert ends(child)


def test_stale_bytes_on_the_stream_are_no_answer(worker, ask, case_folder, tmp_path):
    """A library that answers late, after its own question was over, does not answer the next one."""
    process = worker._running.process
    check_healthy(ask("healthy"))
    process.stdin.write(b'{"op": "ask", "subject": "infinite", "case": "%b", "k": 1}\n' % str(case_folder).encode())
    time.sleep(0.5)
    check_healthy(ask("healthy"))
    assert worker._running.process.pid != process.pid


@pytest.fixture
def asked(case_folder, tmp_path):
    return lambda subject, k=2: Asked(subject, case_folder, k, tmp_path / "out" / f"{subject}-{k}")


def test_posted_questions_are_answered_in_their_order(worker, asked):
    for question in (asked("healthy"), asked("healthy", 1), asked("healthy", 1), asked("raises")):
        worker.post(question, 30)
    check_healthy(worker.answer(asked("healthy"), 30))
    assert worker.answer(asked("healthy", 1), 30).values.tolist() == [1.0, 1.0]
    assert worker.answer(asked("raises"), 30).kind == "exception"
    check_healthy(worker.answer(asked("healthy"), 30))


def test_a_posted_question_that_nobody_asks_is_answered_for_nothing(worker, asked):
    process = worker._running.process.pid
    for subject in ("raises", "healthy", "mutates"):
        worker.post(asked(subject, 1), 30)
    check_healthy(worker.answer(asked("healthy"), 30))
    worker.post(asked("healthy", 1), 30)
    assert worker.check(*asked("healthy")[:3], 30)["mistake"] is None
    assert worker._running.process.pid == process


@pytest.mark.parametrize("subject", ["segfaults", "exits_at_once", "hangs", "writes_to_the_stream"])
def test_a_posted_question_that_fails_costs_itself_alone(worker, asked, subject):
    worker.post(asked("healthy"), 30)
    worker.post(asked(subject), 1)
    check_healthy(worker.answer(asked("healthy"), 30))
    check_healthy(worker.answer(asked("healthy"), 30))
    worker.post(asked("healthy"), 30)
    worker.post(asked(subject), 1)
    check_healthy(worker.answer(asked("healthy"), 30))
    assert worker.answer(asked(subject), 1).failed
    check_healthy(worker.answer(asked("healthy"), 30))


def test_a_prepared_process_answers_after_the_next_start(worker, ask):
    first = worker._running.process.pid
    worker.prepare()
    prepared = worker._prepared.process.pid
    check_healthy(ask("healthy"))
    assert worker._running.process.pid == first
    worker.start()
    assert worker._running.process.pid == prepared
    check_healthy(ask("healthy"))
    assert ends(first)


def test_a_prepared_process_that_nobody_needs_ends_with_the_worker(new_worker):
    with new_worker() as worker:
        worker.start()
        worker.prepare()
        worker.prepare()
        prepared = worker._prepared.process.pid
    assert ends(prepared)


def test_a_prepared_process_that_has_ended_is_a_start_that_failed(worker):
    worker.prepare()
    worker._prepared.process.kill()
    with pytest.raises(StartFailure):
        worker.start()
    worker.start()
