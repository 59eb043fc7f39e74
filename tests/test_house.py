"""The house rules that a reader relies on: imports point one way, and no file speaks of one machine."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parent.parent
REGISTRIES = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"), ("pythonhosted", "org"), ("pypi", "python", "org"), ("anaconda", "org"),
        ("npmjs", "org"), ("crates", "io"), ("rubygems", "org"),
    )
]  # fmt: skip
HOME = re.compile(
    "|".join((r"/(?:home|Users)" + r"/\w", "/root" + "/", r"\b[A-Z]:\\+" + r"Users\\")).encode(), re.IGNORECASE
)


def loaded_at_import(path: Path) -> set[str]:
    """The top-level names that a file imports when it is loaded; imports inside functions are left out."""
    found = set()
    nodes: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while nodes:
        node = nodes.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        nodes.extend(ast.iter_child_nodes(node))
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return found


def sources(*folders: str) -> list[Path]:
    """Every Python file below folders of the checkout."""
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    assert found
    return found


def test_the_layers_hold() -> None:
    """The contracts of pyproject.toml: which package may import which."""
    ran = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize(("package", "beside"), [("reference", ()), ("adapters/kit", ("metric_adapters",))])
def test_what_runs_beside_a_library_loads_numpy_alone(package: str, beside: tuple[str, ...]) -> None:
    allowed = {"numpy", "metric_reference", *beside, *sys.stdlib_module_names}
    wrong = {path.name: loaded_at_import(path) - allowed for path in sources(package)}
    assert not {name: names for name, names in wrong.items() if names}


def test_an_adapter_imports_nothing_of_the_harness() -> None:
    adapters = [path for path in sources("adapters") if "kit" not in path.relative_to(ROOT).parts]
    wrong = {path: re.findall(r"\bmetric_(?:harness|reports)\b", path.read_text(encoding="utf-8")) for path in adapters}
    assert not {path.name: names for path, names in wrong.items() if names}


def test_no_files_import_one_another_in_a_circle() -> None:
    """Imports inside functions count too; those for types alone do not."""
    packages = ("metric_harness", "metric_reports", "metric_adapters", "metric_reference")
    graph = grimp.build_graph(*packages, exclude_type_checking_imports=True, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    while free := [module for module, imported in imports.items() if not imported]:
        imports = {module: imported - set(free) for module, imported in imports.items() if module not in free}
    while unused := set(imports) - {imported for each in imports.values() for imported in each}:
        imports = {module: imported for module, imported in imports.items() if module not in unused}
    assert imports == {}


MOST_PARAMETERS = 8
MANY_PARAMETERS = {"case_from_lists"}
"""Public, and all beyond the first three by keyword. The parameters of a command are its options."""


def functions_of(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a file, methods and functions inside functions too."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    yield from (node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def parameters_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many parameters a function has, besides the object or class that a method is of."""
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return sum(one.arg not in ("self", "cls") for one in given)


def test_no_function_has_many_parameters() -> None:
    many = {
        f"{path.name}:{function.name}": count
        for path in sources("harness", "adapters", "reference", "reports")
        for function in functions_of(path)
        if (count := parameters_of(function)) > MOST_PARAMETERS
        if function.name not in MANY_PARAMETERS
        if not ("cli" in path.parts and function.name.endswith("_command"))
    }
    assert not many


def test_the_formatter_is_on_everywhere() -> None:
    recorded = {"adapters/replay/adapter_spark.py"}  # recordings hold their digest
    files = [path.relative_to(ROOT).as_posix() for path in sources("harness", "adapters", "reference", "reports")]
    off = {name for name in files if re.search(r"# fmt: (skip|off)", (ROOT / name).read_text(encoding="utf-8"))}
    assert off == recorded


@pytest.fixture(scope="module")
def tracked() -> dict[str, bytes]:
    """Every file that git tracks and its bytes."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git clone, so there are no tracked files to look through")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    names = [name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]
    assert "pyproject.toml" in names
    return {name: (ROOT / name).read_bytes() for name in names}


def test_no_tracked_file_names_a_home_folder(tracked: dict[str, bytes]) -> None:
    wrong = [
        f"{name}: {found.group().decode()}" for name, content in tracked.items() for found in HOME.finditer(content)
    ]
    assert not wrong


def test_no_tracked_file_names_a_package_registry(tracked: dict[str, bytes]) -> None:
    wrong = [f"{name}: {host}" for name, content in tracked.items() for host in REGISTRIES if host.encode() in content]
    assert not wrong


OF_A_CONTRACT = {"__init__.py", "conftest.py", "adapter.py", "adapter_old.py", "odd_inputs.py", "beyond.py"}
"""File names that Python, pytest or the folder of a library prescribes."""


def test_no_file_name_is_met_often(tracked: dict[str, bytes]) -> None:
    names = Counter(Path(name).name for name in tracked if name.endswith(".py"))
    assert {name: count for name, count in names.items() if count > 3 and name not in OF_A_CONTRACT} == {}
