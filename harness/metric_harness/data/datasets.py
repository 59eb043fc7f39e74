"""Ratings to run on: MovieLens data sets by name, or a file of the user's own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from metric_harness.data.checksums import CHECKSUMS, NAMES
from metric_harness.data.database import open_database
from metric_harness.data.files import digest_of, files_of, sha256_of
from metric_harness.data.interactions import open_tables, require_distinct
from metric_harness.data.sources import open_source
from metric_harness.system.caches import cache_dir
from metric_harness.system.errors import HarnessError
from metric_harness.system.processes import captured
from metric_harness.system.progress import Reporter
from metric_harness.system.scratch import locked_folder, remove

QUIET = Reporter()
FETCH_TIMEOUT = 3600
"""Seconds that uv may take to fetch a distribution."""
ADDRESS = "https://files.grouplens.org/datasets/movielens/{name}.zip"
MOVIELENS_LICENCE = (
    "GroupLens, University of Minnesota: for research, with acknowledgement; redistribution and commercial use only as "
    "the README of the data set allows. Cite Harper & Konstan (2015), doi 10.1145/2827872."
)
OWN_LICENCE = "The user's own data: its owner's terms apply."

# MovieLens-100K as RecBole's distribution carries it: the lines of GroupLens's u.data below a line of column names.
RECBOLE = "recbole==1.2.1"
RECBOLE_FILE = "recbole/dataset_example/ml-100k/ml-100k.inter"
RECBOLE_SHA256 = "4edb74e2a81178c2ba9ff381495f754f996c4aea351b1272ca36b43da0935eff"


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings and their origin.

    frame : columns user_id and item_id (int64, or text where an id is no whole number), rating (float64, finite) and
        timestamp (int64, seconds; fractions are cut off). A file without times gives a frame without that column.
    name : data set name, or the file's or folder's own name.
    source : for readers; names no folder of this computer.
    sha256 : of the file with the ratings (in a zip: of the member), so that a zip and its unpacked folder are equal.
    """

    frame: pd.DataFrame
    name: str
    source: str
    sha256: str
    licence: str = OWN_LICENCE


def load_dataset(name: str, reporter: Reporter = QUIET) -> Ratings:
    """A data set of ``NAMES``, fetched into the cache on first use.

    Raises HarnessError for an unknown name, if the data cannot be fetched (with its address, and the path to put it at
    by hand) or if a file has another checksum than published.
    """
    if name == "ml-100k":
        path, source = _movielens_100k(reporter), f"{RECBOLE_FILE} of {RECBOLE.replace('==', ' ')}"
    elif name in CHECKSUMS:
        path, source = _download(name, reporter), ADDRESS.format(name=name)
    else:
        raise HarnessError(f"data set {name!r}: there is none of that name; use one of {', '.join(NAMES)}")
    return _read(path, name, source, MOVIELENS_LICENCE, reporter)


def read_ratings(path: Path | str, reporter: Reporter = QUIET) -> Ratings:
    """Ratings of the user's own: a GroupLens zip or folder, a .csv, .tsv, .dat, .inter or .parquet file, or a folder of
    parquet parts.

    Columns are found by name (``column_names.NAMES``); GroupLens .dat and u.data have no names and are read by
    position. Raises HarnessError naming file, line, column and remedy for a missing column, text in place of a number,
    a NaN rating, a repeated user-item pair, or an empty file.
    """
    path = Path(path)
    name = path.stem if path.is_file() else path.resolve().name
    return _read(path, name, f"the user's own {path.resolve().name}", OWN_LICENCE, reporter)


def _read(path: Path, name: str, source: str, licence: str, reporter: Reporter) -> Ratings:
    with reporter.task(f"Reading {name}"), open_database(cache_dir("reading")) as database:
        table = open_source(path, ("user", "item", "rating"), ("timestamp",), database.folder / "ratings")
        open_tables(database, {"ratings": table})
        require_distinct(database, "ratings", table)
        numbers = ["CAST(rating AS DOUBLE) AS rating", *(["timestamp"] if "timestamp" in table.roles else [])]
        columns = ", ".join(["user AS user_id", "item AS item_id", *numbers])
        frame = database.frame(f'SELECT {columns} FROM "all ratings" ORDER BY file, place')
        return Ratings(frame, name, source, sha256_of(files_of(path)), licence)


def whereabouts(name: str) -> str:
    """The path of a data set, or the address to download it from; HarnessError for an unknown name."""
    if name not in NAMES:
        raise HarnessError(f"--dataset {name}: give one of {', '.join(NAMES)}")
    in_recbole = name == "ml-100k"
    target = cache_dir("datasets") / ("ml-100k.inter" if in_recbole else f"{name}.zip")
    if target.exists():
        return f"{name} at {target}"
    origin = f"out of {RECBOLE}" if in_recbole else f"from {ADDRESS.format(name=name)}"
    return f"{name}, which would be downloaded {origin}"


