"""Answers kept on disk while a run goes on, so that a run that was cut off goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from metric_adapters.worker import FEW_USERS
from metric_harness.worker.process import Reply
from metric_reports.record import from_json_number, to_json_number

LASTING = ("answer", "exception")
"""Replies worth keeping: a crash or a time-out may have other causes and is asked again by the next run."""


def digest(*parts: object) -> str:
    """A short name for everything that an answer depends on."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:32]


class AnswerStore:
    """Replies by key in one append-only file of JSON lines; values by user are .npy files beside it.

    A last line cut off by a kill is dropped when the file is read again.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "answers.jsonl"
        self.known: dict[str, dict[str, Any]] = {}
        if self.path.exists():
            self._read()

    def _read(self) -> None:
        text = self.path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if len(whole) < len(text):
            os.truncate(self.path, len(whole))
        for line in whole.splitlines():
            entry = json.loads(line)
            self.known[entry.pop("key")] = entry

    def prefix(self, key: str) -> Path:
        """Where a worker may write the arrays of this answer."""
        return self.folder / key

    def _files(self, key: str) -> dict[str, Path]:
        return {name: Path(f"{self.prefix(key)}.{name}.npy") for name in ("users", "values")}

    def get(self, key: str) -> Reply | None:
        """The reply of a key, or None if it has to be asked (also where one of its arrays is gone)."""
        entry = self.known.get(key)
        if entry is None:
            return None
        arrays: dict[str, np.ndarray | None] = {"users": None, "values": None}
        if entry["by_user"] == "file":
            if not all(path.exists() for path in self._files(key).values()):
                return None
            arrays = {name: np.load(path, allow_pickle=False) for name, path in self._files(key).items()}
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
        )

    def put(self, key: str, reply: Reply) -> None:
        """Keep a reply. The values of few users go into the line; those of many stay in the worker's files."""
        if reply.kind not in LASTING:
            return
        by_user: Any = None
        if reply.users is not None and reply.values is not None:
            by_user = "file"
            if len(reply.users) <= FEW_USERS:  # a worker gives them in the answer itself
                by_user = [reply.users.tolist(), [to_json_number(value) for value in reply.values]]
                for path in self._files(key).values():
                    path.unlink(missing_ok=True)
        entry = {
            "value": to_json_number(reply.value),
            "seconds": reply.seconds,
            "warnings": list(reply.warnings),
            "error": reply.error,
            "kind": reply.kind,
            "by_user": by_user,
        }
        self.known[key] = entry
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, **entry}) + "\n")
            file.flush()
            os.fsync(file.fileno())
