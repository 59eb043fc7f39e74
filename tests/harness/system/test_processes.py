"""Nothing of a program that was started is left, whatever ends it."""

import os
import signal
import subprocess
import sys
import time

import pytest

from metric_harness.system.processes import Process, captured
from tests.support.processes import ended_within, marked

DETACHES = """
import os, subprocess, sys, time
subprocess.Popen(["env", "-i", "setsid", "sleep", sys.argv[1]], start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    os.execvp("sleep", ["sleep", sys.argv[1]])
print("ready", flush=True)
time.sleep(float(sys.argv[2]))
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the process group is ended")


@pytest.fixture
def mark():
    """A number of seconds that no other process sleeps for."""
    return f"{100_000 + os.getpid()}.{time.monotonic_ns() % 10**6}"


def detaching(mark, stays="600"):
    return [sys.executable, "-c", DETACHES, mark, stays]


def test_processes_in_sessions_of_their_own_end_with_the_command(mark):
    process = Process(detaching(mark), stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    until = time.monotonic() + 20
    while len(marked(mark)) < 4:  # the supervisor, the command and two that have left it
        assert time.monotonic() < until
        time.sleep(0.05)
    begun = time.monotonic()
    process.end()
    assert time.monotonic() - begun < 3
    assert marked(mark) == []
    process.stdout.close()


def test_they_end_when_the_command_ends_by_itself(mark):
    done = captured(detaching(mark, "0"), 60)
    assert (done.returncode, done.stdout) == (0, b"ready\n")
    assert marked(mark) == []


def test_a_supervisor_that_is_killed_takes_the_command_with_it_and_leaves_what_left_before(mark):
    process = Process(detaching(mark), stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    until = time.monotonic() + 20
    while len(marked(mark)) < 4:
        assert time.monotonic() < until
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    until = time.monotonic() + 20
    while len(marked(mark)) > 2 and time.monotonic() < until:
        time.sleep(0.05)
    left = marked(mark)
    for one in left:
        os.kill(one, signal.SIGKILL)
    process.end()
    process.stdout.close()
    assert 1 <= len(left) <= 2  # of four, one may have been on its way out


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_they_end_with_who_started_them(mark, number):
    program = (
        "import subprocess, sys, time\n"
        "from metric_harness.system.processes import Process\n"
        f"process = Process({detaching(mark)!r})\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as starter:
        assert starter.stdout.readline() == b"ready\n"
        starter.send_signal(number)
        starter.wait()
        assert ended_within(5, mark)


@pytest.mark.parametrize("code", [0, 3, 255])
def test_the_exit_code_is_the_commands(code):
    assert captured(["sh", "-c", f"exit {code}"], 60).returncode == code


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGPIPE])
def test_a_command_that_a_signal_ended_is_known_by_it(number):
    assert captured(["sh", "-c", f"kill -{int(number)} $$"], 60).returncode == -number


def test_a_time_out_ends_it(mark):
    with pytest.raises(subprocess.TimeoutExpired):
        captured(detaching(mark), 1)
    assert marked(mark) == []


def test_no_such_program():
    with pytest.raises(FileNotFoundError, match="No such file"):
        captured(["/no/such/program"], 1)


def test_a_lock_of_popen_that_a_signal_left_taken_hangs_nothing():
    """KeyboardInterrupt inside of Popen.poll leaves its lock taken: wait() without a limit would never return."""
    process = Process(["sleep", "600"])
    process._waitpid_lock.acquire()
    begun = time.monotonic()
    process.end()
    assert time.monotonic() - begun < 3
    assert process.returncode == -signal.SIGKILL
