"""Values by user of many users lie in files beside the answers; what is damaged there is asked again."""

import shutil

import pytest

from metric_harness.libraries.new import new_library
from metric_harness.worker.answer_store import FEW_USERS
from metric_reports.record import read_record
from tests.support.command import run

pytestmark = pytest.mark.slow

COMPARE = "compare --recommendations pred.csv --truth test.csv --environment current --adapters lib --libraries mine"


def compare(folder):
    done = run(*COMPARE.split(), "--k", "5", "--out", "out", cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stderr


def cells(folder):
    return [{**cell, "seconds": None} for cell in read_record(folder / "out" / "run.json")["cells"]]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder where compare ran for more users than an answer holds in its line."""
    folder = tmp_path_factory.mktemp("finished") / "here"
    folder.mkdir()
    users = range(FEW_USERS + 6)
    lists = "".join(f"{user},{(user + 3 * step) % 31},{20 - step}\n" for user in users for step in range(1, 11))
    (folder / "pred.csv").write_text("user_id,item_id,score\n" + lists)
    (folder / "test.csv").write_text(
        "user_id,item_id\n" + "".join(f"{user},{(user + 3 * (user % 7)) % 31}\n" for user in users)
    )
    new_library("mine", folder / "lib")
    compare(folder)
    assert list((folder / "out" / "answers").glob("*.values.npy"))
    return folder


def flip(path):
    data = bytearray(path.read_bytes())
    data[-3] ^= 0xFF
    path.write_bytes(data)


def replace_by_folder(path):
    path.unlink()
    path.mkdir()


DAMAGES = {
    "a flipped byte": flip,
    "cut": lambda path: path.write_bytes(path.read_bytes()[:100]),
    "empty": lambda path: path.write_bytes(b""),
    "no array": lambda path: path.write_bytes(b"\x93NUMPY garbage"),
    "gone": lambda path: path.unlink(),
    "a folder": replace_by_folder,
}


@pytest.mark.parametrize("name", ["users", "values"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_arrays_are_set_aside_and_asked_again(finished, tmp_path, damage, name):
    folder = shutil.copytree(finished, tmp_path / "here")
    paths = sorted((folder / "out" / "answers").glob(f"*.{name}.npy"))
    before = {path: path.read_bytes() for path in paths}
    for path in paths:
        DAMAGES[damage](path)
    said = compare(folder)
    assert cells(folder) == cells(finished)
    assert {path: path.read_bytes() for path in paths} == before, "asked again, and kept again"
    aside = {path.with_name(f"{path.name}.1.damaged") for path in paths}
    if damage != "gone":
        assert all(path.exists() for path in aside)
        assert all(f"{path.name}: " in said for path in paths)
    again = compare(folder)
    assert "damaged" not in again
    assert cells(folder) == cells(finished)
