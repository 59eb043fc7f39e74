"""Values made by chance from the types of the records."""

from __future__ import annotations

import re
from random import Random
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, is_typeddict

from msgspec import Meta

from metric_reports.model import fields_of

WORDS = ("", "a", "nan", "verified", "AP001", "0" * 64, "case.json")
ODD = (None, True, False, 0, -1, 1.5, "", "nan", "x", [], [1], {}, {"a": 1})


def a_value(model: Any, random: Random, meta: Meta = Meta()) -> Any:  # noqa: B008
    """A value of a type, made by chance."""
    if get_origin(model) is Annotated:
        return a_value(get_args(model)[0], random, model.__metadata__[0])
    options = [part for part in get_args(model) if get_origin(model) in (Union, UnionType)] or [model]
    option = random.choice(options)
    origin, args = get_origin(option), get_args(option)
    if option is not model:
        return a_value(option, random)
    if is_typeddict(option):
        fields = fields_of(option).items()
        return {name: a_value(inner, random) for name, (inner, needed) in fields if needed or random.random() < 0.5}
    if origin is list:
        size = random.randint(meta.min_length or 0, max(meta.min_length or 0, min(meta.max_length or 2, 2)))
        return [a_value(args[0], random) for _ in range(size)]
    if origin is dict:
        return {a_value(args[0], random): a_value(args[1], random) for _ in range(random.randint(0, 2))}
    if origin is Literal:
        return random.choice(args)
    low = meta.ge if meta.ge is not None else -9
    return {
        type(None): lambda: None,
        bool: lambda: random.random() < 0.5,
        int: lambda: random.randint(low, 9),
        float: lambda: random.choice([0.25, 0.5]) if meta.lt or meta.le else random.uniform(max(low, 1), 9),
        str: lambda: random.choice([word for word in WORDS if re.search(meta.pattern or "", word)]),
        Any: lambda: random.choice(ODD),
    }[option]()
