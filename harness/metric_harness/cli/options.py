"""The options of the command line: their types and what --help says of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from metric_harness.cli import values
from metric_harness.data.checksums import NAMES
from metric_harness.system.errors import HarnessError
from metric_harness.system.limits import LARGEST_K, whole_number

RECORD_FILES = ("run.json", "results.csv", "report.html")
"""The files of a comparison, in its folder."""

Dataset = Annotated[str, typer.Option(help=f"One of {', '.join(NAMES)}.")]
Ratings = Annotated[
    Path | None,
    typer.Option(
        callback=values.read_from,
        help="Your own ratings: a GroupLens zip or folder, a .csv, .tsv, .dat, .inter or .parquet file, or a folder of "
        "parquet parts.",
    ),
]
Recommendations = Annotated[
    Path | None,
    typer.Option(
        callback=values.read_from,
        help="Your own lists, .csv or .parquet, or a folder of parquet parts: user, item, and score or rank; needs "
        "--truth.",
    ),
]
Truth = Annotated[
    Path | None,
    typer.Option(
        callback=values.read_from,
        help="Test interactions for --recommendations: user, item, and rating if there is one.",
    ),
]
Libraries = Annotated[
    list[str] | None,
    typer.Option(
        help="Separated by commas, or the option repeated: names, or families (rec, ir, rag, ltr, ml, paper, all). If "
        "not given, the usual ones are asked and the others shown from their recordings. `metric-harness library list` "
        "lists them."
    ),
]
Live = Annotated[
    str | None,
    typer.Option(
        help="Libraries or families to ask besides the usual ones, where --libraries names none; `all` asks every "
        "library. The others are shown from their recordings."
    ),
]
Adapters = Annotated[
    list[Path] | None,
    typer.Option(callback=values.read_from, help="A folder that holds library folders of your own; may be repeated."),
]
Releases = Annotated[
    str, typer.Option(help="newest; paper: those that the paper of 2021 used; or all that are described.")
]
Source = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=PATH",
        help="A git repository on this machine for a library whose releases are commits; may be repeated. "
        "METRIC_HARNESS_SOURCES names a folder of such repositories instead.",
    ),
]


def cutoffs(default: str) -> Any:
    """The option --k, whose help names the default."""
    return typer.Option(help=f"Cut-off, or several by commas or the option repeated; {default} if not given.")


K = Annotated[list[str] | None, cutoffs("20")]
Out = Annotated[
    Path,
    typer.Option(
        callback=values.folder_to_write,
        help="Folder for run.json, results.csv and report.html; an interrupted run goes on in it.",
    ),
    values.Writes(RECORD_FILES),
]
Threshold = Annotated[
    float | None, typer.Option(callback=values.rating, help="Smallest rating that counts as relevant.")
]
Split = Annotated[str | None, typer.Option(help="global_time, user_time, leave_one_out or random.")]
TestFraction = Annotated[
    float | None, typer.Option(callback=values.share, help="Share of the interactions that is held out.")
]
Seed = Annotated[int | None, typer.Option(callback=values.seed, help="Seed of the random split.")]
Regularisation = Annotated[float, typer.Option(callback=values.penalty, help="Lambda of EASE.")]
Float32 = Annotated[
    bool,
    typer.Option("--float32", help="EASE in single precision: half the memory and time; its scores are less exact."),
]
Models = Annotated[
    list[str] | None,
    typer.Option(
        help="Models fitted on the same split, to say whether the definitions found rank them alike: two or "
        "more of ease, popularity, itemknn, random, separated by commas; the first three if not given; `ease` alone: "
        "no comparison. The libraries are asked about the lists of EASE."
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        callback=values.length,
        help="Length of the lists handed over; twice the largest k if not given, so that not cutting shows.",
    ),
]
Environment = Annotated[
    str,
    typer.Option(
        callback=values.environment,
        help="isolated: one environment a library, built once and cached; current: the libraries installed beside "
        "metric-harness; or the path of a Python.",
    ),
]
Timeout = Annotated[
    float, typer.Option(callback=values.seconds, help="Seconds a function may take for the whole split.")
]
Memory = Annotated[float, typer.Option(callback=values.gib, help="GiB of memory a library may hold.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        callback=values.jobs,
        help="Libraries asked side by side; if not given, one for each core. Fewer are where their limits of --memory "
        "would add up to more than the computer has.",
    ),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Ask everything anew, whatever earlier runs were answered.")]
Force = Annotated[
    bool, typer.Option("--force", help="Replace files that metric-harness did not write, or that were changed since.")
]
FailOn = Annotated[
    str | None,
    typer.Option(help="End with exit code 1 if there is a finding this severe: error, warning or note."),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be built, downloaded and run, and end; nothing of it is done.")
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Print all that the report has: every library, metric and note.")
]
Code = Annotated[str | None, typer.Argument(help="A rule code; all are listed if none is given.")]
RecordFile = Annotated[Path, typer.Argument(callback=values.read_from, help="A run.json.")]


def joined(texts: Sequence[str] | None) -> str | None:
    """All values of a repeatable option as one text, separated by commas."""
    return ",".join(texts) if texts else None


def parse_ks(texts: Sequence[str] | None, default: str = "20") -> tuple[int, ...]:
    """The cut-offs of ``--k``: "20", "5,10,20", or the option repeated."""
    text = ",".join(texts) if texts else default
    numbers = [whole_number(part) for part in text.split(",")]
    ks = tuple(dict.fromkeys(number for number in numbers if number is not None))
    if None in numbers:
        shown = text if len(text) <= 60 else f"{text[:59]}…"
        raise HarnessError(f"--k {shown}: give whole numbers separated by commas, for example 5,10,20")
    if min(ks) < 1:
        raise HarnessError(f"--k {text}: a cut-off is at least 1; give whole numbers such as 5,10,20")
    if max(ks) > LARGEST_K:
        raise HarnessError(f"--k {text}: no list is that long; give at most {LARGEST_K:,}")
    return ks