def _movielens_100k(reporter: Reporter) -> Path:
    """The ratings file of RecBole's distribution, which uv fetches without its dependencies."""
    target = cache_dir("datasets") / "ml-100k.inter"
    if not target.exists():
        with reporter.task(f"Fetching MovieLens-100K out of {RECBOLE.replace('==', ' ')}"):
            _extract_from_recbole(target)
    if digest_of(target) != RECBOLE_SHA256:
        raise HarnessError(
            f"{target}: not the ml-100k.inter of {RECBOLE} (SHA-256 {RECBOLE_SHA256}); "
            "delete it and run again, then it is fetched anew"
        )
    return target


def _extract_from_recbole(target: Path) -> None:
    import uv

    from metric_harness.libraries.environments import uv_environment

    folder, lock = locked_folder(target.parent)
    try:
        try:
            command = [uv.find_uv_bin(), "pip", "install", "--no-deps", "--python", sys.executable]
            installation = captured([*command, "--target", str(folder), RECBOLE], FETCH_TIMEOUT, env=uv_environment())
            problem = installation.stderr.decode(errors="replace").strip() if installation.returncode else None
        except (OSError, subprocess.TimeoutExpired) as error:
            problem = str(error)
        installed = Path(folder, *RECBOLE_FILE.split("/"))
        if problem is None and not installed.is_file():
            problem = f"it has no file {RECBOLE_FILE}"
        if problem is not None:
            raise HarnessError(
                f"{RECBOLE} could not be fetched for the data set ml-100k: {problem[-600:]}\n"
                f"Check the network or the package index settings; or put the file {RECBOLE_FILE} of that "
                f"distribution at {target}; or name ratings of your own"
            )
        copy = Path(folder, target.name)
        shutil.copyfile(installed, copy)  # the installed file may be a hard link into uv's cache
        os.replace(copy, target)
    finally:
        remove(folder, lock)


def _download(name: str, reporter: Reporter) -> Path:
    """The zip of a data set from GroupLens, checked against its published checksum at every use."""
    address, target = ADDRESS.format(name=name), cache_dir("datasets") / f"{name}.zip"
    algorithm, _, checksum = CHECKSUMS[name].partition(":")
    if target.exists():
        if digest_of(target, algorithm) == checksum:
            return target
        raise HarnessError(
            f"{target}: its {algorithm} is not the published {checksum}, so it is damaged or another file; "
            f"delete it and run again, or replace it with {address}"
        )
    import pooch  # imported here: it is slow to import, and most runs have the file

    pooch.get_logger().setLevel("WARNING")  # the reporter shows the download
    try:
        downloader = ResumingDownloader(target.with_suffix(".zip.part"), reporter)
        pooch.retrieve(address, CHECKSUMS[name], target.name, target.parent, downloader=downloader)
    except OSError as error:  # of the network (RequestException is an OSError) or of the disk
        raise HarnessError(
            f"data set {name}: {address} could not be fetched ({type(error).__name__}: {error}). Run again to go on "
            f"where it stopped, or fetch {target.name} from there by other means and put it at {target}"
        ) from None
    except ValueError:
        raise HarnessError(
            f"data set {name}: what {address} sent has not the published {algorithm} {checksum}; run again, and if it "
            "happens again, do not use that file"
        ) from None
    return target


class ResumingDownloader:
    """Downloader for pooch that resumes an interrupted download.

    The bytes are collected in ``part``, which is kept after a failure; the complete file is moved to pooch's path.
    """

    def __init__(self, part: Path, reporter: Reporter = QUIET) -> None:
        self.part = part
        self.reporter = reporter

    def __call__(self, url: str, output_file: str, pooch: object) -> None:
        """Fetch ``url`` into ``output_file``; raises requests.RequestException and keeps the part."""
        import requests

        received = self.part.stat().st_size if self.part.exists() else 0
        headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={received}-"} if received else {})}
        with requests.get(url, headers=headers, stream=True, timeout=60) as response:
            if received and response.status_code == requests.codes.requested_range_not_satisfiable:
                self.part.unlink()
                raise requests.RequestException(f"{self.part.name} was longer than the file and is deleted now")
            response.raise_for_status()
            if response.status_code != requests.codes.partial_content:
                received = 0
            total = received + int(response.headers.get("Content-Length", 0))
            name = url.rpartition("/")[2]
            with (
                self.part.open("ab" if received else "wb") as file,
                self.reporter.task(f"Fetching {name} (MiB)", total=-(-total >> 20) or None) as advance,
            ):
                advance(received >> 20)
                for chunk in response.iter_content(1 << 20):
                    file.write(chunk)
                    advance()
        if self.part.stat().st_size < total:
            raise requests.ConnectionError(f"the connection ended after {self.part.stat().st_size} of {total} bytes")
        os.replace(self.part, output_file)
