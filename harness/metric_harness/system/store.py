"""Files that are kept between runs: each is checked by a digest before it is used, and set aside where it is damaged.

The first line of a file has the version of this layout, a digest of all that follows and of what it depends on, and the
latter; then the content comes. Files are written whole or not at all; of two processes, the later one's stays.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from metric_harness.system.errors import HarnessError
from metric_reports.files import write_atomically

LAYOUT = "kept-1"
"""Goes up when the layout of the files changes; those of another layout are made again."""


def digest(*parts: object) -> str:
    """A key for everything that a kept file depends on, of what JSON can hold."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:32]


def keep_bytes(file: Path, content: bytes, of: str = "") -> None:
    """Keep bytes in a file; without a folder that can be written to nothing is kept. of : what they depend on."""
    with suppress(HarnessError):  # the work is done; the next run does it again
        write_atomically(file, f"{LAYOUT} {_sum(content, of)} {of}\n".encode() + content)


def kept_bytes(file: Path, of: str = "", say: Callable[[str], None] | None = None) -> bytes | None:
    """What :func:`keep_bytes` kept; None if it is missing, damaged, or depends on something else."""
    try:
        head, _, content = file.read_bytes().partition(b"\n")
    except OSError:  # never kept, a folder of this name, no permission
        return None
    layout, _, rest = head.decode("ascii", "replace").partition(" ")
    if layout.startswith("kept-") and layout != LAYOUT:
        return None
    known, _, own = rest.partition(" ")
    if layout != LAYOUT or known != _sum(content, own):
        set_aside(file, "is damaged" if layout == LAYOUT else "is damaged, or of an earlier release", say)
        return None
    return content if own == of else None


def keep(file: Path, page: Any, of: str = "") -> None:
    """Keep what JSON can hold; see :func:`keep_bytes`."""
    text = json.dumps(page, ensure_ascii=False, allow_nan=False)
    keep_bytes(file, f"{text}\n".encode("utf-8", "surrogatepass"), of)


def kept(file: Path, of: str = "", say: Callable[[str], None] | None = None) -> Any:
    """What :func:`keep` kept; None if there is nothing to use; see :func:`kept_bytes`."""
    content = kept_bytes(file, of, say)
    return None if content is None else json.loads(content.decode("utf-8", "surrogatepass"))


def set_aside(path: Path, reason: str, say: Callable[[str], None] | None = None) -> None:
    """Rename a file that is not to be used, so that it is made again, and say so once; ``say`` None: on stderr."""
    number = 1
    while (aside := path.with_name(f"{path.name}.{number}.damaged")).exists():
        number += 1
    message = f"{path}: {reason}; set aside as {aside.name}, and what is lost is made again"
    try:
        path.rename(aside)
    except OSError as error:  # a folder without permission: it is said again in the next run
        message = f"{path}: {reason} and cannot be set aside ({error.strerror}); it is not used"
    if say is None:
        from metric_harness.system.terminal import echo

        with suppress(HarnessError, OSError):  # standard error is closed or full
            echo(message, err=True)
    else:
        say(message)


def _sum(content: bytes, of: str) -> str:
    return hashlib.sha256(f"{of}\n".encode() + content).hexdigest()
