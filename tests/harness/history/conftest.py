"""A library with planted releases, for the tests of histories and of the watch."""

import pytest

from metric_harness.libraries.describe import read_library
from tests.support.toy_releases import ADAPTER, PAGE, shelf


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """The described toy library; its releases are found on the shelf alone."""
    root = tmp_path_factory.mktemp("toy")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("METRIC_HARNESS_CACHE", str(root / "cache"))
        patch.setenv("PIP_FIND_LINKS", str(shelf(root / "shelf")))
        patch.delenv("UV_FIND_LINKS", raising=False)  # which wins over pip's
        patch.setenv("PIP_NO_INDEX", "1")
        folder = root / "library" / "toy"
        folder.mkdir(parents=True)
        (folder / "library.toml").write_text(PAGE)
        (folder / "adapter.py").write_text(ADAPTER)
        yield read_library(folder)
