"""What users depend on is as its listing in ``stable/`` says, or has a new version.

``python -m tests.test_stable`` writes the listings. A listing is named by the version that it belongs to, so a new
version has a new file, and a version that has been released keeps its own.
"""

from __future__ import annotations

import dataclasses
import difflib
import inspect
import json
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from metric_harness import __version__
from metric_harness.cli import app, exit_codes
from metric_harness.cli.tree import Root, Tree, loaded
from metric_harness.libraries.checking import outcome
from metric_harness.libraries.schema import SCHEMA
from metric_reference.registry import METRICS
from metric_reference.signatures import words
from metric_reference.signatures.signature import FIRST
from metric_reports.record import MODELS, schema
from metric_reports.versions import SCHEMA_VERSION
from tests.support.places import ROOT

FOLDER = Path(__file__).parent / "stable"
MAJOR = __version__.partition(".")[0]


def signature_words() -> Iterator[str]:
    for name, metric in METRICS.items():
        yield f"metric {name}"
        for field in dataclasses.fields(metric):
            since = words.LATER.get((name, field.name), FIRST)
            yield f"{name} {field.name} since {since}, usually {field.default}"
            for value in (*(field.metadata["values"] or ()), *field.metadata.get("with_parameter", ())):
                yield f"{name} {field.name}: {value}"
    parts = {"mean": words.MEANS.values(), "users": words.USERS, "candidates": words.CANDIDATE_PARTS}
    parts |= {part: {**values, **words.UNKNOWN}.values() for part, (_, values) in words.EDGES.items()}
    yield from (f"{part}: {word}" for part, allowed in parts.items() for word in allowed)
    yield from (f"{name} is written {word}" for name, word in {**words.KEYS, **words.CHOSEN}.items())


def properties(name: str, described: dict[str, Any]) -> Iterator[str]:
    """A line for each key of a JSON Schema's object, without its descriptions."""
    for key, value in described.get("properties", {}).items():
        needed = "" if key in described.get("required", ()) else ", optional"
        plain = undescribed(value)
        yield from (f"{name}.{key}: {word}" for word in plain.pop("enum", ()))
        yield f"{name}.{key}{needed}: {json.dumps(plain, sort_keys=True)}"


def undescribed(value: Any) -> Any:
    if isinstance(value, dict):
        texts = ("description", "title", "examples")
        return {key: undescribed(part) for key, part in value.items() if key not in texts}
    return [undescribed(part) for part in value] if isinstance(value, list) else value


def record() -> Iterator[str]:
    lines: set[str] = set()
    for name in MODELS:
        described = schema(name)
        lines.update(properties(name, described))
        for part, its_own in described["$defs"].items():
            lines.update(properties(part, its_own))
    yield from lines


def command_line() -> Iterator[str]:
    for module in (exit_codes, app, outcome):
        codes = {name: code for name, code in vars(module).items() if name.isupper() and type(code) is int}
        yield from (f"exit code {code}: {name}" for name, code in codes.items())
    for row in Root.rows:
        yield from options(loaded(row), row.name)


def options(command: Any, path: str) -> Iterator[str]:
    """A line for each command below a command, and for each of their options and arguments."""
    yield path
    for parameter in command.params:
        yield f"{path} {' '.join([*parameter.opts, *parameter.secondary_opts])}"
    rows = {row.name: loaded(row) for row in command.rows} if isinstance(command, Tree) else {}
    for name, below in (rows or getattr(command, "commands", {})).items():
        yield from options(below, f"{path} {name}")


def documented(*pages: str) -> list[str]:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    return [name for name in re.findall(r"(?m)^::: (\S+)$", text) if name.startswith(pages)]


