"""What is kept between runs: used if it is what was kept, else set aside and said once, whoever keeps it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metric_harness.comparison import durations
from metric_harness.comparison.kept_parts import KeptParts
from metric_harness.history.ask import Asked, read_kept, write_kept
from metric_harness.scanning import store as scans
from metric_harness.system import store

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "cut off": lambda content: content[: len(content) // 2],
    "one bit": lambda content: content[:-3] + bytes([content[-3] ^ 1]) + content[-2:],
    "another value": lambda content: content.replace(b"25", b"75"),
    "a longer line": lambda content: content + b"1",
    "other dependencies": lambda content: content.replace(b" ", b"  ", 2),
    "no head": lambda content: content.partition(b"\n")[2],
    "another file": lambda content: b"[" * 100_000,
}


def asked() -> Asked:
    return Asked("1.25", "2026-01-25", error="none")


MAKERS: dict[str, tuple[Callable[[Path], Any], Callable[[Path], Any], Any]] = {
    "json": (lambda at: store.keep(at / "a.json", {"a": 1.25}), lambda at: store.kept(at / "a.json"), {"a": 1.25}),
    "bytes": (lambda at: store.keep_bytes(at / "a", b"1.25\n\n"), lambda at: store.kept_bytes(at / "a"), b"1.25\n\n"),
    "part": (lambda at: KeptParts(at).put("a", 1.25, 3), lambda at: KeptParts(at).get("a", 3), 1.25),
    "durations": (
        lambda at: durations.keep_durations({"a": 1.25}), lambda at: durations.durations() or None, {"a": 1.25}
    ),
    "history": (lambda at: write_kept(at / "a.json", asked()), lambda at: read_kept(at / "a.json"), asked()),
    "scan": (lambda at: scans.keep(at, "a", {"b": 1.25}), lambda at: scans.kept(at, "a"), {"b": 1.25}),
}  # fmt: skip


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METRIC_HARNESS_CACHE", str(tmp_path / "cache"))


def file_of(folder: Path) -> Path:
    """The one kept file below a folder."""
    names = ("*.damaged", ".*")
    files = [path for path in folder.rglob("*") if path.is_file() and not any(map(path.match, names))]
    assert len(files) == 1
    return files[0]


@pytest.mark.parametrize("maker", MAKERS)
def test_what_is_kept_is_used(maker: str, tmp_path: Path) -> None:
    keep, kept, value = MAKERS[maker]
    assert kept(tmp_path) is None
    keep(tmp_path)
    assert kept(tmp_path) == kept(tmp_path) == value


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("maker", MAKERS)
def test_damage_is_set_aside_and_said_once(maker: str, damage: str, tmp_path: Path, capsys: Any) -> None:
    keep, kept, value = MAKERS[maker]
    for number in (1, 2):
        keep(tmp_path)
        file = file_of(tmp_path)
        file.write_bytes(DAMAGES[damage](file.read_bytes()))
        assert kept(tmp_path) is None
        assert kept(tmp_path) is None
        said = capsys.readouterr().err
        assert len(re.findall(r"is damaged(, or of an earlier release)?; set aside as", said)) == 1
        assert file.with_name(f"{file.name}.{number}.damaged").is_file()
    keep(tmp_path)
    assert kept(tmp_path) == value


def test_what_depends_on_something_else_is_no_damage(tmp_path: Path) -> None:
    said: list[str] = []
    store.keep(tmp_path / "a", 1, "this")
    assert store.kept(tmp_path / "a", "that", said.append) is None
    assert store.kept(tmp_path / "a", "this", said.append) == 1
    (tmp_path / "a").write_bytes((tmp_path / "a").read_bytes().replace(store.LAYOUT.encode(), b"kept-0"))
    assert store.kept(tmp_path / "a", "this", said.append) is None
    assert not said


def test_a_folder_that_cannot_be_used_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    store.keep(tmp_path / "file" / "a", 1)
    (tmp_path / "a").mkdir()
    assert store.kept(tmp_path / "a") is None
    assert store.kept(tmp_path / "file" / "a") is None


WRITER = """
import sys
from pathlib import Path
from metric_harness.system import store

while True:
    store.keep(Path(sys.argv[1]), [sys.argv[2]] * 100_000)
"""


def test_of_two_writers_one_content_stays_whole_also_where_they_are_killed(tmp_path: Path) -> None:
    file, found, said = tmp_path / "a.json", set(), list[str]()
    while found != {"first", "second"}:
        writers = [subprocess.Popen([sys.executable, "-c", WRITER, file, name]) for name in ("first", "second")]
        while not file.exists():
            assert [writer.poll() for writer in writers] == [None, None]
        for _ in range(20):
            page = store.kept(file, say=said.append)
            assert len(page) == 100_000
            assert len(set(page)) == 1
            found.update(page)
        for writer in writers:
            writer.kill()
            writer.wait()
        assert len(set(store.kept(file, say=said.append))) == 1
        file.unlink()
    assert not said
