"""Plants the faults of tests/end_to_end/faults/*.toml: a folder with good files, and what a row puts in their place."""

from __future__ import annotations

import io
import os
import struct
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from metric_reports.record import write_record
from tests.support.sample_record import sample_record

GOOD = {
    "recs.csv": "user,item,score\n1,10,0.9\n1,11,0.8\n2,10,0.7\n2,12,0.6\n",
    "truth.csv": "user,item,rating\n1,11,5\n2,10,4\n",
    "ratings.csv": "userId,movieId,rating,timestamp\n"
    + "".join(f"{user},{item},{4 + (user + item) % 2},{user * item}\n" for user in range(1, 9) for item in range(1, 9)),
    "metrics.py": "def precision(actual, predicted, k):\n    return len(set(actual) & set(predicted[:k])) / k\n",
    "lib/mine/library.toml": """\
name = "Mine"
distribution = "numpy"
homepage = "https://example.org"
licence = "MIT"
summary = "A library."

[[releases]]
version = "1.0"
python = ">=3.8"
requirements = ["numpy>=1.23"]

[subjects.precision]
metric = "precision"
claim = "Hits over k."
address = "https://example.org/precision"
""",
    "lib/mine/adapter.py": """\
from metric_adapters.subject import Answer, Subject


def precision(case, k):
    hits = [len(set(case.list_of(u, k)) & set(case.relevant_of(u))) for u in range(case.users)]
    return Answer(sum(hits) / k / case.users)


def version():
    return "1.0"


SUBJECTS = {"precision": Subject(precision, precision)}
""",
}


NULL, RATINGS = "<null>", "<ratings.csv>"
"""In a row: a missing value, and the text of the good ratings.csv."""


def good_files(folder: Path) -> None:
    """Write what every row starts from."""
    for name, text in GOOD.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    write_record(sample_record(), folder / "run.json")


def plant(folder: Path, files: dict[str, object]) -> None:
    """Put the files of a row into a folder that holds the good ones."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
            continue
        if "link" in content:
            path.unlink(missing_ok=True)
            path.symlink_to(content["link"])
        elif "folder" in content:
            path.mkdir(parents=True)
        elif "fifo" in content:
            os.mkfifo(path)
        else:
            data = made(path, content)
            path.write_bytes(data)


def made(path: Path, how: dict[str, object]) -> bytes:
    """The bytes that a row describes."""
    if "hex" in how:
        data = bytes.fromhex(how["hex"])
    elif "repeat" in how:
        data = (how.get("head", "") + how["repeat"] * how["times"] + how.get("tail", "")).encode()
    elif "encoding" in how:
        data = how["text"].encode(how["encoding"])
    elif "zip" in how:
        data = zipped(how)
    elif "parquet" in how:
        data = parquet(how["parquet"], how.get("types", {}))
    else:
        data = path.read_bytes()
    if "replace" in how:
        for before, after in zip(how["replace"][::2], how["replace"][1::2], strict=True):
            assert before.encode() in data, before
            data = data.replace(before.encode(), after.encode())
    if "append" in how:
        data += how["append"].encode()
    for at in how.get("flip", ()):
        data = data[:at] + bytes([data[at] ^ 0xFF]) + data[at:][1:]
    return data[: how["cut"]] if "cut" in how else data


def zipped(how: dict[str, object]) -> bytes:
    """A zip. ``method`` and ``flags`` are written over those of its first member, as other programs would have them."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in how["zip"].items():
            whole = text["repeat"] * text["times"] if isinstance(text, dict) else text
            archive.writestr(name, whole.replace(RATINGS, GOOD["ratings.csv"]))
    data = bytearray(file.getvalue())
    central = data.find(b"PK\x01\x02")
    for field, local, there in (("flags", 6, 8), ("method", 8, 10)):
        if field in how:
            data[local : local + 2] = data[central + there : central + there + 2] = struct.pack("<H", how[field])
    if "size" in how:  # what the first member says that it is unpacked
        data[central + 24 : central + 28] = data[22:26] = struct.pack("<I", how["size"])
    return bytes(data)


def without_nulls(value: object) -> object:
    """The values of a column with None where a row says that one is missing."""
    if isinstance(value, list):
        return [without_nulls(one) for one in value]
    return None if value == NULL else value


def parquet(columns: dict[str, list[object]], types: dict[str, str]) -> bytes:
    """A parquet file; ``types`` are Arrow's, by column."""
    columns = {name: without_nulls(values) for name, values in columns.items()}
    arrays = {
        name: pa.array(values, getattr(pa, types[name])() if name in types else None)
        for name, values in columns.items()
    }
    file = io.BytesIO()
    pq.write_table(pa.table(arrays), file)
    return file.getvalue()
