"""A file of somebody's repository is imported as its own code imports it."""

import sys
from pathlib import Path

import pytest

from metric_adapters.imports import folders_above, import_file, place_of

BODY = "def f(): return one()\n"


@pytest.fixture(autouse=True)
def as_before():
    """Leaves the modules, the path and the finders as they were."""
    modules, path, finders = set(sys.modules), list(sys.path), list(sys.meta_path)
    yield
    for name in set(sys.modules) - modules:
        del sys.modules[name]
    sys.path[:], sys.meta_path[:] = path, finders


LAYOUTS = {
    "a relative import without __init__.py": (
        "shop_a/metrics/hits.py", "from .base import one\n", {"shop_a/metrics/base.py": "def one(): return 1\n"},
    ),
    "a relative import of the package above": (
        "shop_b/metrics/hits.py", "from ..base import one\n", {"shop_b/base.py": "def one(): return 1\n"},
    ),
    "the package by its own name": (
        "shop_c/metrics/hits.py", "from shop_c.metrics.base import one\n",
        {"shop_c/metrics/base.py": "def one(): return 1\n"},
    ),
    "another folder of the repository": (
        "shop_d/evaluate/hits.py", "from shop_d_tools import one\n", {"shop_d_tools.py": "def one(): return 1\n"},
    ),
    "a package whose folder is called otherwise": (
        "checkout-main/metrics/hits_i.py", "from shop_i.metrics.base_i import one\n",
        {"checkout-main/metrics/base_i.py": "from shop_i.numbers_i import one\n",
         "checkout-main/numbers_i.py": "def one(): return 1\n"},
    ),
    "a source folder of the repository": (
        "scripts/hits_e.py", "from shop_e.tools import one\n", {"src/shop_e/tools.py": "def one(): return 1\n"},
    ),
    "what an imported module imports": (
        "shop_f/evaluate/hits.py", "from shop_f.tools import one\n",
        {"shop_f/tools.py": "from shop_f_more import one\n", "shop_f_more.py": "def one(): return 1\n"},
    ),
    "a package that needs what is not installed": (
        "shop_g/metrics/hits.py", "from .base import one\n",
        {"shop_g/__init__.py": "import a_package_of_nobody\n", "shop_g/metrics/__init__.py": "",
         "shop_g/metrics/base.py": "def one(): return 1\n"},
    ),
    "a constant of a package beside one that needs what is not installed": (
        "shop_h/metrics/hits.py", "import shop_h\ndef one(): return shop_h.ONE\n",
        {"shop_h/__init__.py": "ONE = 1\n", "shop_h/metrics/__init__.py": "import a_package_of_nobody\n"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_file_finds_what_it_imports(name: str, tmp_path: Path):
    file, line, others = LAYOUTS[name]
    for path, text in {file: line + BODY, **others}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert import_file(tmp_path / file).f() == 1


def test_a_plain_file_is_loaded_from_its_folder(tmp_path: Path):
    (tmp_path / "plain_hits.py").write_text("import json\ndef f(): return 1\n")
    place = place_of(tmp_path / "plain_hits.py")
    assert place.root == tmp_path
    assert place.names == ("plain_hits",)


def test_a_file_is_no_module_of_a_package_that_is_missing(tmp_path: Path):
    file = tmp_path / "metrics.py"
    file.write_text("from package_of_nobody.metrics import one\n" + BODY)
    with pytest.raises(ModuleNotFoundError, match="package_of_nobody"):
        import_file(file)


def test_what_is_not_there_is_said_by_the_file_itself(tmp_path: Path):
    (tmp_path / "lonely.py").write_text("import a_package_of_nobody\n")
    with pytest.raises(ModuleNotFoundError, match="a_package_of_nobody"):
        import_file(tmp_path / "lonely.py")


def test_the_search_ends_at_the_repository(tmp_path: Path):
    inside = tmp_path / "repository" / "a" / "b"
    inside.mkdir(parents=True)
    (tmp_path / "repository" / ".git").mkdir()
    assert folders_above(inside / "file.py") == [inside, inside.parent, inside.parent.parent]


def test_the_home_folder_is_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    (tmp_path / "project").mkdir()
    assert folders_above(tmp_path / "project" / "file.py") == [tmp_path / "project"]


def test_a_folder_around_a_file_hides_no_package(tmp_path: Path):
    inner = tmp_path / "shop_h" / "losses" / "a_package_of_nobody" / "pairs.py"
    inner.parent.mkdir(parents=True)
    for folder in (inner.parent, inner.parent.parent, tmp_path / "shop_h"):
        (folder / "__init__.py").write_text("")
    inner.write_text("import a_package_of_nobody\n" + BODY)
    with pytest.raises(ModuleNotFoundError, match="a_package_of_nobody"):
        import_file(inner)
