"""The house rules that a reader relies on: imports point one way, and no file speaks of one machine."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("reference", "adapters", "harness", "reports", "tests")
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


def imports(path: Path, late: bool = True) -> set[str]:
    """Dotted names of every module that a file imports; ``from a import b`` gives ``a`` and ``a.b``.

    late : count those inside functions too, which run when the function is called.
    """
    found = set()
    package = path.relative_to(ROOT).parent.parts
    nodes: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while nodes:
        node = nodes.pop()
        if late or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            nodes.extend(ast.iter_child_nodes(node))
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return found


def roots(names: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


def files(package: str) -> list[Path]:
    found = sorted((ROOT / package).rglob("*.py"))
    assert found
    return found


def outside(names: set[str], allowed: set[str], path: Path) -> str:
    wrong = sorted(roots(names) - allowed)
    return f"{path.relative_to(ROOT)} imports {', '.join(wrong)}" if wrong else ""


def test_reference_imports_numpy_alone() -> None:
    allowed = {"numpy", "reference", *sys.stdlib_module_names}
    assert not list(filter(None, (outside(imports(path), allowed, path) for path in files("reference"))))


def test_adapters_share_what_every_environment_has() -> None:
    """What all libraries' adapters share loads beside numpy alone; another package may be used inside a function."""
    allowed = {"numpy", "reference", "adapters", *sys.stdlib_module_names}
    shared = [path for path in files("adapters") if path.parent == ROOT / "adapters"]
    assert not list(filter(None, (outside(imports(path, late=False), allowed, path) for path in shared)))


def test_the_adapter_of_a_library_imports_nothing_of_the_harness() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files("adapters")
        for name in roots(imports(path)) & {"harness", "reports", "tests"}
    ]
    assert not wrong


def test_adapters_take_the_case_alone_from_the_reference() -> None:
    """What a metric means must not reach the code that asks a library for its own answer."""
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files("adapters")
        for name in imports(path)
        if name.partition(".")[0] == "reference" and not re.fullmatch(r"reference\.case(\.\w+)?", name)
    ]
    assert not wrong


def test_only_the_command_line_imports_reports() -> None:
    wrong = [
        path.name
        for path in files("harness")
        if "reports" in roots(imports(path)) and path != ROOT / "harness" / "cli.py"
    ]
    assert not wrong
    assert not [path.name for path in files("harness") if "tests" in roots(imports(path))]


def test_reports_know_the_record_alone() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files("reports")
        for name in imports(path)
        if name.partition(".")[0] in OURS and not re.fullmatch(r"reports(\..+)?|harness\.record(\.\w+)?", name)
    ]
    assert not wrong


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


def test_the_rules_above_see_what_they_forbid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "harness").mkdir()
    file = tmp_path / "harness" / "some.py"
    file.write_text(
        "import os.path\nfrom . import record\nif 1:\n import json\ndef f():\n from ..reports import html\n"
    )
    assert imports(file) == {
        "os.path",
        "harness",
        "metric_reports.record",
        "json",
        "reports",
        "metric_reports.html.page",
    }
    assert imports(file, late=False) == {"os.path", "harness", "metric_reports.record", "json"}
    assert outside(imports(file), {"os", "harness"}, file) == "harness/some.py imports json, reports"
    assert HOME.search(b"read /home/" + b"someone/data")
    assert HOME.search(b"C:" + b"\\Users\\someone")
    assert not HOME.search(b"https://example.org/homepage")
