"""Writes the folder of a new library from the template, which runs as it is and says what to replace."""

from __future__ import annotations

import keyword
import os
import shlex
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from string import Template

from metric_harness.libraries.describe import library_folders, own_folders
from metric_harness.libraries.toml_page import FILE
from metric_harness.system.errors import HarnessError

TEMPLATE = Path(__file__).with_name("template")
SUFFIX = ".template"
LONGEST_NAME = 60


def new_library(name: str, parent: Path) -> Path:
    """Write the folder ``parent/name`` and return it: completely or not at all, and never over an existing folder.

    HarnessError for a name that is invalid or that one of the project's libraries has, and for a folder that exists.
    """
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
        raise HarnessError(f"{name!r} cannot name a library; use letters, digits and _ alone, a letter first")
    if len(name) > LONGEST_NAME:
        raise HarnessError(f"{name[:20]}…: {len(name)} letters are too many for a name; use at most {LONGEST_NAME}")
    for folder in library_folders(own_folders()):
        if folder.name == name:
            raise HarnessError(f"there is a library {name!r} already: {folder / FILE}; choose another name")
    folder = parent / name
    if os.path.lexists(folder):
        raise HarnessError(f"{folder} exists already and stays as it is; choose another name or another --dir")
    if parent.exists() and not parent.is_dir():
        raise HarnessError(f"--dir {parent}: it is a file; give a folder")
    fields = {
        "name": name,
        "folder": shlex.quote(str(folder)),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "numpy": version("numpy"),
    }
    try:
        parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(prefix=f".{name}.", dir=parent))
    except OSError as error:
        raise HarnessError(f"{parent}: cannot be written: {error.strerror}; give another --dir") from None
    try:
        for path in sorted(TEMPLATE.glob(f"*{SUFFIX}")):
            text = Template(path.read_text(encoding="utf-8")).substitute(fields)
            (new / path.name.removesuffix(SUFFIX)).write_text(text, encoding="utf-8")
        new.chmod(0o755)
        new.rename(folder)
    except OSError as error:  # someone else has written it meanwhile
        raise HarnessError(f"{folder}: cannot be written: {error.strerror}; choose another name or --dir") from None
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return folder
