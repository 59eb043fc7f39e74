"""Cases on disk, where workers read them, and the digest of a case, which is part of the key of its answers."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from metric_adapters.case_files import ARRAYS, save_case
from metric_reference.case import Case


class CaseFolders:
    """Cases below one folder, each written when it is first asked about, under its name in ``named`` or its digest.

    Threads may share one.
    """

    def __init__(self, root: Path, named: Mapping[str, Case] | None = None) -> None:
        self.root = root
        self._digests: dict[int, tuple[Case, str]] = {}
        self._written: set[str] = set()
        self._lock = threading.Lock()
        self._names = {self.digest(case): name for name, case in (named or {}).items()}

    def digest(self, case: Case) -> str:
        """A digest of all that a worker reads of a case."""
        if id(case) not in self._digests:
            self._digests[id(case)] = case, digest_of(case)
        return self._digests[id(case)][1]

    def folder(self, case: Case) -> Path:
        """The folder of a case, written if needed."""
        name = self._names.get(self.digest(case), self.digest(case))
        with self._lock:
            if name not in self._written:
                save_case(case, self.root / name)
                self._written.add(name)
        return self.root / name


def digest_of(case: Case) -> str:
    """A digest of the arrays and settings of a case."""
    digest = hashlib.sha256(f"{case.n_items} {case.threshold} {case.n_train_users}".encode())
    for name in ARRAYS:
        array = getattr(case, name)
        if array is None:
            digest.update(b"|")
        else:
            digest.update(f"|{array.dtype.str}{array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:32]
