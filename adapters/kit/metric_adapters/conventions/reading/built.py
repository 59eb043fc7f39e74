"""Classes whose constructor takes the data: made and asked in one call."""

from __future__ import annotations

import inspect
from typing import Any, Dict, List

from metric_adapters.conventions.reading.families import snake
from metric_adapters.conventions.reading.signature import K_NAME


class Built:
    """A class and one of its methods as one function, which takes the parameters of both.

    Where both have a parameter of one name, both are given its value.
    """

    def __init__(self, kind: Any, method: str) -> None:
        self.kind, self.method = kind, method
        self.first = _named(inspect.signature(kind))
        self.then = _named(_without_self(kind, method))
        both: Dict[str, inspect.Parameter] = {**{one.name: one for one in (*self.first, *self.then)}}
        ordered = sorted(both.values(), key=lambda one: one.default is not inspect.Parameter.empty)
        kind_of = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature([one.replace(kind=kind_of) for one in ordered])

    def method_takes_data(self) -> bool:
        """Whether the method has a parameter without default that is no cut-off."""
        return any(one.default is one.empty and not K_NAME.fullmatch(snake(one.name)) for one in self.then)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """What the method of a new instance returns."""
        given = self.__signature__.bind(*arguments, **named).arguments
        names = {one.name for one in self.first}
        instance = self.kind(**{name: value for name, value in given.items() if name in names})
        taken = {one.name for one in self.then}
        return getattr(instance, self.method)(**{name: value for name, value in given.items() if name in taken})


def _without_self(kind: Any, method: str) -> inspect.Signature:
    found = inspect.signature(getattr(kind, method))
    return found.replace(parameters=list(found.parameters.values())[1:])


def _named(signature: inspect.Signature) -> List[inspect.Parameter]:
    """The parameters that can be given by name."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [one for one in signature.parameters.values() if one.kind in kinds]
