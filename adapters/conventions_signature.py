"""A function's parameters: which take data, which takes the cut-off, which take a setting of the case."""

from __future__ import annotations

import inspect
import re
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from adapters.conventions_families import families, snake
from reference.case import Case

K_NAME = re.compile(
    r"_*(k|ks|k_?list|k_?vals?|k_values?|top_?k|top_?ks|topk_?list|top_?n|top_?ns|at_?ks?|cut_?offs?|cutoff_k|k_?max|max_?k"
    r"|rank_?cut_?off|max_?rank)"
)
WEAK_K_NAME = re.compile(
    r"_*(n|p|at|cut|depth|limit|size|length|list_len\w*|num|first_n|how_many|n_?rec\w*|num_?rec\w*)"
)
K_LIST = re.compile(r"_*(ks|k_?list|k_?vals|k_values|top_?ks|topk_?list|top_?ns|at_?ks|cut_?offs)")
THRESHOLD = re.compile(r"(\w+_)?(threshold|thresh|thr)|min_(rating|rel\w*|grade|gain)")
N_ITEMS = re.compile(r"(n|num|number_of|total)_?items?|items?_num|catalogu?e?_size|n_?catalogu?e")
COLUMN = re.compile(r"(\w+_)?(cols?|columns?|key|field|name)(_\w+)?")


class Call(NamedTuple):
    """How a function is called for a convention with so many data parameters.

    data : names of the parameters that take data; None: by position, for a function whose parameters cannot be read.
    k : name of the parameter that takes k; None: none does. k_list : it takes a list of cut-offs.
    settings : parameters that take something of the case besides.
    """

    data: Optional[Tuple[str, ...]]
    k: Optional[str] = None
    k_list: bool = False
    settings: Tuple[str, ...] = ()

    @property
    def takes_k(self) -> bool:
        return self.data is None or self.k is not None

    @property
    def takes_threshold(self) -> bool:
        return any(THRESHOLD.fullmatch(snake(name)) for name in self.settings)


class Parameters:
    """The parameters of a function, sorted by what they may take.

    data : names, in order. required : how many of them have no default.
    """

    def __init__(self, function: Any) -> None:
        self.signature: Optional[inspect.Signature]
        try:
            self.signature = inspect.signature(function)
        except (ValueError, TypeError):  # a C function without a text signature
            self.signature = None
        self.all: Dict[str, inspect.Parameter] = {}
        if self.signature is not None:
            kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
            self.all = {name: one for name, one in self.signature.parameters.items() if one.kind not in kinds}
            if not self.all:  # nothing but *args: they are given by position
                self.signature = None
        self.settings = tuple(name for name, one in self.all.items() if _setting(one))
        self.columns = {name: one.default for name, one in self.all.items() if _column(one)}
        rest = [name for name in self.all if name not in self.settings and name not in self.columns]
        self.strong_k = next((name for name in rest if K_NAME.fullmatch(snake(name))), None)
        self.data = [name for name in rest if name != self.strong_k and self._may_be_data(name)]
        if self.strong_k is None:
            self.strong_k = next((name for name in rest if self._looks_like_k(name)), None)

    def required(self, names: List[str]) -> List[str]:
        return [name for name in names if self.all[name].default is inspect.Parameter.empty]

    def _may_be_data(self, name: str) -> bool:
        return self.all[name].default is inspect.Parameter.empty or bool(families(name))

    def _looks_like_k(self, name: str) -> bool:
        """An optional whole number of five or more, whatever its name."""
        default = self.all[name].default
        return isinstance(default, int) and default >= 5 and not families(name)

    def call(self, count: int) -> Optional[Call]:
        """How to call with ``count`` data parameters, or None if that cannot be."""
        if self.signature is None:
            return Call(None) if count <= 2 else None
        if self.strong_k is not None:
            return self._call(count, self.data, self.strong_k)
        weak = [name for name in self.data if WEAK_K_NAME.fullmatch(snake(name))]
        unknown = [name for name in self.required(self.data)[-1:] if not families(name)]
        for k in (*weak[:1], None, *unknown):
            found = self._call(count, [name for name in self.data if name != k], k)
            if found is not None:
                return found
        return None

    def _call(self, count: int, data: List[str], k: Optional[str]) -> Optional[Call]:
        needed = self.required(data)
        if not len(needed) <= count <= len(data) or count == 0:
            return None
        optional = [name for name in data if name not in needed][: count - len(needed)]
        chosen = tuple(name for name in data if name in needed or name in optional)
        return Call(chosen, k, k is not None and self._is_list(k), self.settings)

    def k_is_list(self) -> bool:
        """Whether the parameter for k takes a list of cut-offs."""
        return self.strong_k is not None and self._is_list(self.strong_k)

    def _is_list(self, name: str) -> bool:
        one = self.all[name]
        if isinstance(one.default, (list, tuple, range)):
            return True
        text = annotation(one)
        if text:
            number = re.match(r"(typing\.)?(optional\[)?(builtins\.)?int", text)
            return not number and bool(re.search(r"list|sequence|iterable|tuple|array", text))
        return not isinstance(one.default, int) and bool(K_LIST.fullmatch(snake(name)))


def annotation(parameter: inspect.Parameter) -> str:
    """What a parameter is annotated with, in lower case; empty without annotation."""
    given = parameter.annotation
    if given is inspect.Parameter.empty:
        return ""
    if isinstance(given, type) and not getattr(given, "__args__", None):
        return f"{given.__module__}.{given.__qualname__}".lower()
    return str(given).lower()


def _setting(parameter: inspect.Parameter) -> bool:
    name, default = snake(parameter.name), parameter.default
    if THRESHOLD.fullmatch(name):  # one between 0 and 1 is for scores, not for ratings
        return not (isinstance(default, float) and 0.0 < default < 1.0) and not isinstance(default, str)
    return bool(N_ITEMS.fullmatch(name))


def _column(parameter: inspect.Parameter) -> bool:
    """Whether a parameter names a column of a frame."""
    if isinstance(parameter.default, str):
        return bool(COLUMN.fullmatch(snake(parameter.name)))
    return parameter.default is inspect.Parameter.empty and bool(
        re.fullmatch(r"(\w+_)?(col|column)(_\w+)?", snake(parameter.name))
    )


def invoke(function: Any, parameters: Parameters, call: Call, data: Tuple[Any, ...], case: Case, k: int,
           columns: Optional[Dict[str, str]] = None) -> Any:  # fmt: skip
    """Call the function: by position where its parameters allow it, by name for the rest."""
    if call.data is None or parameters.signature is None:
        return function(*data, k)
    given: Dict[str, Any] = dict(zip(call.data, data))
    if call.k is not None:
        given[call.k] = [k] if call.k_list else k
    for name in call.settings:
        given[name] = case.threshold if THRESHOLD.fullmatch(snake(name)) else case.n_items
    given.update(columns or {})
    ordered = {name: given[name] for name in parameters.signature.parameters if name in given}
    bound = inspect.BoundArguments(parameters.signature, ordered)
    return function(*bound.args, **bound.kwargs)
