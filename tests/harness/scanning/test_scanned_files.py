"""Which files a scan reads, and what it says of those that it cannot read."""

import pytest

from metric_harness.scanning.files import LARGEST_FILE, find_files, parse
from metric_harness.system.errors import HarnessError


def test_what_is_not_read_is_counted(shop):
    (shop / "notes.ipynb").write_text("{}")
    (shop / "env").mkdir()
    (shop / "env" / "pyvenv.cfg").write_text("")
    (shop / "loop").symlink_to(shop)
    files = find_files(shop)
    assert files.left_out == {"tests": 1, "hidden": 1, "notebook": 1, "environment": 1, "link": 1}
    assert [files.name(path) for path in files.sources][:2] == ["broken/hangs.py", "broken/missing.py"]


@pytest.mark.parametrize(
    ("content", "read"),
    [
        ("def test_one_user(x): return recall(x)", True),
        ("def test_recall():\n    assert recall([1], [1]) == 1", False),
        ("class RecallTest(TestCase): pass", False),
        ("import pytest", False),
    ],
)
def test_a_file_named_after_tests_is_read_where_it_holds_none(tmp_path, content, read):
    (tmp_path / "batch_test.py").write_text(content)
    files = find_files(tmp_path)
    assert (len(files.sources), files.left_out["tests"]) == ((1, 0) if read else (0, 1))


def test_patterns_choose_files(shop):
    assert [path.name for path in find_files(shop, include=["eval/*"]).sources] == [
        "__init__.py",
        "common.py",
        "ranking.py",
    ]
    files = find_files(shop, exclude=["eval", "train.py", "broken/*"])
    assert [path.name for path in files.sources] == ["offline.py"]
    assert "tests/helper.py" in map(files.name, find_files(shop, include=["tests/*"]).sources)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"def recall(:", "cannot be parsed: "),
        (b"print 'a'\n", "cannot be parsed (Python 2?): Missing parentheses"),
        ("x = 'é'".encode("latin-1"), "cannot be parsed: "),
        (b"x = 1\0", "cannot be parsed: "),
        (b"#" * (LARGEST_FILE + 1), "too large (2 MiB)"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, content, reason):
    (tmp_path / "a.py").write_bytes(content)
    files = find_files(tmp_path)
    assert parse(files, files.sources[0]) is None
    assert files.unread["a.py"].startswith(reason)


@pytest.mark.parametrize(
    ("name", "text"), [("none", "no such file"), ("a.ipynb", "notebooks"), ("a.txt", "no Python file")]
)
def test_what_cannot_be_scanned(tmp_path, name, text):
    if "." in name:
        (tmp_path / name).write_text("")
    with pytest.raises(HarnessError, match=text):
        find_files(tmp_path / name)
