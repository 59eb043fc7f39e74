"""A worker's description of its environment and of the functions it asks; kept to Python 3.8."""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import traceback
from pathlib import Path
from typing import Any, Dict, List, Optional


def packages() -> Dict[str, str]:
    from importlib.metadata import distributions

    versions = ((d.metadata["Name"], d.version) for d in distributions() if d.metadata)
    return dict(sorted((name, str(version)) for name, version in versions if name))  # a broken one may have no name


def describe_source(source: Any) -> Dict[str, Any]:
    """The file of a function, relative to the environment or the source, its line, and the file's digest."""
    if source is None:
        return {}
    try:
        source = inspect.unwrap(source)  # a decorator may make a function that no file holds
        path = inspect.getsourcefile(source)
        line = inspect.getsourcelines(source)[1]
        digest = hashlib.sha256(Path(path or "").read_bytes()).hexdigest()
    except (OSError, TypeError, ValueError):
        return {}
    assert path is not None
    from metric_adapters import checkout

    if checkout.SOURCE is not None and checkout.SOURCE in Path(path).parents:
        return {"file": Path(path).relative_to(checkout.SOURCE).as_posix(), "line": line, "sha256": digest}
    _, installed, tail = path.replace(os.sep, "/").rpartition("site-packages/")
    return {"file": tail if installed else Path(path).name, "line": line, "sha256": digest}


def describe_sources(sources: Dict[str, Any]) -> Dict[str, Dict[str, Any]]:
    """:func:`describe_source` of each function by name; all calls of a user's function share one source."""
    described: Dict[int, Dict[str, Any]] = {}
    for source in sources.values():
        if id(source) not in described:
            described[id(source)] = describe_source(source)
    return {name: described[id(source)] for name, source in sources.items()}


def describe_call(ask: Any) -> str:
    """How an adapter feeds and calls a function: the first paragraphs of the docstrings of its module and its function.

    A function without a docstring that another one made, as ``asking`` makes ``ask``, has the docstring of its maker.
    """
    module = sys.modules.get(getattr(ask, "__module__", None) or "")
    maker = getattr(module, getattr(ask, "__qualname__", "").split(".")[0], None)
    texts = (module, ask if ask.__doc__ else maker)
    return " ".join(" ".join(first_paragraph(text).split()) for text in texts).strip()


def first_paragraph(documented: Any) -> str:
    """The docstring of a module or function up to its first empty line, or nothing."""
    return (inspect.getdoc(documented) or "").split("\n\n")[0] if documented is not None else ""


Place = Optional[List[Any]]
"""A file below the library's folder, relative to it, and a line; None if unknown."""


def place_of_error(error: BaseException, folder: Path) -> Place:
    """The innermost line of an error's traceback that is in a file below a folder."""
    places = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        places.append((error.filename, error.lineno or 1))
    return next((_below(folder, file, line) for file, line in reversed(places) if folder in Path(file).parents), None)


def place_of_function(ask: Any, folder: Path) -> Place:
    """The line at which a subject's function begins."""
    code = getattr(inspect.unwrap(getattr(ask, "func", ask)), "__code__", None)  # func: of functools.partial
    if code is None or folder not in Path(code.co_filename).parents:
        return None
    return _below(folder, code.co_filename, code.co_firstlineno)


def _below(folder: Path, file: str, line: int) -> Place:
    return [Path(file).relative_to(folder).as_posix(), line]
