"""The work folder of one evaluation: finished pieces, each written whole or not at all, below a digest of inputs."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from metric_harness.system.errors import HarnessError

FULL = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the quota is used up",
    errno.EFBIG: "no file may grow so large",
}


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """A path beside ``path`` to write to; it takes its place when all is written, and is gone if anything goes wrong.

    HarnessError where the disk is full.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        with part.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        reason = next(
            (text for number, text in FULL.items() if number == error.errno or os.strerror(number) in str(error)), None
        )
        if reason is None:
            raise
        raise HarnessError(f"{path}: cannot be written, {reason}; nothing of it was kept. Free space, or name another "
                           "folder with --work, and give the same command again") from None  # fmt: skip
    finally:
        part.unlink(missing_ok=True)


@dataclass(frozen=True)
class Work:
    """A folder whose files are finished as soon as they have their names."""

    folder: Path

    def path(self, name: str) -> Path:
        """Where a file lies."""
        return self.folder / name

    def put(self, name: str, page: Any) -> None:
        """Keep JSON."""
        with writing(self.path(name)) as part:
            part.write_text(json.dumps(page), encoding="utf-8")

    def get(self, name: str) -> Any:
        """JSON kept earlier, or None."""
        try:
            return json.loads(self.path(name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None

    def put_arrays(self, name: str, arrays: dict[str, np.ndarray]) -> None:
        """Keep arrays together."""
        with writing(self.path(name)) as part, part.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]

    def get_arrays(self, name: str) -> dict[str, np.ndarray] | None:
        """Arrays kept earlier, or None."""
        try:
            with np.load(self.path(name)) as held:
                return {key: held[key] for key in held.files}
        except FileNotFoundError:
            return None

    def sub(self, name: str) -> Work:
        """A folder inside."""
        (self.folder / name).mkdir(parents=True, exist_ok=True)
        return Work(self.folder / name)

    def clear(self) -> None:
        """Remove the folder with all that is in it."""
        shutil.rmtree(self.folder, ignore_errors=True)


def open_work(root: Path, digest: str) -> Work:
    """The folder for a digest of inputs and options; what crashed runs left half-written is removed."""
    work = Work(root / digest)
    work.folder.mkdir(parents=True, exist_ok=True)
    for part in work.folder.rglob(".*.part"):
        part.unlink(missing_ok=True)
    return work
