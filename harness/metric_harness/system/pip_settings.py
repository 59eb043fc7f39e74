"""Passes pip's settings to uv, which reads neither pip.conf nor PIP_* and would ignore an index set up for pip."""

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
"""The sections that apply to an installation; later ones override earlier ones, as in pip."""

TRUE_VALUES = {"1", "true", "yes", "on", "t", "y"}

ONE_QUERY = threading.Lock()
"""One thread asks pip; the others wait for its answer."""


def uv_environment() -> dict[str, str]:
    """A copy of ``os.environ`` with which uv uses the user's settings for pip.

    find-links, index-url, extra-index-url, no-index, constraint, cert, trusted-host, proxy and timeout are taken from
    ``pip config list`` if there is a pip (the environment's own, else the base interpreter's), else from the PIP_*
    variables alone. A variable that is already set overrides pip's setting.
    """
    return {**os.environ, **translate(pip_settings(), os.environ)}


def pip_settings() -> dict[str, str]:
    """pip's settings by option name, e.g. ``{"find-links": "/wheels"}``."""
    variables = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    with ONE_QUERY:
        return _settings(tuple(sorted(variables.items())))


def ask_pip_early() -> None:
    """Ask pip, which takes half a second to start, while other work goes on."""
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
    sections: dict[str, dict[str, str]] = {section: {} for section in SECTIONS}
    for line in text.splitlines():
        name, equals, value = line.partition("=")
        section, _, option = name.partition(".")
        if equals and section in sections:
            sections[section][option] = str(ast.literal_eval(value))
    return {option: value for section in SECTIONS for option, value in sections[section].items()}


def translate(settings: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that pass pip's settings to uv, without those that ``environment`` already sets.

    pip separates several values by white space; uv separates find-links by commas, other values by spaces. As in pip,
    folders in find-links that do not exist are ignored (for uv they are an error).
    """
    result: dict[str, str] = {}

    def put(variable: str, value: str, *others: str) -> None:
        if value and not any(environment.get(name) for name in (variable, *others)):
            result[variable] = value

    links = [_absolute(link) for link in settings.get("find-links", "").split()]
    put("UV_FIND_LINKS", ",".join(link for link in links if (folder := local_path(link)) is None or folder.exists()))
    put("UV_DEFAULT_INDEX", settings.get("index-url", "").strip(), "UV_INDEX_URL")
    put("UV_INDEX", " ".join(settings.get("extra-index-url", "").split()), "UV_EXTRA_INDEX_URL")
    if "UV_INDEX" in result:  # with several indexes pip takes the best version of all of them, uv the first index's
        put("UV_INDEX_STRATEGY", "unsafe-best-match")
    put("UV_NO_INDEX", "1" if settings.get("no-index", "").strip().lower() in TRUE_VALUES else "")
    put("UV_CONSTRAINT", " ".join(_absolute(path) for path in settings.get("constraint", "").split()))
    put("UV_INSECURE_HOST", " ".join(settings.get("trusted-host", "").split()))
    seconds = settings.get("timeout", settings.get("default-timeout", "")).strip()
    put("UV_HTTP_TIMEOUT", seconds if seconds.isdecimal() else "")
    put("SSL_CERT_FILE", settings.get("cert", "").strip())
    put("HTTPS_PROXY", settings.get("proxy", "").strip(), "https_proxy", "ALL_PROXY", "all_proxy")
    return result


def local_path(link: str) -> Path | None:
    """The path that a find-links entry names, or None for an address."""
    if link.startswith("file:"):
        return Path(url2pathname(urlsplit(link).path))
    return None if "://" in link else Path(link)


def _absolute(link: str) -> str:
    """A find-links entry or path that does not depend on the current folder."""
    return link if "://" in link or link.startswith("file:") else str(Path(link).expanduser().absolute())
