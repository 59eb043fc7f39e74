"""``metric-harness site``: what libraries compute, as pages that need no network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from metric_harness.cli import options, values
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.system.terminal import echo

EXAMPLES = """
[bold]Examples[/bold]

metric-harness site --out site

metric-harness site --out site --url https://metrics.example.org

metric-harness site --issues upstream
"""

Out = Annotated[
    Path,
    typer.Option(callback=values.folder_to_write, help="Folder for the pages: new, empty, or with an earlier site."),
]
Url = Annotated[
    str, typer.Option(help="Where the pages will be on the web: for badges, canonical addresses and a list of pages.")
]
Issues = Annotated[
    Path | None,
    typer.Option(
        callback=values.folder_to_write,
        help="Instead of the pages, write there a folder for each error and warning: an issue for the library's "
        "maintainers, and a script that needs the library alone.",
    ),
]


def site_command(out: Out = Path("site"), url: Url = "", issues: Issues = None, quiet: options.Quiet = False) -> None:
    """Write the site: a page for each metric, library, variant and rule, a search, a chooser, and index.json.

    It is made from what the project holds (recordings, reference, test vectors, rules): nothing is run and nothing is
    fetched. Open index.html, or put the folder on any web server.
    """
    from metric_harness.libraries.describe import find_libraries
    from metric_harness.site.index import gather
    from metric_harness.site.issues import write_issues
    from metric_reports.site.pages import site
    from metric_reports.site.write import require_ours, write_site

    if url and not (urlsplit(url).scheme in ("http", "https") and urlsplit(url).netloc):
        raise HarnessError(f"--url {url}: give an address that begins with https:// or http://")
    if issues is not None:
        count, scripts = write_issues(find_libraries(), issues)
        echo(f"{count} issues, {scripts} with a script: {issues}")
        return
    require_ours(out)
    reporter = Reporter(quiet)
    index = gather(reporter)
    with reporter.task("Writing pages") as advance:
        count = write_site(site(index, url), out, advance)
    echo(f"{count} files: {out / 'index.html'}")
