"""Reading, checking and writing the record of a run (run.json) and the other records: audits, scans and manifests."""

from __future__ import annotations

import json
import math
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar, overload

from metric_reports.errors import HarnessError
from metric_reports.files import read_document, write_atomically
from metric_reports.model import json_schema, misfit, shortened
from metric_reports.relations import misfits
from metric_reports.types.audit import COMPARED, Audit
from metric_reports.types.common import Number
from metric_reports.types.manifest import CASE_ARRAYS, SAMPLE_ARRAYS, Array, Manifest
from metric_reports.types.run import Record
from metric_reports.types.scan import Scan
from metric_reports.versions import up_to_date

MODELS: Final = {
    "run": (Record, "metric-harness run record"),
    "audit": (Audit, "metric-harness audit"),
    "scan": (Scan, "metric-harness scan"),
    "manifest": (Manifest, "metric-harness bundle manifest"),
}
"""The type of each record and the title of its JSON Schema."""
Contract = TypeVar("Contract", Record, Audit, Scan, Manifest)


class RecordError(HarnessError):
    """A record that cannot be read or does not fit its type; the message names the file and the JSON path."""


@cache
def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a record: ``run``, ``audit``, ``scan`` or ``manifest``."""
    return json_schema(*MODELS[name])


def validate(record: Record, where: str = "record") -> Record:
    """Return the record if it fits its type, else raise RecordError with the path of the first misfit."""
    return _fitting(record, Record, where)


def validate_audit(result: Audit, where: str = "audit") -> Audit:
    """Return the JSON of an audit if it fits its type, else raise RecordError."""
    _fitting(result, Audit, where)
    lacking = [key for key in COMPARED if key not in result]
    if lacking and len(lacking) < len(COMPARED):
        raise RecordError(f"{where}: $: a comparison has {', '.join(COMPARED)}; it lacks {', '.join(lacking)}")
    return result


def validate_scan(result: Scan, where: str = "scan") -> Scan:
    """Return the JSON of a scan if it fits its type, else raise RecordError."""
    return _fitting(result, Scan, where)


def validate_manifest(manifest: Manifest, where: str = "manifest") -> Manifest:
    """Return the manifest of a bundle if it fits its type, else raise RecordError."""
    _fitting(manifest, Manifest, where)
    if not manifest["dataset"].keys() & {"sha256", "files"}:
        raise RecordError(f"{where}: $.dataset: it names neither sha256 nor files")
    arrays: dict[str, tuple[dict[str, Array], tuple[str, ...]]] = {"$.arrays": (manifest["arrays"], CASE_ARRAYS)}
    if "sample" in manifest:
        arrays["$.sample.arrays"] = (manifest["sample"]["arrays"], SAMPLE_ARRAYS)
    for path, (given, needed) in arrays.items():
        if lacking := [name for name in needed if name not in given]:
            raise RecordError(f"{where}: {path}: it lacks {', '.join(lacking)}")
    return manifest


def _fitting(record: Contract, model: type[Contract], where: str) -> Contract:
    problem = misfit(record, model) or next(misfits(record), None)
    if problem is not None:
        raise RecordError(f"{where}: {shortened(problem)}")
    return record


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
        return validate(_of_this_version(record, str(path)), str(path))
    except RecordError as error:
        raise RecordError(f"{error}; give a record of this version, or run the comparison again") from None


def _of_this_version(record: Any, where: str) -> Any:
    """A record brought up to date; what has no version is left for the validation to refuse."""
    if not isinstance(record, dict) or "schema_version" not in record:
        return record
    try:
        return up_to_date(record, "run")
    except ValueError as error:
        raise RecordError(f"{where}: $.schema_version: {error}") from None
    except (AttributeError, KeyError, TypeError) as error:
        raise RecordError(f"{where}: $: no record of version {record['schema_version']} ({error!r})") from None


def read_json(path: Path) -> Any:
    """The value in a JSON file; RecordError names the file, the line and what is wrong with it."""
    try:
        return json.loads(read_document(path))
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
