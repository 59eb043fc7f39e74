"""Writes the site into a folder; an earlier site there is replaced, other files are never touched."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from metric_reports.errors import HarnessError
from metric_reports.files import write_atomically

LISTED = "site-files.txt"
"""The list of a site's files; a folder that has it holds a site of ours."""


def write_site(files: Iterable[tuple[str, str]], folder: Path, advance: Callable[[], None] = lambda: None) -> int:
    """Write the files and return how many; other files of an earlier site are removed.

    HarnessError for a folder that is neither empty nor a site of ours.
    """
    require_ours(folder)
    texts = dict(files)
    before = listed(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / LISTED, "".join(f"{path}\n" for path in sorted({*before, *texts})))
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / path, text)
        advance()
    for path in before - texts.keys():
        (folder / path).unlink(missing_ok=True)
    write_atomically(folder / LISTED, "".join(f"{path}\n" for path in sorted(texts)))
    return len(texts)


def require_ours(folder: Path) -> None:
    """HarnessError for a folder that is neither empty nor a site of ours."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / LISTED).is_file():
        raise HarnessError(f"--out {folder}: it holds files and is no site; name an empty folder or a new one")


def listed(folder: Path) -> set[str]:
    """The files of the site in a folder, by its list; paths that lead out of the folder are ignored."""
    try:
        lines = (folder / LISTED).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return set()
    return {line for line in lines if line and (folder / line).resolve().is_relative_to(folder.resolve())}
