"""A folder for each error and warning about a library: the issue, and a script that needs the library alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from metric_harness.libraries.describe import Library
from metric_harness.site.functions import functions_of, slug
from metric_harness.system.outputs import write_output

ISSUE, SCRIPT = "issue.md", "reproduce.py"


def write_issues(libraries: Mapping[str, Library], out: Path) -> tuple[int, int]:
    """Write the folders ``<library>-<release>/<function>-<code>``; the number of issues, and of scripts.

    A script names the requirements of the release first. It is left out where no snippet can call the function for the
    case. HarnessError for a file there that is not ours.
    """
    issues = scripts = 0
    for row in functions_of(list(libraries.values())):
        library = libraries[row["library"]]
        release = library.release(row["release"])
        for finding in row["findings"]:
            if finding["issue"] is None:
                continue
            name = f"{slug(row['function'])}-{finding['code'].lower()}"
            folder = out / f"{library.key}-{slug(release.version)}" / name
            write_output(folder / ISSUE, finding["issue"] + "\n")
            issues += 1
            if finding["script"] is not None:
                needs = [*release.requirements, *release.without_dependencies]
                head = [
                    f"# {library.name} {release.version}; Python {release.python}",
                    *(f"#     {it}" for it in needs),
                ]
                write_output(folder / SCRIPT, "\n".join([*head, finding["script"]]))
                scripts += 1
    return issues, scripts
