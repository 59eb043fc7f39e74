"""Classes whose constructor takes the data: an instance is made and asked in one call."""

from __future__ import annotations

import inspect
from typing import Any, Dict, Iterable

from metric_adapters.calls.parameter_names import K_NAME, snake


class Built:
    """A class and one of its methods as one function with the parameters of both.

    A parameter of both is given to both.
    """

    def __init__(self, kind: Any, method: str) -> None:
        self.kind, self.method = kind, method
        self.of_class = _named(inspect.signature(kind).parameters.values())
        self.of_method = _named(list(inspect.signature(getattr(kind, method)).parameters.values())[1:])  # without self
        either_way = inspect.Parameter.POSITIONAL_OR_KEYWORD
        merged = {**self.of_class, **self.of_method}.values()
        ordered = sorted(merged, key=lambda parameter: parameter.default is not parameter.empty)
        self.__signature__ = inspect.Signature([parameter.replace(kind=either_way) for parameter in ordered])

    def method_takes_data(self) -> bool:
        """Whether the method has a parameter without default that is no cut-off."""
        required = [name for name, parameter in self.of_method.items() if parameter.default is parameter.empty]
        return any(not K_NAME.fullmatch(snake(name)) for name in required)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the method of a new instance."""
        values = self.__signature__.bind(*arguments, **named).arguments.items()
        instance = self.kind(**{name: value for name, value in values if name in self.of_class})
        return getattr(instance, self.method)(**{name: value for name, value in values if name in self.of_method})


def _named(parameters: Iterable[inspect.Parameter]) -> Dict[str, inspect.Parameter]:
    """The parameters that can be given by name, by name."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {parameter.name: parameter for parameter in parameters if parameter.kind in kinds}
