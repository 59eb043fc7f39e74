"""Results of a scan, kept between runs: a function that has not changed is not audited again."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from metric_harness.naming.options import Options
from metric_harness.scanning.files import Files, local_imports, parse
from metric_harness.system import store
from metric_harness.system.caches import cache_dir
from metric_harness.version import __version__
from metric_reports.types.scan import Outcome

LAYOUT = 3
"""Goes up when the meaning of a kept result changes."""


def default_folder(path: Path) -> Path:
    """The folder that keeps the results of a path by default."""
    absolute = str(path.expanduser().resolve())
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", path.resolve().name) or "root"
    return cache_dir("scans", f"{name}-{hashlib.sha256(absolute.encode()).hexdigest()[:12]}")


class Digests:
    """Digests of the content that decides what a function computes: its file and the files of the tree it imports."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self._known: dict[Path, tuple[str, list[Path]]] = {}

    def of_file(self, path: Path) -> str:
        """One digest for a file and all local files that it imports, directly or not."""
        seen: dict[Path, str] = {}
        waiting = [path]
        while waiting:
            file = waiting.pop()
            if file not in seen:
                seen[file], imported = self._read(file)
                waiting += imported
        by_name = {self.files.name(file): digest for file, digest in seen.items()}
        return hashlib.sha256(json.dumps(by_name, sort_keys=True).encode()).hexdigest()

    def _read(self, path: Path) -> tuple[str, list[Path]]:
        """The digest of one file, and the files of the tree that it imports."""
        if path not in self._known:
            parsed = parse(Files(self.files.root), path)  # errors are reported where the file itself is scanned
            if parsed is None:
                content = path.read_bytes() if path.is_file() else b""
                self._known[path] = hashlib.sha256(content).hexdigest(), []
            else:
                imported = local_imports(parsed[0], path, self.files.root)
                self._known[path] = hashlib.sha256(parsed[1]).hexdigest(), imported
        return self._known[path]


def key(file_digest: str, function: str, options: Options) -> str:
    """The name of a kept result: a digest of content, function, options, Python and version."""
    inputs = {
        "layout": LAYOUT,
        "harness": __version__,
        "python": sys.version,
        "file": file_digest,
        "function": function,
        "options": {name: plain(value) for name, value in asdict(options).items()},
    }
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()[:32]


def plain(value: object) -> str:
    """An option as text, the same for 10 and 10.0."""
    return repr(float(value)) if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)


def kept(folder: Path, name: str) -> Outcome | None:
    """The kept result of this name; None if it is missing or was changed."""
    return cast("Outcome | None", store.kept(folder / "results" / f"{name}.json"))


def keep(folder: Path, name: str, row: Mapping[str, Any]) -> None:
    """Keep a result."""
    store.keep(folder / "results" / f"{name}.json", dict(row))
