"""``metric-harness site``: what it prints, and what it refuses before any work."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.command import run


def test_help_has_an_example() -> None:
    assert "metric-harness site --out site" in " ".join(run("site", "--help").stdout.split())


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    file = tmp_path / "site"
    file.write_text("x")
    ended = run("site", "--out", str(file))
    assert ended.returncode == 2
    assert f"--out {file}: it is a file" in ended.stderr


def test_a_folder_with_other_files_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    ended = run("site", "--out", str(tmp_path))
    assert ended.returncode == 2
    assert "holds files and is no site; name an empty folder or a new one" in ended.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    ended = run("site", "--out", str(tmp_path / "site"))
    tmp_path.chmod(0o700)
    assert ended.returncode == 2
    assert "may not be written in" in ended.stderr


def test_an_address_is_of_the_web(tmp_path: Path) -> None:
    ended = run("site", "--out", str(tmp_path / "site"), "--url", "metrics.example.org")
    assert ended.returncode == 2
    assert "begins with https://" in ended.stderr


@pytest.mark.slow
def test_the_whole_site_is_written_and_written_again(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    first, again = run("site", "--out", str(folder)), run("site", "--out", str(folder), "--quiet")
    assert (first.returncode, again.returncode, again.stderr) == (0, 0, "")
    assert "Reading recordings" in first.stderr
    assert str(folder / "index.html") in again.stdout
    assert (folder / "libraries" / "recbole.html").is_file()
