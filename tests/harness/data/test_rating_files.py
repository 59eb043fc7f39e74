"""Ratings from files: every layout gives the same frame, and malformed input is named with its place."""

import hashlib
import struct
import subprocess
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest

from metric_harness.data.datasets import read_ratings
from metric_harness.system.errors import HarnessError
from metric_harness.system.limits import largest_file, limited_files, require_size
from tests.support.command import run

FRAME = pd.DataFrame(
    {
        "user_id": [7, 7, 12, 3],
        "item_id": [100, 20, 100, 5],
        "rating": [4.5, 3.0, 0.5, 5.0],
        "timestamp": [881250949, 881250949, 891717742, 978300760],
    }
)
ROWS = [[str(value) for value in row] for row in FRAME.itertuples(index=False)]


def text(separator, header=None):
    return "".join(separator.join(row) + "\n" for row in ([header] if header else []) + ROWS)


LAYOUTS = {
    "ratings.csv": text(",", ["userId", "movieId", "rating", "timestamp"]),
    "underscores.csv": text(",", ["user_id", "item_id", "Rating", "Timestamp"]),
    "semicolons.csv": text(";", ["userID", "itemID", "rating", "timestamp"]),
    "mark.csv": "\ufeff" + text(",", ["user", "item", "rating", "timestamp"]),
    "blank_lines.csv": "\n" + text(",", ["user", "item", "rating", "timestamp"]) + "\n\n",
    "ratings.tsv": text("\t", ["user", "item", "rating", "timestamp"]),
    "named.dat": text("::", ["user", "item", "rating", "timestamp"]),
    "ratings.dat": text("::"),
    "u.data": text("\t"),
    "ml.inter": text("\t", ["user_id:token", "item_id:token", "rating:float", "timestamp:float"]),
    "dates.csv": text(",", ["user", "item", "rating", "timestamp"])
    .replace("881250949", "1997-12-04 15:55:49")
    .replace("891717742", "1998-04-04 19:22:22")
    .replace("978300760", "2000-12-31T22:12:40.9"),
    "fractions.csv": text(",", ["user", "item", "rating", "timestamp"]).replace("978300760", "978300760.9"),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_text_layout_gives_the_same_frame(tmp_path, name):
    path = tmp_path / name
    path.write_text(LAYOUTS[name], encoding="utf-8")
    ratings = read_ratings(path)
    pd.testing.assert_frame_equal(ratings.frame, FRAME)
    assert ratings.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert ratings.name == path.stem
    assert str(tmp_path) not in ratings.source


@pytest.mark.parametrize("column", ["timestamp", "plain"])
def test_parquet_gives_the_same_frame(tmp_path, column):
    frame = FRAME.copy()
    if column == "timestamp":
        frame["timestamp"] = pd.to_datetime(frame["timestamp"], unit="s", utc=True)
    frame.rename(columns={"user_id": "userId"}).to_parquet(tmp_path / "x.parquet")
    pd.testing.assert_frame_equal(read_ratings(tmp_path / "x.parquet").frame, FRAME)


@pytest.mark.parametrize("inside", ["ratings.csv", "ratings.dat", "u.data"])
def test_a_zip_and_its_folder_are_the_same_ratings(tmp_path, inside):
    folder = tmp_path / "ml-own"
    folder.mkdir()
    (folder / inside).write_text(LAYOUTS[inside])
    with zipfile.ZipFile(tmp_path / "ml-own.zip", "w") as archive:
        archive.writestr("__MACOSX/ml-own/ratings.csv", "nonsense")
        archive.write(folder / inside, f"ml-own/{inside}")
    from_folder, from_zip = read_ratings(folder), read_ratings(tmp_path / "ml-own.zip")
    pd.testing.assert_frame_equal(from_folder.frame, FRAME)
    pd.testing.assert_frame_equal(from_zip.frame, FRAME)
    assert (from_folder.name, from_folder.sha256) == (from_zip.name, from_zip.sha256)


def test_ids_are_numbers_only_if_all_of_them_are(tmp_path):
    def ids(*users):
        path = tmp_path / "r.csv"
        path.write_text("user,item,rating\n" + "".join(f"{user},i{n},1\n" for n, user in enumerate(users)))
        frame = read_ratings(path).frame
        assert list(frame.columns) == ["user_id", "item_id", "rating"]  # no times: no column of them
        return list(frame["user_id"])

    assert ids("10", "9", "-1") == [10, 9, -1]
    assert ids("10.0", "9") == [10, 9]
    assert ids("010", "10") == ["010", "10"]
    assert ids("NA", "null") == ["NA", "null"]
    assert ids("1e5", "ä") == ["1e5", "ä"]
    assert ids("123456789012345678901", "2") == ["123456789012345678901", "2"]


HEAD = "user_id,item_id,rating,timestamp\n1,10,4,100\n"
MALFORMED = {
    "column missing": ("r.csv", "user_id,rating\n1,2\n", ["no column for the item", "user_id, rating", "movieid"]),
    "no names": ("r.csv", "1,10,4,100\n", ["line 1", "not column names"]),
    "too few columns without names": ("r.dat", "1::10\n", ["no column for the rating"]),
    "text in the rating": ("r.csv", HEAD + "\n2,10,good,100\n", ["line 4", "column rating", "'good' is not a number"]),
    "text in the time": ("r.csv", HEAD + "2,10,4,soon\n", ["line 3", "column timestamp", "'soon'"]),
    "text in a .dat": ("r.dat", "1::10::4::100\n1::11::x::100\n", ["line 2", "column rating", "'x'"]),
    "text in a .inter": (
        "r.inter",
        "user_id:token\titem_id:token\trating:float\n1\t2\tx\n",
        ["line 2", "rating:float"],
    ),
    "NaN": ("r.csv", HEAD + "\n\n2,10,NaN,100\n", ["line 5", "column rating", "empty or NaN"]),
    "empty rating": ("r.csv", HEAD + "2,10,,100\n", ["line 3", "column rating", "empty or NaN"]),
    "infinite rating": ("r.csv", HEAD + "2,10,inf,100\n", ["line 3", "column rating", "is inf"]),
    "empty id": ("r.csv", HEAD + "2,,4,100\n", ["line 3", "column item_id", "the item is empty"]),
    "empty time": ("r.csv", HEAD + "2,10,4,\n", ["line 3", "column timestamp", "the timestamp is empty"]),
    "NaN time": ("r.csv", HEAD + "2,10,4,nan\n", ["line 3", "column timestamp"]),
    "pair twice": ("r.csv", HEAD + "2,10,4,5\n\n1,10,5,7\n", ["line 5", "user 1 and item 10", "line 2"]),
    "pair twice, ids as 1 and 1.0": ("r.csv", HEAD + "1.0,10,5,7\n", ["line 3", "user 1 and item 10", "line 2"]),
    "too many fields": ("r.csv", HEAD + "1,11,4,5,6\n", ["line 3", "5 fields where 4 are expected"]),
    "too few fields in a .dat": ("r.dat", "1::10::4::100\n1::11::4\n", ["line 2", "3 fields where 4 are expected"]),
    "no bytes": ("r.csv", "", ["the file is empty"]),
    "blank": ("r.csv", "\n\n", ["the file is empty"]),
    "names alone": ("r.csv", "user_id,item_id,rating\n", ["no row below the column names"]),
    "unknown suffix": ("r.xlsx", "x", ["unknown format", ".parquet"]),
    "not a zip": ("r.zip", "x", ["not a readable zip"]),
    "not parquet": ("r.parquet", "x", ["not a readable parquet file"]),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_input_names_file_place_and_remedy(tmp_path, case):
    name, content, expected = MALFORMED[case]
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(HarnessError) as caught:
        read_ratings(path)
    for part in (str(path), *expected):
        assert part in str(caught.value)


def test_text_that_is_not_utf8_is_named(tmp_path):
    path = tmp_path / "r.csv"
    path.write_bytes(HEAD.encode() + "2,Amélie,4,5\n".encode("latin-1"))
    with pytest.raises(HarnessError, match=r"line 3, column item_id: .* not UTF-8"):
        read_ratings(path)


@pytest.mark.parametrize("mark", [b"\x08", b"\x18\x08"])
def test_parquet_whose_statistics_lie(tmp_path, mark):
    """A pair stands twice, and the statistics of the file say that its item is not there."""
    path = tmp_path / "ratings.parquet"
    pd.DataFrame({"user": [1, 1, 2], "item": [3, 3, 7], "rating": [5.0, 4.0, 3.0]}).to_parquet(path)
    smallest = [mark + value.to_bytes(8, "little") for value in (3, 5)]
    assert smallest[0] in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(*smallest))
    with pytest.raises(HarnessError, match=r"ratings\.parquet: its statistics contradict its rows, it is damaged"):
        read_ratings(path)


def test_parquet_errors_name_the_row(tmp_path):
    path = tmp_path / "r.parquet"
    pd.DataFrame({"user": [1, 2], "item": [1, 1], "rating": [1.0, np.nan]}).to_parquet(path)
    with pytest.raises(HarnessError, match=r"row 2, column rating"):
        read_ratings(path)
    pd.DataFrame({"user": [1, 2], "item": [1, 1], "rating": ["1", "good"]}).to_parquet(path)
    with pytest.raises(HarnessError, match=r"row 2, column rating: 'good' is not a number"):
        read_ratings(path)


def test_missing_files_and_empty_folders(tmp_path):
    with pytest.raises(HarnessError, match="no such file"):
        read_ratings(tmp_path / "absent.csv")
    with pytest.raises(HarnessError, match="holds none of"):
        read_ratings(tmp_path)
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("a.txt", "")
    with pytest.raises(HarnessError, match="zip holds none of"):
        read_ratings(tmp_path / "x.zip")


def test_the_option_bounds_files_and_what_a_zip_unpacks_to(tmp_path):
    """2 MiB of ratings, under a limit of 1 MiB and of 4: the file, and the member of a zip of a few KiB."""
    text = HEAD + "\n" * (2 << 20)
    (tmp_path / "r.csv").write_text(text)
    with zipfile.ZipFile(tmp_path / "r.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ml/ratings.csv", text)
    for name, label in (("r.csv", "r.csv: it holds 0.002 GiB"), ("r.zip", "r.zip:ml/ratings.csv: it unpacks to 0.002")):
        given = ["compare", "--ratings", str(tmp_path / name), "--out", str(tmp_path / "out"), "-q"]
        small, large = (run("--largest-file", str(mib / 1024), *given) for mib in (1, 4))
        assert (small.returncode, label in small.stderr, "--largest-file" in small.stderr) == (2, True, True), small
        assert "--largest-file" not in large.stderr
    assert run("--largest-file", "0", "explain", "rules").returncode == 2


@pytest.mark.parametrize(("method", "message"), [
    (zipfile.ZIP_DEFLATED, "damaged inside the zip (Bad CRC-32"),
    (zipfile.ZIP_LZMA, "damaged inside the zip (Bad CRC-32"),
    (zipfile.ZIP_BZIP2, "it is packed by method 12 (bzip2)"),
])  # fmt: skip
def test_a_member_that_holds_more_than_it_declares_is_refused_in_little_memory(tmp_path, method, message):
    """Some KiB that unpack to 512 MiB, declared as 200 bytes: at most what a piece unpacks to is held."""
    with zipfile.ZipFile(tmp_path / "r.zip", "w", method) as archive, archive.open("ratings.csv", "w") as member:
        member.write(HEAD.encode())
        for _ in range(64):
            member.write(b"\n" * (8 << 20))
    data = bytearray((tmp_path / "r.zip").read_bytes())
    central = data.find(b"PK\x01\x02")
    data[central + 24 : central + 28] = struct.pack("<I", 200)
    (tmp_path / "r.zip").write_bytes(data)
    limit = "import resource; resource.setrlimit(resource.RLIMIT_DATA, (400 << 20,) * 2)\n"
    code = "from metric_harness.data.zips import open_member\nfrom pathlib import Path\nimport sys\n"
    code += limit + "open_member(Path(sys.argv[1]), 'ratings.csv').read()"
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "r.zip"], capture_output=True, text=True, check=False)
    assert f"r.zip:ratings.csv: {message}" in done.stderr, done.stderr[-300:]


@pytest.mark.large
@pytest.mark.parametrize(
    ("name", "file", "counts"),  # as the README of each data set states them
    [
        ("ml-100k", "u.data", (100_000, 943, 1_682)),
        ("ml-1m", "ratings.dat", (1_000_209, 6_040, 3_706)),
        ("ml-latest-small", "ratings.csv", (100_836, 610, 9_724)),
    ],
)
def test_real_files_have_the_counts_of_their_readme(movielens, name, file, counts):
    ratings = read_ratings(movielens(name, file).parent)
    frame = ratings.frame
    assert (len(frame), frame["user_id"].nunique(), frame["item_id"].nunique()) == counts
    assert ratings.name == name


def test_the_limit_of_files_is_put_back_where_a_command_fails():
    usual = largest_file()
    with pytest.raises(HarnessError), limited_files(1):
        require_size("a.csv", 2)
    assert largest_file() == usual
