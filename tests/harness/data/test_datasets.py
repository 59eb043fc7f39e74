"""Data sets by name: where they come from, downloads that break off, work offline."""

import hashlib
import http.server
import io
import re
import threading
import zipfile

import pandas as pd
import pytest

from metric_harness.data import datasets
from metric_harness.data.datasets import CHECKSUMS, NAMES, load_dataset, read_ratings
from metric_harness.system.errors import HarnessError


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("METRIC_HARNESS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    folder = tmp_path / "cache" / "datasets"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def no_index(tmp_path, monkeypatch):
    """The package client reaches no index, local or remote, and has nothing in its cache."""
    (tmp_path / "nothing").mkdir()
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/simple")
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_FIND_LINKS", str(tmp_path / "nothing"))
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))


def test_names_and_checksums_are_complete():
    assert NAMES == ("ml-100k", "ml-latest-small", "ml-1m", "ml-10m", "ml-20m", "ml-25m", "ml-32m")
    assert all(re.fullmatch(r"sha256:[0-9a-f]{64}|md5:[0-9a-f]{32}", value) for value in CHECKSUMS.values())
    with pytest.raises(HarnessError, match=r"none of that name.*ml-32m"):
        load_dataset("ml-2m")


def test_movielens_100k_comes_out_of_recbole_and_is_cached(cache, request):
    ratings = load_dataset("ml-100k")
    frame = ratings.frame
    assert (len(frame), frame["user_id"].nunique(), frame["item_id"].nunique()) == (100_000, 943, 1_682)
    assert frame["timestamp"].between(874724710, 893286638).all()  # September 1997 to April 1998
    assert [path.name for path in cache.iterdir()] == ["ml-100k.inter"]  # nothing else of the distribution is kept
    request.getfixturevalue("no_index")
    assert load_dataset("ml-100k").sha256 == ratings.sha256
    with (cache / "ml-100k.inter").open("r+b") as file:
        byte = file.read(1)
        file.seek(0)
        file.write(bytes([byte[0] ^ 1]))
    with pytest.raises(HarnessError, match=r"ml-100k\.inter: not the .* delete it"):
        load_dataset("ml-100k")


@pytest.mark.large
def test_movielens_100k_of_recbole_equals_grouplens(movielens):
    original = read_ratings(movielens("ml-100k", "u.data")).frame
    pd.testing.assert_frame_equal(load_dataset("ml-100k").frame, original)


def test_movielens_100k_without_an_index_says_what_to_do(cache, no_index):
    with pytest.raises(HarnessError) as caught:
        load_dataset("ml-100k")
    for part in ("recbole==1.2.1", str(cache / "ml-100k.inter"), datasets.RECBOLE_FILE):
        assert part in str(caught.value)
    assert not list(cache.iterdir())


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves one file; understands Range; can end the connection early."""

    def do_GET(self):
        server = self.server
        asked = self.headers.get("Range")
        server.ranges.append(asked)
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and server.ranged else 0
        body = server.body[start:]
        if start >= len(server.body):
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: server.limit])

    def log_message(self, *args):
        return


@pytest.fixture
def server(monkeypatch):
    """A server that stands for GroupLens's, with ml-1m as its only file: three million bytes that do not compress."""
    rows = "".join(f"{user}::{item}::5::{user + item}\n" for user in range(1, 401) for item in range(1, 401))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("ml-1m/ratings.dat", rows)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.body, server.limit, server.ranged, server.ranges = stream.getvalue(), None, True, []
        monkeypatch.setattr(datasets, "ADDRESS", f"http://127.0.0.1:{server.server_port}/{{name}}.zip")
        monkeypatch.setitem(CHECKSUMS, "ml-1m", "sha256:" + hashlib.sha256(server.body).hexdigest())
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_download_is_checked_cached_and_not_repeated(cache, server):
    first = load_dataset("ml-1m")
    assert len(first.frame) == 160_000
    assert first.name == "ml-1m"
    assert load_dataset("ml-1m").sha256 == first.sha256
    assert server.ranges == [None]
    assert [path.name for path in cache.iterdir()] == ["ml-1m.zip"]


@pytest.mark.parametrize("ranged", [True, False], ids=["server resumes", "server starts over"])
def test_interrupted_download_goes_on_where_it_stopped(cache, server, ranged):
    server.ranged, server.limit = ranged, 2_000_000
    with pytest.raises(HarnessError, match="Run again to go on"):
        load_dataset("ml-1m")
    kept = (cache / "ml-1m.zip.part").stat().st_size
    assert 0 < kept <= 2_000_000
    assert not (cache / "ml-1m.zip").exists()
    server.limit = None
    assert len(load_dataset("ml-1m").frame) == 160_000
    assert server.ranges == [None, f"bytes={kept}-"]
    assert [path.name for path in cache.iterdir()] == ["ml-1m.zip"]


def test_a_part_as_long_as_the_file_does_not_block_the_next_run(cache, server):
    (cache / "ml-1m.zip.part").write_bytes(b"x" * len(server.body))
    with pytest.raises(HarnessError, match="longer than the file"):
        load_dataset("ml-1m")
    assert len(load_dataset("ml-1m").frame) == 160_000


def test_another_file_than_published_is_refused(cache, server):
    server.body = server.body[:-1] + b"x"
    with pytest.raises(HarnessError, match="has not the published sha256"):
        load_dataset("ml-1m")
    assert not list(cache.iterdir())


def test_offline_says_which_address_which_file_and_where_to_put_it(cache, server, monkeypatch):
    content = server.body
    monkeypatch.setattr(datasets, "ADDRESS", "http://127.0.0.1:9/{name}.zip")  # the discard port: nothing listens
    with pytest.raises(HarnessError) as caught:
        load_dataset("ml-1m")
    for part in ("http://127.0.0.1:9/ml-1m.zip", "fetch ml-1m.zip", str(cache / "ml-1m.zip")):
        assert part in str(caught.value)
    (cache / "ml-1m.zip").write_bytes(content)  # put there by hand
    assert len(load_dataset("ml-1m").frame) == 160_000
    (cache / "ml-1m.zip").write_bytes(content[:-1])
    with pytest.raises(HarnessError, match=r"ml-1m\.zip: its sha256 is not the published"):
        load_dataset("ml-1m")
    assert (cache / "ml-1m.zip").read_bytes() == content[:-1]  # a file of the user's is never overwritten


def test_an_http_error_leaves_no_part(cache, server):
    server.body = b""  # the handler answers with an error then
    with pytest.raises(HarnessError, match=r"could not be fetched \(HTTPError"):
        load_dataset("ml-1m")
    assert not list(cache.iterdir())
