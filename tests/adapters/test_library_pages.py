"""The library.toml of a library: a user's own folder is read, and a mistake in it is named."""

from pathlib import Path

import pytest

from metric_harness.libraries.describe import find_libraries, read_library
from metric_harness.system.errors import HarnessError
from tests.support.live import LIBRARIES

PAGE = """
name = "Mine"
distribution = "mine"
homepage = "https://example.org"
licence = "MIT"
summary = "A library."
[[releases]]
version = "1.0"
python = ">=3.11"
requirements = ["mine==1.0"]
[[releases]]
version = "1.10"
python = ">=3.11"
requirements = ["mine==1.10"]
without_dependencies = []
[subjects."ndcg[raw]"]
metric = "ndcg"
claim = "NDCG."
address = "https://example.org/ndcg"
"""


def written(folder: Path, page: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "adapter.py").write_text("SUBJECTS = {}\n")
    (folder / "library.toml").write_text(page)
    return folder


def test_a_folder_of_ones_own(tmp_path: Path) -> None:
    folder = written(tmp_path / "mine", PAGE)
    for extra in (tmp_path, folder):
        libraries = find_libraries([extra])
        assert list(libraries) == sorted([*LIBRARIES, "mine"])
    mine = libraries["mine"]
    assert mine.newest().version == "1.10"
    assert mine.release("1.0").requirements == ("mine==1.0",)
    assert mine.subjects["ndcg[raw]"].needs == ()
    with pytest.raises(HarnessError, match=r"no release '2'.*1\.0, 1\.10"):
        mine.release("2")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            'metric = "ndcg"',
            'metric = "nDCG"',
            r"subjects\.ndcg\[raw\]\.metric: 'nDCG' is no metric; write ndcg, or",
        ),
        ('claim = "NDCG."', "", r"subjects\.ndcg\[raw\]\.claim: missing"),
        ('claim = "NDCG."', 'clam = "NDCG."', r"subjects\.ndcg\[raw\]\.clam: unknown key"),
        (
            'claim = "NDCG."',
            'claim = "NDCG."\nclaims = "NDCG"',
            r"subjects\.ndcg\[raw\]\.claims: 'NDCG' is no variant: .*no metric",
        ),
        ('version = "1.0"', 'version = "1.0"\ncommit = "abc"', r"releases\[0\]\.commit: 'abc' is no commit"),
        ('version = "1.0"', 'version = "1.0"\npaper = "yes"', r"releases\[0\]\.paper: expected true or false"),
        ('version = "1.0"', 'version = "1.0"\ndate = "June 2021"', r"releases\[0\]\.date: 'June 2021' is no date"),
        ('version = "1.0"', f'version = "1.0"\ncommit = "{"a" * 40}"', r"repository: missing"),
        ('address = "https', 'address = "', r"subjects\.ndcg\[raw\]\.address: expected a web address"),
        ("without_dependencies = []", 'subjects = ["mrr"]', r"releases\[1\]\.subjects\[0\]: 'mrr' is none of"),
        ('"mine==1.10"', '"mine=1.10"', r"releases\[1\]\.requirements\[0\]: 'mine=1\.10' is no requirement"),
        ('version = "1.10"', 'version = "0.9"', r"releases\[1\]\.version: 0\.9 stands after 1\.0"),
        ('python = ">=3.11"', 'python = "3.11 or so"', r"releases\[0\]\.python: '3\.11 or so' is no version specifier"),
        ('licence = "MIT"', "licence = 3", r"licence: expected a text, got 3"),
        ('licence = "MIT"', "licence = ", r"not TOML"),
        ("[[releases]]", "[[release]]", r"release: unknown key"),
    ],
)
def test_a_mistake_in_a_page_is_named(tmp_path: Path, old: str, new: str, words: str) -> None:
    folder = written(tmp_path / "mine", PAGE.replace(old, new))
    with pytest.raises(HarnessError, match=r"mine.library\.toml:\d+: " + words):
        read_library(folder)


def test_folders_that_are_no_library(tmp_path: Path) -> None:
    (written(tmp_path / "a" / "mine", PAGE) / "adapter.py").unlink()
    with pytest.raises(HarnessError, match=r"mine.library\.toml:7: releases\[0\]\.adapter: there is no adapter\.py"):
        find_libraries([tmp_path / "a"])
    written(tmp_path / "b" / "recbole", PAGE)
    with pytest.raises(HarnessError, match="two libraries are called 'recbole'"):
        find_libraries([tmp_path / "b"])
    with pytest.raises(HarnessError, match=r"holds no library\.toml"):
        find_libraries([tmp_path / "c"])
