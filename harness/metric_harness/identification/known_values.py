"""What definitions give for the probes, kept between runs: it depends on the reference and the probes alone."""

from __future__ import annotations

import atexit
import os
import platform
import tempfile
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

import metric_reference
from metric_harness.system.caches import cache_dir
from metric_harness.system.code_digest import code_digest
from metric_harness.system.errors import HarnessError

FEWEST = 1000
"""Fewer new numbers than this are not worth writing."""
MOST_FILES = 4
"""Files that are kept: one for each version of the code in use."""
_known: dict[str, np.ndarray] = {}
_new: dict[str, np.ndarray] = {}
_lock = threading.RLock()


def kept(name: str, compute: Callable[[], np.ndarray]) -> np.ndarray:
    """The float64 array, shape (n,), of a name: from an earlier run with the same code and numpy, else computed.

    What is new is written when the process ends, whole or not at all; of two processes the last one's file stays. A
    cache folder that cannot be read or written costs the time of computing alone.
    """
    with _lock:  # of two threads the second one takes what the first computes
        read()
        if name not in _known:
            _known[name] = _new[name] = compute()
            _known[name].setflags(write=False)
            if len(_new) == 1:
                atexit.register(write)
        return _known[name]


@cache
def file() -> Path | None:
    """Where the numbers are kept, by a digest of all that they depend on; None without a folder for it."""
    code = code_digest([Path(metric_reference.__path__[0]), Path(__file__).parent])
    try:
        return cache_dir("predictions") / f"{code}-numpy-{np.__version__}-{platform.machine()}.npz"
    except HarnessError:
        return None


@cache
def read() -> None:
    """Take over what an earlier run wrote, once; a file that is damaged is as good as none."""
    path = file()
    if path is None:
        return
    try:
        with np.load(path, allow_pickle=False) as page:
            names, ends, values = (page[name] for name in ("names", "ends", "values"))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return
    if len(names) == len(ends) and len(ends) and ends[-1] == len(values):
        values.setflags(write=False)
        parts = np.split(values, ends[:-1])
        _known.update(zip(names.astype(str).tolist(), parts, strict=True))


def write() -> None:
    """Write all that is known, if enough of it is new, and remove what is too old."""
    path = file()
    if path is None or sum(map(len, _new.values())) < FEWEST:
        return
    names = np.array([name.encode() for name in _known])
    ends = np.cumsum([len(values) for values in _known.values()])
    part = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", suffix=".part", delete=False) as out:
            part = Path(out.name)
            np.savez(out, names=names, ends=ends, values=np.concatenate(list(_known.values())))
        os.replace(part, path)
        for old in sorted(path.parent.glob("*.npz"), key=os.path.getmtime)[:-MOST_FILES]:
            old.unlink(missing_ok=True)
        _new.clear()
    except OSError:  # a full disk, a folder that cannot be written: the next run computes again
        if part is not None:
            part.unlink(missing_ok=True)