def found(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        home, _, attribute = name.rpartition(".")
        return getattr(found(home), attribute)


def called(name: str, value: Any) -> str:
    """A callable with the names, kinds and simple defaults of its parameters; types are mypy's to hold."""
    parameters = []
    for parameter in inspect.signature(value).parameters.values():
        default = parameter.default
        if default is not parameter.empty and not isinstance(default, (type(None), str, int, float, tuple)):
            default = ...
        parameters.append(parameter.replace(annotation=parameter.empty, default=default))
    return f"{name}{inspect.Signature(parameters)}"


def described(name: str) -> Iterator[str]:
    value = found(name)
    if inspect.ismodule(value):
        for each, part in vars(value).items():
            if getattr(part, "__module__", None) == value.__name__ and not each.startswith("_"):
                yield from described(f"{name}.{each}")
        return
    if not (inspect.isclass(value) and issubclass(value, Exception)):
        yield called(name, value)
    else:
        yield name
    if not inspect.isclass(value):
        return
    for each in dir(value):
        part = inspect.getattr_static(value, each)
        if each.startswith("_") or hasattr(Exception, each) or hasattr(tuple, each):
            continue
        method = getattr(part, "__func__", part)
        yield called(f"{name}.{each}", method) if inspect.isfunction(method) else f"{name}.{each}"


def python() -> Iterator[str]:
    for name in documented("metric_harness.", "metric_reference.", "metric_reports."):
        yield from described(name)


def adapter() -> Iterator[str]:
    for name in documented("metric_adapters."):
        yield from described(name)
    yield from described("metric_adapters.subject.CannotShow")
    yield from described("metric_reference.case.Case")
    described_toml = json.loads(SCHEMA.read_text(encoding="utf-8"))
    yield from properties("library.toml", described_toml)
    for part, its_own in described_toml["$defs"].items():
        yield from properties(part, its_own)


class Promise(NamedTuple):
    """Something stable: the version it has, where a break raises it, and its lines."""

    version: str
    raised_in: str
    lines: Callable[[], Iterator[str]]


VERSION_PY = "the first number of harness/metric_harness/version.py"
PROMISES = {
    "signature": Promise(words.VERSION, "VERSION in reference/metric_reference/signatures/words.py", signature_words),
    "record": Promise(str(SCHEMA_VERSION), "SCHEMA_VERSION in reports/metric_reports/versions.py", record),
    "command_line": Promise(MAJOR, VERSION_PY, command_line),
    "python": Promise(MAJOR, VERSION_PY, python),
    "adapter": Promise(MAJOR, VERSION_PY, adapter),
}


def listing(name: str) -> list[str]:
    return sorted(set(PROMISES[name].lines()))


def file_of(name: str) -> Path:
    return FOLDER / f"{name}-{PROMISES[name].version}.txt"


def change(name: str, kept: list[str], present: list[str]) -> str:
    """What changed, and what is to be done; empty where nothing did."""
    lines = [line for line in difflib.unified_diff(kept, present, n=0, lineterm="") if line[1:2] not in ("-", "+", "@")]
    lines = [line for line in lines if line[0] in "+-"]
    if not lines:
        return ""
    remedy = (
        f"a line is gone: users of version {PROMISES[name].version} break; raise {PROMISES[name].raised_in}"
        if any(line.startswith("-") for line in lines)
        else "lines are new, which breaks nobody: raise the second number of harness/metric_harness/version.py"
    )
    return "\n".join([*lines, f"{remedy}, and write the listing with: python -m tests.test_stable"])


@pytest.mark.parametrize("name", PROMISES)
def test_what_users_depend_on_changes_with_its_version_alone(name: str) -> None:
    kept = file_of(name).read_text(encoding="utf-8").splitlines()
    changed = change(name, kept, listing(name))
    assert not changed, f"\n{changed}"


def test_the_message_says_what_changed_and_which_number_rises() -> None:
    kept = ["exit code 1: FINDINGS", "exit code 2: FAILED"]
    gone = change("command_line", kept, ["exit code 2: FAILED"])
    assert "-exit code 1: FINDINGS" in gone
    assert f"raise {VERSION_PY}" in gone
    new = change("command_line", kept, [*kept, "exit code 3: MORE"])
    assert new.startswith("+exit code 3: MORE\n")
    assert "raise the second number" in new
    assert change("command_line", kept, kept) == ""


def test_the_page_names_each_listing() -> None:
    page = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")
    assert re.findall(r"`tests/stable/(\w+)-", page) == list(PROMISES)


if __name__ == "__main__":
    for each in PROMISES:
        file_of(each).write_text("\n".join(listing(each)) + "\n", encoding="utf-8")
