"""The checks and the JSON Schema of a record, both made from the TypedDicts that describe it."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache, reduce
from itertools import pairwise
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import msgspec

LONGEST_MESSAGE = 300


def fits(value: object, model: Any) -> bool:
    """Whether a value has the form of a type, and no key that the type does not have."""
    return _problem(value, model) is None


def misfit(value: object, model: Any, path: str = "$") -> str | None:
    """The JSON path of the first part of a value that does not fit a type, and why; None where all fits."""
    if (problem := _problem(value, model)) is None:
        return None
    inner = (misfit(part, its_model, its_path) for part, its_model, its_path in _parts(value, model, path))
    return next(filter(None, inner), f"{shortened(path)}: {shortened(_choices(value, model) or problem)}")


def shortened(text: str) -> str:
    """A message, which may quote the invalid value, on one line of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_MESSAGE else f"{line[:100]} … {line[100 - LONGEST_MESSAGE :]}"


def json_schema(model: Any, title: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a TypedDict; descriptions are its docstring and those below its fields."""
    made = _without_key_names(msgspec.json.schema(_checked(model, described=True)))
    main = made["$defs"].pop(made.pop("$ref").rpartition("/")[2])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **main, "title": title, **made}


def _without_key_names(schema: Any) -> Any:
    """A schema without ``propertyNames``, which msgspec writes from 0.23 on: it is the same with every release."""
    if isinstance(schema, dict):
        return {key: _without_key_names(value) for key, value in schema.items() if key != "propertyNames"}
    return [_without_key_names(each) for each in schema] if isinstance(schema, list) else schema


def _problem(value: object, model: Any) -> str | None:
    """What is wrong with a value, at any depth; None where it fits."""
    try:
        msgspec.convert(value, _checked(model))
    except msgspec.ValidationError as error:
        return f"{error}: {value!r}" if isinstance(value, (str, int, float)) else str(error)
    except UnicodeEncodeError:
        return "half a character (a lone surrogate)"
    except RecursionError:
        return "brackets too deep"
    return None


def _checked(hint: Any, *, described: bool = False) -> Any:
    """A type in which each TypedDict is a Struct, whose unknown keys msgspec refuses."""
    if is_typeddict(hint):
        return _struct(hint, described)
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[(_checked(args[0], described=described), *hint.__metadata__)]
    if origin is None or origin is Literal:
        return hint
    inner = tuple(_checked(arg, described=described) for arg in args)
    return Union[inner] if origin is UnionType else origin[inner]  # noqa: UP007


@cache
def _struct(hint: Any, described: bool) -> type[msgspec.Struct]:
    docs = _docs(hint) if described else {}
    fields: list[Any] = []
    for name, (inner, required) in fields_of(hint).items():
        kind = _checked(inner, described=described)
        if name in docs:
            kind = Annotated[kind, msgspec.Meta(description=docs[name])]
        fields.append((name, kind) if required else (name, kind | msgspec.UnsetType, msgspec.UNSET))
    doc = " ".join((hint.__doc__ or "").split())
    return msgspec.defstruct(
        hint.__name__,
        fields,
        kw_only=True,
        forbid_unknown_fields=True,
        module=hint.__module__,
        namespace={"__doc__": doc},
    )


@cache
def fields_of(hint: Any) -> dict[str, tuple[Any, bool]]:
    """The type of each key of a TypedDict, and whether the key must be there."""
    hints = get_type_hints(hint, include_extras=True)
    optional = {name for name, inner in hints.items() if get_origin(inner) is NotRequired}
    return {
        name: (get_args(inner)[0] if name in optional else inner, name not in optional) for name, inner in hints.items()
    }


def _docs(hint: Any) -> dict[str, str]:
    """The docstrings below the fields of a TypedDict, those of the types that it extends included."""
    written = ast.parse(inspect.getsource(hint)).body[0]
    assert isinstance(written, ast.ClassDef)
    bases = (getattr(sys.modules[hint.__module__], ast.unparse(base)) for base in written.bases)
    docs = reduce(or_, (_docs(base) for base in bases if is_typeddict(base)), {})
    for field, text in pairwise(written.body):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                docs[name] = " ".join(words.split())
    return docs


def _parts(value: object, model: Any, path: str) -> Iterator[tuple[object, Any, str]]:
    """The parts of an object or list, each with its type and its path."""
    for option in _options(model):
        origin, args = get_origin(option), get_args(option)
        if isinstance(value, dict) and is_typeddict(option):
            fields = fields_of(option)
            yield from ((value[name], fields[name][0], f"{path}.{name}") for name in fields if name in value)
        elif isinstance(value, dict) and origin is dict:
            for key, part in value.items():
                yield key, args[0], f"{path}.{key}"
                yield part, args[1], f"{path}.{key}"
        elif isinstance(value, list) and origin is list:
            yield from ((part, args[0], f"{path}[{index}]") for index, part in enumerate(value))


def _options(model: Any) -> Iterator[Any]:
    """The members of a union, without annotations."""
    origin = get_origin(model)
    if origin is Annotated:
        yield from _options(get_args(model)[0])
    elif origin in (Union, UnionType):
        for member in get_args(model):
            yield from _options(member)
    else:
        yield model


def _choices(value: object, model: Any) -> str | None:
    """The words of a type that a word is none of; None for another value and for a type without words."""
    words = [str(word) for option in _options(model) if get_origin(option) is Literal for word in get_args(option)]
    return f"{value!r} is none of {', '.join(words)}" if words and isinstance(value, str) else None
