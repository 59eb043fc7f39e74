"""Results of a scan kept between runs: what has not changed since is not asked again."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from metric_harness.auditing.session import Options
from metric_harness.scanning.files import Files, local_imports, parse
from metric_harness.system.caches import cache_dir
from metric_harness.version import __version__
from metric_reports.record import write_atomically
from metric_reports.types.scan import Outcome

LAYOUT = 1
"""Goes up when a kept result means something else."""
PASSING = re.compile(r"ModuleNotFoundError|ImportError|another process|--with|no Python there")
"""Reasons that may be gone at the next run although no file changed: such results are not kept."""


def default_folder(path: Path) -> Path:
    """Where the results of a path are kept if nothing is said."""
    whole = str(path.expanduser().resolve())
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", path.resolve().name) or "root"
    return cache_dir("scans", f"{name}-{hashlib.sha256(whole.encode()).hexdigest()[:12]}")


class Digests:
    """The content that decides what a function computes: its file and those that it imports from the same tree."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self._own: dict[Path, tuple[str, list[Path]]] = {}

    def of_file(self, path: Path) -> str:
        """One digest for a file and all local files that it imports, directly or not."""
        seen: dict[Path, str] = {}
        waiting = [path]
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen[one], imported = self._read(one)
                waiting += imported
        named = {self.files.name(one): digest for one, digest in seen.items()}
        return hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()

    def _read(self, path: Path) -> tuple[str, list[Path]]:
        if path not in self._own:
            elsewhere = Files(self.files.root)  # what is said of a file is said where it is scanned
            parsed = parse(elsewhere, path)
            if parsed is None:
                content = path.read_bytes() if path.is_file() else b""
                self._own[path] = hashlib.sha256(content).hexdigest(), []
            else:
                imported = local_imports(parsed[0], path, self.files.root)
                self._own[path] = hashlib.sha256(parsed[1]).hexdigest(), imported
        return self._own[path]


def key(file_digest: str, place: str, options: Options) -> str:
    """The name of a kept result: by content, function, options, Python and version."""
    asked = {
        "layout": LAYOUT,
        "harness": __version__,
        "python": sys.version,
        "file": file_digest,
        "function": place,
        "options": {name: plain(value) for name, value in asdict(options).items()},
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:32]


def plain(value: object) -> str:
    """An option as text; 10 and 10.0 are one."""
    return repr(float(value)) if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)


def kept(folder: Path, name: str) -> Outcome | None:
    """The result of a name, if it is there and can be read."""
    try:
        row = json.loads((folder / "results" / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return cast(Outcome, row) if isinstance(row, dict) and {"state", "subjects", "reason"} <= row.keys() else None


def keep(folder: Path, name: str, row: Mapping[str, Any]) -> None:
    """Keep a result, unless its reason may be gone at the next run."""
    if row["state"] == "audited" or not PASSING.search(row["reason"] or ""):
        text = json.dumps(dict(row), indent=1, ensure_ascii=False, allow_nan=False)
        write_atomically(folder / "results" / f"{name}.json", text + "\n")
