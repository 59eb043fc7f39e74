"""``metric-harness doctor`` and ``doctor cache``: what this machine lacks, and what the cache holds."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Annotated

import typer

from metric_harness.cli import options
from metric_harness.cli.command import Command
from metric_harness.cli.exit_codes import FAILED
from metric_harness.system.caches import alone_in_cache, cache_dir
from metric_harness.system.errors import HarnessError
from metric_harness.system.terminal import echo, say

EXAMPLES = """
[bold]Examples[/bold]

metric-harness doctor

metric-harness doctor cache

metric-harness doctor cache prune --dry-run

metric-harness doctor cache prune --yes
"""
WHAT = {
    "environments": "one Python environment for each release",
    "sources": "the files of releases that are git commits",
    "repositories": "their git repositories",
    "compiled": "compiled parts of libraries",
    "datasets": "downloaded ratings",
    "written": "digests of the files that commands wrote",
    "staged": "copies of the adapters that run",
    "scans": "results of scans",
    "predictions": "what definitions give for the probes",
    "evaluate": "temporary files of evaluate",
    "logs": "logs of errors",
}

app = typer.Typer(epilog=EXAMPLES, rich_markup_mode="rich", add_completion=False)
cache = typer.Typer(
    epilog=EXAMPLES, rich_markup_mode="rich", help="Show what is kept between runs, or remove some of it."
)
app.add_typer(cache, name="cache")


@cache.callback(invoke_without_command=True)
def show(context: typer.Context) -> None:
    """Show the cache's folder and sizes."""
    if context.invoked_subcommand is not None:
        return
    from metric_harness.libraries.cached import size_of

    root = cache_dir()
    rows = [(size_of(path), path.name) for path in root.iterdir() if path.is_dir()]
    echo(f"{root}: {megabytes(sum(size for size, _ in rows))}")
    for size, name in sorted(rows, reverse=True):
        echo(f"  {megabytes(size):>10}  {name:14} {WHAT.get(name, '')}".rstrip())


@cache.command("prune", cls=Command, epilog=EXAMPLES)
def prune(
    adapters: options.Adapters = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be removed.")] = False,
) -> None:
    """Remove environments, sources and compiled parts that no release needs, staged copies and logs.

    Environments of --with and of libraries outside --adapters go too; they are built again when they are needed. What a
    run uses stays. Exit code 2: another run uses the cache.
    """
    from metric_harness.libraries.cached import needed, remove, size_of, unneeded
    from metric_harness.libraries.describe import find_libraries

    known = find_libraries(adapters or []).values()
    keep = needed((library, release) for library in known for release in library.releases)
    with alone_in_cache() as root:
        entries = [(path, size_of(path)) for path in unneeded(root, keep)]
        entries = [(path, size) for path, size in entries if path.suffix != ".lock"]
        if not entries:
            echo(f"{root}: nothing to remove")
            return
        for path, size in entries:
            echo(f"  {megabytes(size):>10}  {path.relative_to(root)}")
        total = megabytes(sum(size for _, size in entries))
        if dry_run:
            echo(f"Would remove {len(entries)} entries of {total}")
            return
        if not yes:
            if not sys.stdin.isatty():
                raise HarnessError(f"{len(entries)} entries, {total}, can be removed; give --yes to remove them")
            typer.confirm(f"Remove {len(entries)} entries, {total}?", abort=True)
        left = []
        for path, _ in entries:
            try:
                if not remove(path):
                    left.append(f"{path}: locked by another process")
            except OSError as error:
                left.append(f"{path}: {error.strerror}")
    echo(f"Removed {len(entries) - len(left)} entries of {total}")
    if left:
        raise HarnessError("\n".join(["not removed:", *left]))


def megabytes(size: int) -> str:
    """``1,234.5 MB`` for a number of bytes."""
    return f"{size / 1e6:,.1f} MB"


@app.callback(invoke_without_command=True)
def doctor(context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False) -> None:
    """Check Python, uv, the cache, disk, git, compilers, Java and the network, and say what each lack costs.

    Exit code 0: the commands work, if not for every library; 2: something that all of them need is lacking.
    """
    if context.invoked_subcommand is not None:
        return
    from metric_harness.system.doctor import check_all
    from metric_harness.system.pip_settings import uv_environment

    checks = check_all(uv_environment())
    if as_json:
        echo(json.dumps([asdict(check) for check in checks], indent=1))
    else:
        for check in checks:
            say(f"{check.name:16} {check.state:8} {check.found}")
            if check.state != "ok":
                say(f"{'':25} without it: {check.costs}")
    if any(check.state == "needed" for check in checks):
        raise typer.Exit(FAILED)
