"""pip's settings for uv: uv reads neither pip.conf nor PIP_*, so an index set up for pip would be passed over."""

from __future__ import annotations

import ast
import os
import sys
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from metric_harness.system.processes import captured

SECTIONS = ("global", "install", ":env:")
"""The sections that count for an installation, the later the stronger (pip's own order)."""

TRUE = {"1", "true", "yes", "on", "t", "y"}

ASKING = threading.Lock()
"""One thread asks pip; the others wait for what it says."""


def uv_environment() -> dict[str, str]:
    """A copy of ``os.environ`` in which uv honours what the person set up for pip.

    find-links, index-url, extra-index-url, no-index, constraint, cert, trusted-host, proxy and timeout are taken from
    ``pip config list`` where there is a pip (the environment's own, else the base interpreter's), else from the PIP_*
    variables alone. A variable that is set already wins over pip's setting.
    """
    return {**os.environ, **translate(pip_settings(), os.environ)}


def pip_settings() -> dict[str, str]:
    """pip's settings by option name, e.g. ``{"find-links": "/wheels"}``."""
    variables = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    with ASKING:
        return _settings(tuple(sorted(variables.items())))


def ask_pip_early() -> None:
    """Let pip, which takes half a second to start, answer while other work goes on."""
    threading.Thread(target=pip_settings, daemon=True).start()


@cache
def _settings(variables: tuple[tuple[str, str], ...]) -> dict[str, str]:
    for python in dict.fromkeys((sys.executable, getattr(sys, "_base_executable", sys.executable))):
        listing = captured([python, "-I", "-m", "pip", "config", "list"], 600)
        if listing.returncode == 0:
            return parse_config_list(listing.stdout.decode())
    return {name.removeprefix("PIP_").lower().replace("_", "-"): value for name, value in variables}


def parse_config_list(text: str) -> dict[str, str]:
    """Settings from the lines of ``pip config list``, each ``section.option='value'``."""
    found: dict[str, dict[str, str]] = {section: {} for section in SECTIONS}
    for line in text.splitlines():
        name, equals, value = line.partition("=")
        section, _, option = name.partition(".")
        if equals and section in found:
            found[section][option] = str(ast.literal_eval(value))
    return {option: value for section in SECTIONS for option, value in found[section].items()}


def translate(settings: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that give uv pip's settings, without those that ``environment`` sets itself.

    pip splits a value that may hold several at white space; uv splits find-links at commas, the others at spaces.
    Like pip, folders in find-links that do not exist are passed over (for uv they are an error).
    """
    result: dict[str, str] = {}

    def give(variable: str, value: str, *others: str) -> None:
        if value and not any(environment.get(name) for name in (variable, *others)):
            result[variable] = value

    links = [_absolute(link) for link in settings.get("find-links", "").split()]
    give("UV_FIND_LINKS", ",".join(link for link in links if (folder := local_path(link)) is None or folder.exists()))
    give("UV_DEFAULT_INDEX", settings.get("index-url", "").strip(), "UV_INDEX_URL")
    give("UV_INDEX", " ".join(settings.get("extra-index-url", "").split()), "UV_EXTRA_INDEX_URL")
    if "UV_INDEX" in result:  # with several indexes pip takes the best version of all of them, uv the first index's
        give("UV_INDEX_STRATEGY", "unsafe-best-match")
    give("UV_NO_INDEX", "1" if settings.get("no-index", "").strip().lower() in TRUE else "")
    give("UV_CONSTRAINT", " ".join(_absolute(path) for path in settings.get("constraint", "").split()))
    give("UV_INSECURE_HOST", " ".join(settings.get("trusted-host", "").split()))
    seconds = settings.get("timeout", settings.get("default-timeout", "")).strip()
    give("UV_HTTP_TIMEOUT", seconds if seconds.isdecimal() else "")
    give("SSL_CERT_FILE", settings.get("cert", "").strip())
    give("HTTPS_PROXY", settings.get("proxy", "").strip(), "https_proxy", "ALL_PROXY", "all_proxy")
    return result


def local_path(link: str) -> Path | None:
    """The path that a find-links entry names, or None for an address elsewhere."""
    if link.startswith("file:"):
        return Path(url2pathname(urlsplit(link).path))
    return None if "://" in link else Path(link)


def _absolute(link: str) -> str:
    """The same place, whatever folder uv is started in."""
    return link if "://" in link or link.startswith("file:") else str(Path(link).expanduser().absolute())
