"""The page of the libraries and their releases."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from made_pages.computed import function_rows
from made_pages.page import DOCS, MADE, anchor, cell
from metric_harness.libraries.describe import Library, Release, find_libraries
from metric_harness.recordings.read import read_recording

EVIDENCE = ("verified", "verified in part", "probes only", "refused")


def libraries_page() -> str:
    """Every library: its releases, and what each recorded function computes and on what evidence."""
    found = list(find_libraries().values())
    lines = [
        "# Libraries",
        "",
        MADE,
        "",
        "What each function of each library computes, from `library.toml` and the recordings in `adapters/`. "
        "[How a function gets its name](evidence.md) explains *verified*, *in part*, *probes only* and *refused*. "
        "`metric-harness compare` asks the libraries themselves.",
        "",
        "| library | family | release | functions | verified | in part | probes only | refused |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    sections: list[str] = []
    for library in found:
        sections += _library(library)
        for release in library.releases:
            rows = [row for row in function_rows(library, release) if row[3] is not None]
            counts = (sum(row[3] == word for row in rows) for word in EVIDENCE)
            cells = " | ".join([str(len(rows)), *map(str, counts)])
            link = f"[{library.name}](#{anchor(library.name)})"
            lines.append(f"| {link} | {library.family} | {_release(release)} | {cells} |")
    lines += [
        "",
        "These do not install on Python 3.11, or do not load without the network once installed:",
        "",
        "| library | release | error |",
        "| --- | --- | --- |",
    ]
    refused = tomllib.loads((DOCS / "not_installed.toml").read_text(encoding="utf-8"))
    lines += [f"| {name} | {one['release']} | {cell(one['error'])} |" for name, one in refused.items()]
    return "\n".join([*lines, "", *sections])


def _release(release: Release) -> str:
    return f"{release.version}{' (paper of 2021)' if release.paper else ''}"


def _library(library: Library) -> Iterator[str]:
    yield from (f"## {library.name}", "", library.summary, "")
    yield from (f"[{library.homepage}]({library.homepage}), {library.licence}. `--libraries {library.key}`", "")
    for release in reversed(library.releases):
        yield from (f"### {library.name} {_release(release)}", "")
        recording = read_recording(library, release)
        origin = f"Commit `{release.commit[:12]}` of {library.repository}. " if release.commit else ""
        recorded = "Not recorded." if recording is None else f"Recorded on {recording.date}, Python {recording.python}."
        yield from (f"{origin}{recorded}", "")
        yield from ("| function | claims | computes | evidence |", "| --- | --- | --- | --- |")
        for info, computes, remark, confidence in function_rows(library, release):
            mark = " (diagnostic)" if info.diagnostic else ""
            yield f"| `{info.function}`{mark} | [{info.metric}]({info.address}) | {computes} | {confidence or remark} |"
        yield ""
