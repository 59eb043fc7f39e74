"""A path is literal, and every file of a folder is read or named."""

import json
import os
from pathlib import Path

import pandas as pd
import pytest

from metric_harness.data.files import files_of
from metric_harness.data.sources import open_source
from metric_harness.system.errors import HarnessError
from tests.support.command import run

MEANT = pd.DataFrame({"user": [1, 1, 2], "item": [1, 2, 3], "score": [3.0, 2.0, 1.0]})
BESIDE = pd.DataFrame({"user": [1, 2], "item": [8, 9], "score": [1.0, 1.0]})


@pytest.mark.parametrize(
    ("meant", "beside"),
    [
        ("recs[1].parquet", "recs1.parquet"),
        ("run[1]/p.parquet", "run1/p.parquet"),
        ("ru*n/p.parquet", "ruXn/p.parquet"),
        ("who?.parquet", "whom.parquet"),
        ("[a-z].parquet", "b.parquet"),
        ("it's [x].parquet", "it's x.parquet"),
        ("{a,b}.parquet", "a.parquet"),
        ("a**b/p.parquet", "a/c/b/p.parquet"),
    ],
)
@pytest.mark.parametrize("by_folder", [False, True])
def test_a_path_is_no_pattern(meant: str, beside: str, by_folder: bool, tmp_path: Path) -> None:
    for name, frame in ((meant, MEANT), (beside, BESIDE)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        frame.to_parquet(tmp_path / name)
    path = tmp_path / meant
    if by_folder:
        if path.parent == tmp_path:
            pytest.skip("the folder holds both")
        path = path.parent
    pd.DataFrame({"user": [1, 2], "item": [1, 3]}).to_csv(tmp_path / "truth.csv", index=False)
    options = ("--variants", "hit_rate", "--k", "2", "--json", tmp_path / "values.json", "-q")
    done = run("evaluate", "--recommendations", path, "--truth", tmp_path / "truth.csv", *options)
    assert done.returncode == 0, done.stderr
    page = json.loads((tmp_path / "values.json").read_text())
    assert (page["counts"]["rows_recommended"], page["metrics"][0]["values"][0]["value"]) == (3, 1.0)


def test_parts_are_read_whatever_the_case_of_their_ending(tmp_path: Path) -> None:
    MEANT.to_parquet(tmp_path / "a.parquet")
    MEANT.to_parquet(tmp_path / "B.PARQUET")
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / ".a.parquet.crc").touch()
    (tmp_path / "README.md").write_text("two parts")
    assert [file.path.name for file in files_of(tmp_path)] == ["B.PARQUET", "a.parquet"]


def test_a_quotation_mark_that_swallows_rows_is_named(tmp_path: Path) -> None:
    (tmp_path / "recs.tsv").write_text('user\titem\tscore\n1\t"abc\t3\n1\tx\t2\n2\td"\t1\n2\ty\t0.5\n')
    (tmp_path / "truth.csv").write_text("user,item\n1,x\n2,y\n")
    done = run("evaluate", "--recommendations", tmp_path / "recs.tsv", "--truth", tmp_path / "truth.csv", "-q")
    assert done.returncode == 2
    assert "recs.tsv: line 2, column item: a quotation mark is closed only in line 4" in done.stderr


def test_a_path_that_is_not_utf8(tmp_path: Path) -> None:
    MEANT.to_parquet(tmp_path / "a.parquet")
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.parquet"))
    (tmp_path / "a.parquet").rename(path)
    with pytest.raises(HarnessError, match="its path is not UTF-8"):
        open_source(path, ("user", "item"), ("score",), tmp_path / "parts")


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    """Pipes, links that lead nowhere or in a circle, and linked folders: neither read without end nor left out."""
    parts, other = tmp_path / "parts", tmp_path / "other"
    parts.mkdir()
    other.mkdir()
    MEANT.to_parquet(parts / "a.parquet")
    MEANT.to_parquet(other / "b.parquet")
    os.mkfifo(tmp_path / "pipe.parquet")
    for target in (tmp_path / "pipe.parquet", tmp_path / "absent", parts / "x.parquet"):
        link = parts / "x.parquet"
        link.symlink_to(target)
        for path in (link, parts):
            with pytest.raises(HarnessError, match=r"x\.parquet: it is no regular file"):
                files_of(path)
        link.unlink()
    (parts / "day=2").symlink_to(other)
    with pytest.raises(HarnessError, match="day=2 would not be read"):
        files_of(parts)


@pytest.mark.parametrize("name", ["c.parq", "c.parquet.gz", "sub/c.csv", "c.pq", "c.parquet.tmp", "more.json"])
def test_a_file_of_a_folder_that_would_not_be_read_is_named(name: str, tmp_path: Path) -> None:
    MEANT.to_parquet(tmp_path / "a.parquet")
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(HarnessError, match=f"{name} would not be read"):
        files_of(tmp_path)
