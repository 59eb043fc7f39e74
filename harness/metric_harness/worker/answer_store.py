"""Answers kept on disk: an interrupted run resumes where it stopped, and a later run asks only what is new."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from metric_harness.system.store import digest, set_aside
from metric_harness.worker.process import Reply
from metric_reports.files import write_atomically
from metric_reports.record import from_json_number, to_json_number

LASTING = ("answer", "cannot_show", "exception")
"""The kinds of replies that are kept; after a crash or a time-out, which may be accidental, the next run asks again."""

ARRAYS = ("users", "values")

FEW_USERS = 2000
"""Values of up to this many users are stored in the line of their answer; verification cases have fewer."""


class AnswerStore:
    """Replies by key in one append-only file of JSON lines; values by user are .npy files beside it.

    Each line holds a digest of itself and of its arrays. Damaged lines and arrays are set aside under a name that ends
    in ``.damaged``, and asked again; a last line that a kill cut off is dropped silently.

    say : called with a message about each file set aside. fresh : forget the answers of earlier runs. Threads may share
    a store; if two processes share a folder, each may lose answers of the other, which are then asked again.
    """

    def __init__(self, folder: Path, say: Callable[[str], None] = lambda text: None, fresh: bool = False) -> None:
        self.folder, self.say = folder, say
        self._lock = threading.Lock()
        if folder.exists() and not folder.is_dir():
            set_aside(folder, "is no folder", self.say)
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "answers.jsonl"
        self.known: dict[str, dict[str, Any]] = {}
        if self.path.is_dir():
            set_aside(self.path, "is a folder", self.say)
        if fresh:
            self.path.unlink(missing_ok=True)
        if self.path.exists():
            self._read()

    def _read(self) -> None:
        *lines, unfinished = self.path.read_bytes().split(b"\n")
        kept = []
        for line in lines:
            if (entry := entry_of(line)) is not None:
                self.known[entry.pop("key")] = entry
                kept.append(line.decode())
        if damaged := len(lines) - len(kept):
            set_aside(self.path, f"{damaged} of {len(lines)} lines are damaged", self.say)
        if damaged or unfinished:
            write_atomically(self.path, "".join(f"{line}\n" for line in kept))

    def prefix(self, key: str) -> Path:
        """The path to which a worker adds ``.users.npy`` and ``.values.npy`` for the arrays of this answer."""
        return self.folder / key

    def _array_files(self, key: str) -> dict[str, Path]:
        return {name: Path(f"{self.prefix(key)}.{name}.npy") for name in ARRAYS}

    def get(self, key: str) -> Reply | None:
        """The stored reply of a key; None if there is none, or if one of its arrays is missing or damaged."""
        entry = self.known.get(key)
        if entry is None:
            return None
        arrays: dict[str, np.ndarray | None] = {"users": None, "values": None}
        if entry["by_user"] == "file":
            files = self._array_files(key)
            for name, path in files.items():
                if not path.exists():
                    return None
                if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != entry["arrays"][name]:
                    set_aside(path, "is damaged", self.say)
                    return None
            arrays = {name: np.load(path, allow_pickle=False) for name, path in files.items()}
        elif entry["by_user"] is not None:
            users, values = entry["by_user"]
            arrays = {"users": np.array(users, dtype=np.int64), "values": np.array(values, dtype=np.float64)}
        return Reply(
            value=from_json_number(entry["value"]),
            seconds=entry["seconds"],
            warnings=tuple(entry["warnings"]),
            error=entry["error"],
            kind=entry["kind"],
            users=arrays["users"],
            values=arrays["values"],
            unsettled=bool(entry.get("unsettled")),
        )

    def put(self, key: str, reply: Reply) -> None:
        """Store a reply. The values of few users go into the line; those of many stay in the worker's files."""
        if reply.kind not in LASTING:
            return
        by_user: Any = None
        digests: dict[str, str] = {}
        if reply.users is not None and reply.values is not None:
            by_user = "file"
            files = self._array_files(key)
            if len(reply.users) <= FEW_USERS:
                by_user = [reply.users.tolist(), [to_json_number(value) for value in reply.values]]
                for path in files.values():
                    path.unlink(missing_ok=True)
            else:
                digests = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
        entry = {
            "key": key,
            "value": to_json_number(reply.value),
            "seconds": reply.seconds,
            "warnings": list(reply.warnings),
            "error": reply.error,
            "unsettled": reply.unsettled,
            "kind": reply.kind,
            "by_user": by_user,
            "arrays": digests,
        }
        line = (json.dumps({"sum": digest(entry), **entry}) + "\n").encode()
        with self._lock:
            with self.path.open("ab", buffering=len(line) + 1) as file:
                file.write(line)  # in one write, so that another process's lines do not mix with it
            self.known[key] = entry


def entry_of(line: bytes) -> dict[str, Any] | None:
    """The entry of a line; None if the line is damaged."""
    try:
        entry = json.loads(line)
        return entry if entry.pop("sum") == digest(entry) else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
