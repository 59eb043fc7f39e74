"""A repository with two releases of a toy library, its folder, and lists to ask it."""

from pathlib import Path

import pytest

from metric_harness.bundles.build import bundle_from_files
from metric_harness.libraries.describe import Library, read_library
from tests.harness.libraries.git_toy import ADAPTER, PAGE, TOY, git


@pytest.fixture
def repository(tmp_path: Path) -> tuple[Path, list[str]]:
    """A repository with two commits, and their names."""
    folder = tmp_path / "clone"
    (folder / "pkg").mkdir(parents=True)
    git(folder, "init", "--quiet")
    (folder / "data.bin").write_bytes(b"large")
    commits = []
    for divisor in ("k", "min(k, len(r))"):
        (folder / "pkg" / "toy.py").write_text(TOY.format(divisor=divisor))
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "-m", divisor)
        commits.append(git(folder, "rev-parse", "HEAD"))
    return folder, commits


@pytest.fixture
def toy(repository, tmp_path, monkeypatch) -> Library:
    monkeypatch.setenv("METRIC_HARNESS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("METRIC_HARNESS_SOURCES", raising=False)
    folder = tmp_path / "library" / "toy"
    folder.mkdir(parents=True)
    old, new = repository[1]
    # The address is one that git cannot reach, wherever this runs.
    page = PAGE.format(repository="https://example.invalid/toy", old=old, new=new)
    (folder / "library.toml").write_text(page)
    (folder / "adapter.py").write_text(ADAPTER)
    (tmp_path / "compiled" / "toy").mkdir(parents=True)
    (tmp_path / "compiled" / "toy" / "name.txt").write_text("precision")
    monkeypatch.setenv("METRIC_HARNESS_COMPILED", str(tmp_path / "compiled"))
    return read_library(folder)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bundle")
    lists = [(u, (7 * u + 3 * r) % 40, 10 - r) for u in range(20) for r in range(8)]
    truth = [(u, (7 * u + 3 * r) % 40) for u in range(20) for r in range(1, 9, 2 + u % 3)]
    for name, rows in (("pred.csv", lists), ("test.csv", truth)):
        head = "user_id,item_id,score" if name == "pred.csv" else "user_id,item_id"
        (folder / name).write_text("\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return bundle_from_files(folder / "pred.csv", folder / "test.csv", folder / "bundle", threshold=None, depth=8)
