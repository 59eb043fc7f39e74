"""A library with every bad habit that a worker must survive, beside a healthy subject."""

import contextlib
import ctypes
import os
import signal
import stat
import subprocess
import sys
import time
import warnings

import numpy as np

from metric_adapters.subject import Answer, Subject

print("printed by the import of the library")
os.write(1, b"written by the import of the library\n")

LIBC = ctypes.CDLL(None)


def version():
    return "1.0"


def healthy(case, k):
    """Share of the first k ranks that hold an item, by user and on average."""
    values = np.minimum(case.list_lengths, k) / k
    return Answer(float(values.mean()), np.arange(case.users), values)


def raises(case, k):
    raise ValueError("k is wrong:\n  it must be larger than itself")


def raises_after_output(case, k):
    sys.stderr.write("about to raise\n")
    raise KeyError("user 7")


def hangs(case, k):
    while True:
        time.sleep(0.1)


def hangs_in_c(case, k):
    ctypes.PyDLL(None).sleep(600)  # PyDLL keeps the interpreter's lock: no other Python thread runs meanwhile


def prints(case, k):
    print('{"ok": true, "value": 99}')
    sys.__stdout__.write('{"ok": true, "value": 98}\n')
    os.write(1, b'{"ok": true, "value": 97}\n')
    LIBC.printf(b'{"ok": true, "value": 96}\n')
    LIBC.fflush(None)
    subprocess.run(["echo", '{"ok": true, "value": 95}'], check=True)
    return Answer(0.5)


def reads_input(case, k):
    return Answer(float(input()))


def writes_to_the_stream(case, k):
    """Find the stream of answers among the open files, which no library does by accident."""
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
                os.write(descriptor, b"not an answer\n")
    return Answer(0.5)


def closes_everything(case, k):
    os.closerange(3, 64)
    return Answer(0.5)


def segfaults(case, k):
    ctypes.string_at(0)


def aborts(case, k):
    os.abort()


def kills_itself(case, k):
    os.kill(os.getpid(), signal.SIGKILL)


def exits(case, k):
    sys.exit(3)


def exits_at_once(case, k):
    os._exit(3)


def eats_memory(case, k):
    held = []
    while len(held) < 512:  # 32 GiB; the limit comes first
        held.append(np.empty(8 << 20))  # untouched: it counts all the same, and takes no time
    raise AssertionError("no limit was met")


def mutates(case, k):
    value = healthy(case, k).value
    for array in (case.recommended, case.judged_items, case.judged_gains):
        array[...] = -1
    return Answer(value)


def forks(case, k):
    """Leave a child asleep that holds every open file; the answer is its process number."""
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
        os._exit(0)
    return Answer(child)


def forks_then_crashes(case, k):
    forks(case, k)
    os._exit(4)


def forks_and_both_return(case, k):
    child = os.fork()
    if child == 0:
        return Answer(0.75)
    os.waitpid(child, 0)
    return Answer(0.25)


def warns(case, k):
    for user in range(1000):
        np.mean(np.empty(0))
        warnings.warn(f"user {user % 2} has no list", UserWarning, stacklevel=1)
    return Answer(0.5)


def returning(value, users=None, values=None):
    return lambda case, k: Answer(value, users, values)


SUBJECTS = {
    function.__name__: Subject(function, function)
    for function in (
        healthy, raises, raises_after_output, hangs, hangs_in_c, prints, reads_input, writes_to_the_stream,
        closes_everything, segfaults, aborts, kills_itself, exits, exits_at_once, eats_memory, mutates, forks,
        forks_then_crashes, forks_and_both_return, warns,
    )
}  # fmt: skip
SUBJECTS.update(
    nan=Subject(returning(float("nan"), np.arange(2), np.array([np.nan, 1.0]))),
    infinite=Subject(returning(float("-inf"))),
    none=Subject(returning(None)),
    text=Subject(returning("0.5")),
    array=Subject(returning(np.array([0.5]))),
    scalar_array=Subject(returning(np.array(0.5))),
    unfitting_values=Subject(returning(0.5, np.arange(3), np.zeros(2))),
    text_values=Subject(returning(0.5, np.arange(2), ["a", "b"])),
    no_answer=Subject(lambda case, k: None),
)
