"""Reading, checking and writing the record of a run (run.json), whose schema is schema/run.schema.json."""

from __future__ import annotations

import json
import math
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar, overload

import jsonschema_rs

from metric_reports.errors import HarnessError
from metric_reports.files import write_atomically
from metric_reports.types.audit import Audit
from metric_reports.types.common import Number
from metric_reports.types.run import Record
from metric_reports.types.scan import Scan

SCHEMA_VERSION: Final = 1
LONGEST_MESSAGE = 300
SCHEMAS = Path(__file__).parent / "schema"
Contract = TypeVar("Contract", Record, Audit, Scan)


class RecordError(HarnessError):
    """A record that cannot be read or does not fit its schema; the message names the file and the JSON path."""


@cache
def schema(name: str) -> dict[str, Any]:
    """A JSON Schema of this package by its short name, e.g. ``run``."""
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


def validate(record: Record, where: str = "record") -> Record:
    """Return the record if it fits the schema ``run``, else raise RecordError with the path of the first misfit."""
    return _fitting(record, "run", where)


def validate_audit(result: Audit, where: str = "audit") -> Audit:
    """Return the JSON of an audit if it fits the schema ``audit``, else raise RecordError."""
    return _fitting(result, "audit", where)


def validate_scan(result: Scan, where: str = "scan") -> Scan:
    """Return the JSON of a scan if it fits the schema ``scan``, else raise RecordError."""
    return _fitting(result, "scan", where)


def _fitting(record: Contract, name: str, where: str) -> Contract:
    if surely_fits(_checker(name), record):
        return record
    import jsonschema  # three hundred times slower, but its error names the most telling path
    from referencing import Registry, Resource

    audits = Resource.from_contents(schema("audit"))
    registry = Registry().with_resource("audit.schema.json", audits)
    problems = jsonschema.Draft202012Validator(schema(name), registry=registry).iter_errors(record)
    try:
        first = jsonschema.exceptions.best_match(problems)
    except RecursionError:
        raise RecordError(f"{where}: its brackets are too deep for a record; write it again") from None
    if first is not None:
        raise RecordError(f"{where}: {shortened(first.json_path)}: {shortened(first.message)}")
    return record


def surely_fits(checker: jsonschema_rs.Validator, value: object) -> bool:
    """Whether a value fits a schema; False also for one that the checker cannot read, such as a lone surrogate."""
    try:
        return bool(checker.is_valid(value))
    except ValueError:
        return False


@cache
def _checker(name: str) -> jsonschema_rs.Validator:
    """The fast checker of a schema; that of a scan refers to the schema of an audit."""
    registry = jsonschema_rs.Registry([("audit.schema.json", schema("audit"))])
    return jsonschema_rs.validator_for(schema(name), registry=registry)


def shortened(text: str) -> str:
    """A message of jsonschema, which quotes the invalid value, on one line of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_MESSAGE else f"{line[:100]} … {line[100 - LONGEST_MESSAGE :]}"


@overload
def to_json_number(value: float) -> Number: ...
@overload
def to_json_number(value: float | None) -> Number | None: ...
def to_json_number(value: float | None) -> Number | None:
    """A float as the record holds it: NaN and infinities as strings."""
    if value is None or math.isfinite(value):
        return None if value is None else float(value)
    if math.isnan(value):
        return "nan"
    return "inf" if value > 0 else "-inf"


def from_json_number(value: Number | None) -> float | None:
    """The inverse of :func:`to_json_number`."""
    return None if value is None else float(value)


def write_record(record: Record, path: Path) -> None:
    """Validate a record and write it as JSON, each cell, subject and finding on a line of its own."""
    write_atomically(path, lines_of(validate(record, str(path))))


def lines_of(record: Record) -> str:
    """A record as JSON, one line for each key and each list item: ``indent`` would take ten times as long."""
    parts = []
    for name, value in record.items():
        items = ",\n  ".join(map(_compact, value)) if isinstance(value, list) else ""
        parts.append(f" {_compact(name)}: " + (f"[\n  {items}\n ]" if items else _compact(value)))
    return "{\n" + ",\n".join(parts) + "\n}\n"


_compact = partial(json.dumps, allow_nan=False)


def read_record(path: Path) -> Record:
    """Read and validate a record; RecordError names the file and what is wrong with it."""
    inside = path / "run.json"
    if path.is_dir():
        advice = f"give {inside}" if inside.is_file() else "give the run.json that `metric-harness compare` writes"
        raise RecordError(f"{path}: a folder, not a record; {advice}")
    record = read_json(path)
    try:
        return validate(record, str(path))
    except RecordError as error:
        raise RecordError(f"{error}; give a record of this version, or run the comparison again") from None


def read_json(path: Path) -> Any:
    """The value in a JSON file; RecordError names the file, the line and what is wrong with it."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RecordError(f"{path}: no such file; `metric-harness compare --out DIR` writes DIR/run.json") from None
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror}); name a readable file") from None
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} is not UTF-8 text"
    except json.JSONDecodeError as error:
        problem = f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError):  # a number of thousands of digits; brackets in brackets
        problem = "its numbers are too long or its brackets too deep"
    raise RecordError(f"{path}: not JSON ({problem}); it is damaged or another file, write it again")
