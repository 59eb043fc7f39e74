"""A function is taken out of a file that does not import, with what it refers to and nothing else."""

import inspect
import sys
from pathlib import Path

import pytest

from metric_adapters.own import load
from metric_adapters.taken_out import TAKEN

MISSING = "import a_package_of_nobody\n"
FUNCTION = "def f(): return one()\n"
ONE = "def one(): return 1\n"


@pytest.fixture(autouse=True)
def as_before():
    """Leaves the modules, the finders and what was taken out as they were."""
    modules, finders = set(sys.modules), list(sys.meta_path)
    yield
    for name in set(sys.modules) - modules:
        del sys.modules[name]
    sys.meta_path[:], TAKEN[:] = finders, []


def wrote(folder: Path, files: dict[str, str]) -> str:
    """The first of the files, after all are written."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return str(folder / next(iter(files)))


LAYOUTS = {
    "a missing package that another function uses": {
        "a1.py": MISSING + "def g(): return a_package_of_nobody.x\n" + ONE + FUNCTION
    },
    "a missing package that only an annotation names": {
        "a2.py": MISSING + "def one(x: a_package_of_nobody.X = None) -> a_package_of_nobody.X: return 1\n" + FUNCTION
    },
    "a name that an import of all brings": {
        "a3.py": MISSING + "from b3 import *\n" + FUNCTION,
        "b3.py": MISSING + "from c3 import *\n", "c3.py": MISSING + ONE
    },
    "a relative import of a file with a missing package": {
        "p4/q/a4.py": MISSING + "from ..b4 import one\n" + FUNCTION,
        "p4/b4.py": MISSING + ONE, "p4/__init__.py": MISSING
    },
    "a module of the package": {
        "p5/a5.py": MISSING + "from . import b5\ndef f(): return b5.one()\n", "p5/b5.py": MISSING + ONE
    },
    "a module that the package's __init__ imports by name": {
        "p15/a15.py": "from . import b15\n" + MISSING + "def f(): return b15.one()\n",
        "p15/__init__.py": "from . import b15, a15\n", "p15/b15.py": ONE
    },
    "a module by its own name": {
        "a6.py": MISSING + "import b6 as tools\ndef f(): return tools.one()\n", "b6.py": MISSING + ONE
    },
    "what the package's __init__ brings": {
        "p7/a7.py": MISSING + "from p7.q import one\n" + FUNCTION,
        "p7/q/__init__.py": MISSING + "from .b7 import one\n", "p7/q/b7.py": MISSING + ONE,
    },
    "a constant that is filled after it is made": {
        "a8.py": "TABLE = {}\nTABLE['one'] = 1\n" + MISSING + "def f(): return TABLE['one']\n"
    },
    "a decorator, a base class and a default": {
        "a9.py": "def same(g): return g\nclass Base: one = 1\nclass Own(Base): pass\nDEFAULT = Own()\n" + MISSING
        + "@same\ndef f(x=DEFAULT): return x.one\n"
    },
    "a program that reads its command line": {
        "a10.py": "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('file')\n"
        "options = parser.parse_args()\n" + ONE + FUNCTION
    },
    "a program that reads a file that is not there": {"a11.py": "data = open('nothing.csv').read()\n" + ONE + FUNCTION},
    "a local variable named as one of the top level": {
        "a12.py": "data = open('nothing.csv').read()\n" + ONE + "def f():\n    data = one()\n    return data\n"
    },
    "names bound only where the file is the program": {
        "a13.py": MISSING + ONE + FUNCTION + "if __name__ == '__main__':\n    one = a_package_of_nobody.one\n"
    },
    "a missing package that its helper uses elsewhere": {
        "a16.py": MISSING + "two = 2\ndef one(x=0): return a_package_of_nobody.x() if x else 1\n" + FUNCTION
    },
    "an import that has another way": {
        "a14.py": MISSING + "try:\n    from a_package_of_nobody import one\nexcept ImportError:\n    " + ONE + FUNCTION
    },
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_the_function_needs_runs(name: str, tmp_path: Path):
    target = wrote(tmp_path, LAYOUTS[name])
    loaded = load(f"{target}:f")
    assert loaded.make(1)() == 1
    assert "def f(" in inspect.getsource(loaded.source)
    (taken,) = TAKEN
    assert 0 < taken.ran < taken.of


OTHER_METHOD = "class F:\n    def g(x): return a_package_of_nobody.x\n    def f(x, k=1): return x + k\n"


def test_of_a_class_only_the_method_that_is_asked_must_find_its_packages(tmp_path: Path):
    target = wrote(tmp_path, {"f1.py": MISSING + OTHER_METHOD})
    assert load(f"{target}:F.f").make(1)(1) == 2
    with pytest.raises(ModuleNotFoundError, match="nobody"):
        load(f"{target}:F.g")


def test_a_class_of_a_missing_package_has_no_objects(tmp_path: Path):
    text = (
        "from a_package_of_nobody import X\ndef one(x): return 2 if isinstance(x, X) else 1\ndef f(): return one(1)\n"
    )
    assert load(f"{wrote(tmp_path, {'g1.py': text})}:f").make(1)() == 1


AROUND = "def two(k): return k\n"
INNER = {
    "beside functions that it calls, one of which calls itself": (
        "def f(x):\n    def one(n): return 1 if n == 1 else one(n - 1)\n    def inner(): return one(3)\n    x.x()\n",
        "f.inner",
    ),
    "in a method, below an import and a constant": (
        "class F(a_package_of_nobody.X):\n    def f(self):\n        import math as m\n        base = 1\n"
        "        def inner(): return m.floor(two(base + 0.5))\n        return inner() + self.x\n",
        "F.f.inner",
    ),
    "with a parameter around it that has a default": (
        "def f(model, one=1):\n    if model:\n        def inner(k=one): return two(k)\n        return inner()\n",
        "f.inner",
    ),
    "in two functions": (
        "def f(model):\n    def g(x):\n        def inner(): return one\n        return inner\n    one = 1\n",
        "f.g.inner",
    ),
    "a method that never reads its object": (
        "class F(a_package_of_nobody.X):\n    def inner(self, k=1): return two(k)\n",
        "F.inner",
    ),
    "a method of no object": (
        "class F(a_package_of_nobody.X):\n    @staticmethod\n    def inner(k=1): return two(k)\n",
        "F.inner",
    ),
}


@pytest.mark.parametrize("missing", ["", MISSING])
@pytest.mark.parametrize("name", INNER)
def test_an_inner_function_is_taken_out(name: str, missing: str, tmp_path: Path):
    text, inner = INNER[name]
    beside = "" if missing else "class a_package_of_nobody: X = object\n"
    loaded = load(f"{wrote(tmp_path, {'e1.py': missing + beside + AROUND + text})}:{inner}")
    assert loaded.make(1)() == 1
    assert "def inner(" in inspect.getsource(loaded.source)
    assert len(TAKEN) == bool(missing)


NOT_ALONE = {
    "it reads a parameter": ("def f(model):\n    def inner(): return model.x\n", "f.inner"),
    "it reads a computed value": ("def f():\n    n = len('one')\n    def inner(): return n\n", "f.inner"),
    "it reads a constant that changes": ("def f():\n    n = 1\n    n += 1\n    def inner(): return n\n", "f.inner"),
    "a function beside it does": (
        "def f(model):\n    def one(): return model\n    def inner(): return one()\n",
        "f.inner",
    ),
    "it reads its object": ("class F:\n    x: a.b = a.b\n    def inner(self): return self.x\n", "F.inner"),
}


@pytest.mark.parametrize("name", NOT_ALONE)
def test_an_inner_function_that_needs_more_is_refused(name: str, tmp_path: Path):
    text, inner = NOT_ALONE[name]
    with pytest.raises((AttributeError, NameError)):
        load(f"{wrote(tmp_path, {'e2.py': text})}:{inner}")


def test_a_file_that_imports_is_imported_whole(tmp_path: Path):
    load(f"{wrote(tmp_path, {'b1.py': 'SEEN = []' + chr(10) + ONE + FUNCTION})}:f")
    assert TAKEN == []


NEEDED = {
    "a package that it uses": (MISSING + "def f(): return a_package_of_nobody.one()\n", ModuleNotFoundError, "nobody"),
    "a name of a file beside it": ("from nothing_there import one\n" + FUNCTION, ModuleNotFoundError, "nothing_there"),
    "a constant that cannot be made": ("DATA = open('nothing.csv')\ndef f(): return DATA\n", FileNotFoundError, "csv"),
    "the function itself": (MISSING + ONE, ModuleNotFoundError, "nobody"),
    "what the import said first": (MISSING + "X = {}.x\ndef f(): return X\n", ModuleNotFoundError, "nobody"),
}


@pytest.mark.parametrize("name", NEEDED)
def test_what_it_needs_and_lacks_is_the_error(name: str, tmp_path: Path):
    text, kind, words = NEEDED[name]
    with pytest.raises(kind, match=words):
        load(f"{wrote(tmp_path, {'c1.py': text})}:f")


def test_a_missing_module_of_the_repository_is_no_package_to_install(tmp_path: Path):
    files = {
        "src/d1.py": "from src.nothing import one\n" + FUNCTION,
        "d2.py": "from nothing.src import one\n" + FUNCTION,
    }
    named = []
    for path in files:
        wrote(tmp_path, files)
        with pytest.raises(ModuleNotFoundError) as raised:
            load(f"{tmp_path / path}:f")
        named.append(raised.value.name)
    assert named == [None, "nothing"]


def test_a_missing_module_of_an_installed_package_is_one_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    installed = tmp_path / "venv" / "site-packages"
    folder = installed / "package_of_nobody"
    (folder / "module_of_nobody").mkdir(parents=True)
    (folder / "__init__.py").write_text("import module_of_nobody\n")
    monkeypatch.syspath_prepend(str(installed))
    target = wrote(tmp_path, {"d3.py": "import package_of_nobody\ndef f(): return package_of_nobody.x\n"})
    with pytest.raises(ModuleNotFoundError) as raised:
        load(f"{target}:f")
    assert raised.value.name == "module_of_nobody"


def test_a_folder_around_a_file_hides_no_package(tmp_path: Path):
    target = wrote(
        tmp_path,
        {
            "p9/losses/math_of_nobody/pairs.py": MISSING + "import math_of_nobody\ndef f(): return math_of_nobody.x\n",
            "p9/losses/math_of_nobody/__init__.py": "x = 1\n",
            "p9/losses/__init__.py": "",
            "p9/__init__.py": "",
        },
    )
    with pytest.raises(ModuleNotFoundError, match="math_of_nobody"):
        load(f"{target}:f")
