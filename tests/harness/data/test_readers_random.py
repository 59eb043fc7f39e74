"""Every reader is fed random bytes and mutated files: only the project's own error may come out of it.

In the daily run 200 examples each; with HYPOTHESIS_PROFILE=thorough in the environment 10,000.
"""

import io
import json
import os
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metric_harness.bundles.store import load_bundle
from metric_harness.data.datasets import read_ratings
from metric_harness.data.sources import open_source
from metric_harness.libraries.adapter_text import read_adapter
from metric_harness.libraries.describe import read_library
from metric_harness.system.errors import HarnessError
from metric_harness.worker.reply import NoAnswer, parse_line, read_reply
from metric_reports.record import read_record
from tests.support.planting import GOOD, good_files

pytestmark = pytest.mark.slow
EXAMPLES = 10_000 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 200
often = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)


def of_zip(text):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ml/ratings.csv", text)
    return file.getvalue()


def of_parquet():
    table = pa.table({"user": [1, 1, 2], "item": [3, 4, 3], "rating": [5.0, 4.0, 3.0], "timestamp": [1, 2, 3]})
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


@pytest.fixture(scope="module")
def good_record(tmp_path_factory):
    """The bytes of a record, written once: writing checks it against its schema."""
    folder = tmp_path_factory.mktemp("record")
    good_files(folder)
    return (folder / "run.json").read_bytes()


@st.composite
def mutated(draw, whole):
    """Random bytes, or a good file with bytes changed, put in, taken out, doubled, or cut."""
    if draw(st.integers(0, 4)) == 0:
        return draw(st.binary(max_size=300))
    data = bytearray(whole)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(len(data) - 1, 0)))
        kind = draw(st.sampled_from(["flip", "insert", "delete", "double", "cut"]))
        if kind == "flip" and data:
            data[at] ^= draw(st.integers(1, 255))
        elif kind == "insert":
            data[at:at] = draw(st.one_of(st.binary(max_size=9), st.sampled_from(AWKWARD)))
        elif kind == "delete":
            del data[at : at + draw(st.integers(1, 20))]
        elif kind == "double":
            data[at:at] = data[at : at + draw(st.integers(1, 40))]
        elif kind == "cut":
            del data[at:]
    return bytes(data)


AWKWARD = [
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r", b"\n\n", b'"', b",,", b"::", b"nan", b"-inf", b"1e999", b"9" * 30,
    b"\x1b[2J", "\u202e".encode(), b"[" * 2000, b"{", b"}", b"null", b"NaN", b"\\ud800", b"PK\x03\x04", b"PAR1", b"=",
]  # fmt: skip


def only_ours(read):
    """Run a reader; whatever else than a HarnessError it raises fails the test."""
    try:
        read()
    except HarnessError as error:
        said = str(error)
    else:
        return
    assert said.strip()


@pytest.mark.parametrize("name", ["ratings.csv", "ratings.dat", "ratings.parquet", "ml.zip"])
@often
@given(data=st.data())
def test_ratings(name, data, tmp_path):
    whole = {
        "ratings.csv": GOOD["ratings.csv"].encode(),
        "ratings.dat": b"1::2::5::10\n1::3::4::11\n2::2::3::12\n",
        "ratings.parquet": of_parquet(),
        "ml.zip": of_zip(GOOD["ratings.csv"]),
    }[name]
    path = tmp_path / name
    path.write_bytes(data.draw(mutated(whole)))
    only_ours(lambda: read_ratings(path))


@pytest.mark.parametrize("name", ["recs.csv", "recs.tsv", "recs.parquet"])
@often
@given(data=st.data())
def test_lists(name, data, tmp_path):
    text = GOOD["recs.csv"]
    whole = {
        "recs.csv": text.encode(),
        "recs.tsv": text.replace(",", "\t").encode("utf-16"),
        "recs.parquet": of_parquet(),
    }[name]
    path = tmp_path / name
    path.write_bytes(data.draw(mutated(whole)))
    only_ours(lambda: open_source(path, ("user", "item"), ("score", "rating"), tmp_path / "parts"))


@often
@given(data=st.data())
def test_records(good_record, data, tmp_path):
    path = tmp_path / "mutated.json"
    path.write_bytes(data.draw(mutated(good_record)))
    only_ours(lambda: read_record(path))


@often
@given(data=st.data())
def test_descriptions_of_libraries(data, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir(exist_ok=True)
    (folder / "adapter.py").write_bytes(data.draw(mutated(GOOD["lib/mine/adapter.py"].encode())))
    (folder / "library.toml").write_bytes(data.draw(mutated(GOOD["lib/mine/library.toml"].encode())))
    only_ours(lambda: read_library(folder))
    read_adapter(folder / "adapter.py")


@often
@given(data=st.data())
def test_answers(data, tmp_path):
    users, values = tmp_path / "a.users.npy", tmp_path / "a.values.npy"
    np.save(users, np.arange(3))
    np.save(values, np.ones(3))
    values.write_bytes(data.draw(mutated(values.read_bytes())))
    good = {"ok": True, "value": 0.5, "seconds": 0.1, "users": str(users), "values": str(values), "warnings": ["x"]}
    line = data.draw(st.one_of(st.just(json.dumps(good).encode()), mutated(json.dumps(good).encode())))
    try:
        reply = read_reply(parse_line(line), 1 << 30)
    except NoAnswer:
        return
    assert isinstance(reply.value, float)


@often
@given(data=st.data())
def test_manifests_of_bundles(data, tmp_path):
    Path(tmp_path, "manifest.json").write_bytes(data.draw(mutated(b'{"format": 2, "recipe": {}, "arrays": {}}')))
    only_ours(lambda: load_bundle(tmp_path))
