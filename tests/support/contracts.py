"""Where a TypedDict and a JSON Schema describe the same object differently."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

SCALARS = {str: "string", int: "integer", float: "number", bool: "boolean"}


class Walk:
    """Walks a type and a schema together; ``met`` holds the names of the TypedDicts that were compared."""

    def __init__(self, schemas: dict[str, dict[str, Any]], name: str) -> None:
        self.schemas, self.name = schemas, name
        self.met: set[str] = set()

    def gaps(self, hint: Any, schema: dict[str, Any], at: str, name: str = "") -> Iterator[str]:
        """Each place where the two differ. name : the schema that references without a file are looked up in."""
        name = name or self.name
        parts = self.parts(schema, name)
        if get_origin(hint) is NotRequired:
            hint = get_args(hint)[0]
        members = options(hint)
        nullable = any(allows_null(part) for part, _ in parts)
        if nullable != (type(None) in members) and schema_says_type(parts):
            yield f"{at}: null is {'allowed' if nullable else 'not allowed'} by the schema"
        values = {value for member in members if get_origin(member) is Literal for value in get_args(member)}
        listed = [set(part["enum"]) if "enum" in part else {part["const"]} for part, _ in parts if closed(part)]
        wanted = set().union(*listed) - {None}
        if str not in members and values != wanted:  # a text may be any of them
            yield f"{at}: {sorted(values)} in the type, {sorted(wanted)} in the schema"
        plain = [member for member in members if member is not type(None) and get_origin(member) is not Literal]
        for member in plain:
            if typing.is_typeddict(member):
                if objects := [pair for pair in parts if is_object(pair[0])]:
                    yield from self.objects(member, objects, at)
            elif get_origin(member) is list:
                items = next((pair for pair in parts if "items" in pair[0]), None)
                if items is None:
                    yield f"{at}: a list in the type alone"
                else:
                    yield from self.gaps(get_args(member)[0], items[0]["items"], f"{at}[]", items[1])
            elif get_origin(member) is dict:
                inner = next((pair for pair in parts if isinstance(pair[0].get("additionalProperties"), dict)), None)
                if inner is not None:
                    yield from self.gaps(get_args(member)[1], inner[0]["additionalProperties"], f"{at}.*", inner[1])
                elif get_args(member)[1] is not Any:
                    yield f"{at}: the type says what the values are, the schema does not"
            elif member is str and wanted and all(isinstance(value, str) for value in wanted):
                continue
            elif member is not Any and not any(SCALARS[member] in kinds(part) for part, _ in parts):
                yield f"{at}: {member.__name__} in the type alone"

    def objects(self, hint: Any, found: list[tuple[dict[str, Any], str]], at: str) -> Iterator[str]:
        """Where the keys of one object differ."""
        self.met.add(f"{hint.__module__}.{hint.__name__}")
        properties = {key: (part, name) for schema, name in found for key, part in schema.get("properties", {}).items()}
        required = {key for schema, _ in found for key in schema.get("required", ())}
        hints = get_type_hints(hint, include_extras=True)
        optional = {key for key, inner in hints.items() if get_origin(inner) is NotRequired}
        if not hint.__total__ and not hint.__required_keys__:
            optional = set(hints)
        described = any("properties" in schema for schema, _ in found)
        keys = set(properties) | required if described else required
        if described and set(hints) != keys:
            yield f"{at}: keys {sorted(set(hints) ^ keys)} stand on one side alone"
        if set(hints) - optional != required:
            yield f"{at}: {sorted((set(hints) - optional) ^ required)} are required on one side alone"
        for key in set(hints) & set(properties):
            yield from self.gaps(hints[key], properties[key][0], f"{at}.{key}", properties[key][1])

    def parts(self, schema: dict[str, Any], name: str) -> list[tuple[dict[str, Any], str]]:
        """The schemas that a schema puts together, each with the file that it stands in."""
        found = [(schema, name)]
        if "$ref" in schema:
            file, _, path = schema["$ref"].partition("#/$defs/")
            name = file.partition(".")[0] or name
            found += self.parts(self.schemas[name]["$defs"][path], name)
        for inner in (*schema.get("anyOf", ()), *schema.get("allOf", ())):
            if inner.keys() != {"required"}:  # narrows an object in one place; a type has no word for that
                found += self.parts(inner, name)
        return found


def options(hint: Any) -> tuple[Any, ...]:
    """The members of a union, one within another included."""
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(part for member in get_args(hint) for part in options(member))
    return (hint,)


def kinds(schema: dict[str, Any]) -> list[str]:
    kind = schema.get("type", [])
    return [kind] if isinstance(kind, str) else list(kind)


def closed(schema: dict[str, Any]) -> bool:
    return "enum" in schema or "const" in schema


def allows_null(schema: dict[str, Any]) -> bool:
    return "null" in kinds(schema) or None in schema.get("enum", ())


def is_object(schema: dict[str, Any]) -> bool:
    return "properties" in schema or "required" in schema


def schema_says_type(parts: list[tuple[dict[str, Any], str]]) -> bool:
    return any(kinds(part) or closed(part) for part, _ in parts)
