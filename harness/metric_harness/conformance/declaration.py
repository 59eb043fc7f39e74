"""``metrics.toml``: the signature that each function of a library claims, and its known deviations."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from metric_harness.system.errors import HarnessError
from metric_reference.signatures.differences import Comparison, compare
from metric_reference.signatures.read import SignatureError, parse
from metric_reference.signatures.signature import Signature, joined
from metric_reports.files import read_document

FILE = "metrics.toml"
SCHEMA = {
    "type": "object",
    "required": ["functions"],
    "additionalProperties": False,
    "properties": {
        "library": {"type": "string", "pattern": "^[A-Za-z_]\\w*$"},
        "functions": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {
                "type": "object",
                "required": ["signature"],
                "additionalProperties": False,
                "properties": {
                    "signature": {"type": "string"},
                    "deviations": {"type": "object", "additionalProperties": {"type": "string"}},
                    "convention": {"type": "string"},
                },
            },
        },
    },
}


@dataclass(frozen=True, kw_only=True)
class Declared:
    """What one function is declared to compute.

    signature : what it claims, at any cut-off. actual : the same with the known deviations, which it is held against.
    convention : how it is called, for a function without an adapter; found out if empty.
    """

    function: str
    signature: Signature
    actual: Signature
    convention: str = ""


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """The content of a file. library : the one whose adapter asks the functions; if empty, they are audit targets."""

    path: Path
    library: str
    functions: tuple[Declared, ...]


def read_declaration(path: Path) -> Declaration:
    """Read a declaration; a HarnessError names the file, the function and what to write instead."""
    try:
        table = tomllib.loads(read_document(path))
    except OSError as error:
        remedy = f"`metric-harness library conform --declare TARGET --out {FILE}` writes one"
        raise HarnessError(f"{path}: cannot be read ({error.strerror}); {remedy}") from None
    except (ValueError, RecursionError) as error:
        raise HarnessError(f"{path}: no TOML in UTF-8: {' '.join(str(error).split())[:200]}") from None
    from jsonschema import Draft202012Validator

    problem = next(Draft202012Validator(SCHEMA).iter_errors(table), None)
    if problem is not None:
        key = ".".join(map(str, problem.absolute_path)) or "the file"
        raise HarnessError(f"{path}: {key}: {problem.message[:200]}")
    rows = cast("dict[str, dict[str, Any]]", table["functions"])
    functions = tuple(_declared(path, name, row) for name, row in rows.items())
    return Declaration(path=path, library=table.get("library", ""), functions=functions)


def _declared(path: Path, function: str, row: Mapping[str, Any]) -> Declared:
    key = f"{path}: functions.{function}"
    try:
        signature = uncut(parse(row["signature"]))
    except SignatureError as error:
        raise HarnessError(f"{key}.signature: {error}") from None
    parts, deviations = signature.parts(), row.get("deviations", {})
    if unknown := [name for name in deviations if name not in parts]:
        raise HarnessError(f"{key}.deviations: {unknown[0]!r} is no part of it; its parts are {', '.join(parts)}")
    try:
        actual = parse(joined(signature.head, {**parts, **deviations}))
    except SignatureError as error:
        raise HarnessError(f"{key}.deviations: {error}") from None
    convention = row.get("convention", "")
    return Declared(function=function, signature=signature, actual=actual, convention=convention)


def uncut(signature: Signature) -> Signature:
    """The signature at any cut-off."""
    return replace(signature, variant=replace(signature.variant, k=None))


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether a function is within its declaration.

    asked : whether it gave numbers; one that could not be asked has not left its declaration either. computed : the
    signature of what it computes; None if no definition was verified. sentence : the reason, in words.
    mended : declared deviations that it no longer has.
    """

    declared: Declared
    within: bool
    computed: Signature | None
    sentence: str
    mended: tuple[str, ...] = ()
    asked: bool = True


def not_asked(declared: Declared, reason: str) -> Verdict:
    """The verdict on a function that could not be asked."""
    return Verdict(declared=declared, within=False, computed=None, sentence=f"not asked: {reason}", asked=False)


def judged(declared: Declared, text: str | None, reason: str) -> Verdict:
    """The verdict on a function.

    text : the signature of what it computes, None if no definition was verified; reason : why there is none.
    """
    if text is None:
        return Verdict(declared=declared, within=False, computed=None, sentence=f"no definition is verified: {reason}")
    computed = uncut(parse(text))
    difference = compare(declared.actual, computed)
    if not _known(difference):
        sentence = "as declared" if difference.verdict == "same" else f"as declared; {difference.sentence}"
        return Verdict(declared=declared, within=True, computed=computed, sentence=sentence)
    if not _known(compare(declared.signature, computed)):  # it computes what it claims: a deviation was mended
        mended = tuple(compare(declared.signature, declared.actual).parts)
        return Verdict(declared=declared, within=True, computed=computed, sentence="as declared", mended=mended)
    sentence = f"declared {declared.actual.short()}, computes {computed.short()}: {difference.sentence}"
    return Verdict(declared=declared, within=False, computed=computed, sentence=sentence)


def _known(difference: Comparison) -> list[str]:
    """The parts that differ and are known on both sides."""
    return [name for name, pair in difference.parts.items() if "?" not in pair]
