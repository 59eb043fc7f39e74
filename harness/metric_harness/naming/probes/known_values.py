"""Keeps the values of variants for the probes between runs; they depend on the reference and the probes alone."""

from __future__ import annotations

import atexit
import io
import os
import platform
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

import metric_reference
from metric_harness.system.caches import cache_dir
from metric_harness.system.code_digest import code_digest
from metric_harness.system.errors import HarnessError
from metric_harness.system.store import keep_bytes, kept_bytes

FEWEST_NEW_VALUES = 1000
"""Fewer new values than this are not written."""
MOST_FILES = 4
"""Files that are kept: one for each version of the code, the newest ones."""
_known: dict[str, np.ndarray] = {}
_new: dict[str, np.ndarray] = {}
_lock = threading.RLock()


def kept(name: str, compute: Callable[[], np.ndarray]) -> np.ndarray:
    """The float64 array, shape (n,), of a name: from an earlier run with the same code and numpy, else computed.

    New arrays are written atomically when the process ends; of two processes, the later one replaces the file. Without
    a cache folder that can be read and written, every process computes them.
    """
    with _lock:  # a second thread waits for the array that the first computes
        read()
        if name not in _known:
            _known[name] = _new[name] = compute()
            _known[name].setflags(write=False)
            if len(_new) == 1:
                atexit.register(write)
        return _known[name]


@cache
def file() -> Path | None:
    """The file of the values, named by a digest of all that they depend on; None without a cache folder."""
    code = code_digest([Path(metric_reference.__path__[0]), Path(__file__).parent])
    try:
        return cache_dir("predictions") / f"{code}-numpy-{np.__version__}-{platform.machine()}.npz"
    except HarnessError:
        return None


@cache
def read() -> None:
    """Read the file of an earlier run, once."""
    path = file()
    if path is None:
        return
    if (content := kept_bytes(path)) is None:
        return
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        names, ends, values = (arrays[name] for name in ("names", "ends", "values"))
    values.setflags(write=False)
    _known.update(zip(names.astype(str).tolist(), np.split(values, ends[:-1]), strict=True))


def write() -> None:
    """Write all arrays if enough of them are new, and remove the oldest files."""
    path = file()
    if path is None or sum(map(len, _new.values())) < FEWEST_NEW_VALUES:
        return
    names = np.array([name.encode() for name in _known])
    ends = np.cumsum([len(values) for values in _known.values()])
    content = io.BytesIO()
    np.savez(content, names=names, ends=ends, values=np.concatenate(list(_known.values())))
    keep_bytes(path, content.getvalue())
    with suppress(OSError):  # another process removed one, or has no permission
        for old in sorted(path.parent.glob("*.npz"), key=os.path.getmtime)[:-MOST_FILES]:
            old.unlink(missing_ok=True)
    _new.clear()
