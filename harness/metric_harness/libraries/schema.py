"""The JSON Schema of library.toml, and its errors in words: what is wrong and what to write."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from metric_harness.libraries.toml_lines import KeyPath
from metric_reference.variant import Variant

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

SCHEMA = Path(__file__).with_name("library.schema.json")
PARSERS: dict[str, Callable[[str], object]] = {
    "version": Version,
    "specifier": SpecifierSet,
    "requirement": Requirement,
    "variant": Variant.parse,
    "date": date.fromisoformat,
}
"""The parser of each format of the schema; it raises ValueError for an invalid text."""
LONGEST_VALUE = 80


@cache
def library_schema() -> dict[str, Any]:
    """The schema of library.toml, as ``library.schema.json`` holds it."""
    return dict(json.loads(SCHEMA.read_text(encoding="utf-8")))


@cache
def _validator() -> Any:
    """Lists every error in a table; slower than :func:`_quick_validator`."""
    from jsonschema import Draft202012Validator, FormatChecker

    checker = FormatChecker(formats=())
    for name, parse in PARSERS.items():
        checker.checks(name, raises=ValueError)(_format_check(parse))
    return Draft202012Validator(library_schema(), format_checker=checker)


def _format_check(parse: Callable[[str], object]) -> Callable[[object], bool]:
    def check(value: object) -> bool:
        if isinstance(value, str):
            parse(value)
        return True

    return check


@cache
def _quick_validator() -> jsonschema_rs.Validator:
    """Tells quickly whether a table fits the schema."""
    formats: dict[str, Callable[[str], bool]] = {name: partial(_is_valid, parse) for name, parse in PARSERS.items()}
    return jsonschema_rs.validator_for(library_schema(), formats=formats, validate_formats=True)


def _is_valid(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True


def schema_errors(table: Mapping[str, Any]) -> list[tuple[KeyPath, str, str]]:
    """The errors of a table, each once: the path of the key, what is wrong, and the remedy."""
    try:
        if _quick_validator().is_valid(dict(table)):
            return []
    except ValueError:  # a value that it cannot read, such as a lone surrogate
        pass
    errors = (problem for error in _validator().iter_errors(table) for problem in _in_words(error))
    return list(dict.fromkeys(errors))


def _in_words(error: ValidationError) -> Iterator[tuple[KeyPath, str, str]]:
    """The mistakes that one error of the validator stands for."""
    path: KeyPath = tuple(error.absolute_path)
    value, rule, schema = error.instance, error.validator, definition(path)
    title = schema.get("title", "something else")
    if rule == "required":
        for key in (key for key in error.validator_value if key not in value):
            expected = definition((*path, key))
            yield (*path, key), f"missing; expected {expected['title']}", _example(key, expected)
    elif rule == "additionalProperties":
        known = list(schema["properties"])
        for key in (key for key in value if key not in known):
            suggestion = _similar(key, known)
            remedy = f"write {suggestion}" if suggestion else "remove it"
            yield (*path, key), "unknown key", f"{remedy}; the keys here are {', '.join(known)}"
    elif rule == "dependentRequired":
        yield (*path, "paths"), "without a commit to take them from", "add commit, or remove paths"
    elif rule == "enum":
        suggestion, choices = _similar(value, error.validator_value), ", ".join(error.validator_value)
        remedy = f"write {suggestion}, or another one of {choices}" if suggestion else f"write one of {choices}"
        yield path, f"{shown(value)} is {_no(title)}", remedy
    elif rule == "format":
        reason = f": {error.cause}" if error.cause is not None and schema.get("format") == "variant" else ""
        yield path, f"{shown(value)} is {_no(title)}{reason}", _example("", schema)
    elif rule == "pattern" and isinstance(value, str) and value.strip():
        what = f"expected {title}, got {shown(value)}" if "address" in title else f"{shown(value)} is {_no(title)}"
        yield path, what, _example("", schema)
    elif rule in ("pattern", "minLength", "minItems", "minProperties"):
        yield path, f"empty; expected {title}", _example("", schema)
    elif rule == "uniqueItems":
        repeated = next(item for index, item in enumerate(value) if item in value[:index])
        yield path, f"{shown(repeated)} is named twice", "name it once"
    else:
        yield path, f"expected {title}, got {shown(value)}", _example("", schema)


def definition(path: Sequence[str | int]) -> dict[str, Any]:
    """The subschema of the value at a path; empty if there is none."""
    schema = library_schema()
    for key in path:
        if isinstance(key, int):
            schema = schema.get("items", {})
        else:
            additional = schema.get("additionalProperties")
            schema = schema.get("properties", {}).get(key, additional if isinstance(additional, dict) else {})
        if "$ref" in schema:
            schema = library_schema()["$defs"][schema["$ref"].rpartition("/")[2]]
    return schema


def shown(value: object) -> str:
    """A value of a TOML file as messages show it: short, on one line, true and false as in TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value) if isinstance(value, (str, list, dict, int, float)) else str(value)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def _no(title: str) -> str:
    """``no version`` for ``a version``."""
    return f"no {title.removeprefix('a ')}"


def _example(key: str, schema: Mapping[str, Any]) -> str:
    """The remedy: an example of what to write."""
    if not schema.get("examples"):  # a table
        return f"add {schema.get('title', key).removeprefix('at least ')}"
    start = f"{key} = " if key else ""
    examples = (json.dumps(example, ensure_ascii=False) for example in schema["examples"])
    return "write for example " + " or ".join(start + example for example in examples)


def _similar(value: object, known: Sequence[str]) -> str | None:
    """The known name that is most similar to a value, or None."""
    matches = difflib.get_close_matches(value.lower(), known, 1) if isinstance(value, str) else []
    return matches[0] if matches else None
