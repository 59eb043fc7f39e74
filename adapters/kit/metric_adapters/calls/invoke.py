"""Asks a function for a case under a call."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import inspect
import re
import sys
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from metric_adapters.calls.call import Call
from metric_adapters.calls.columns import column_arguments
from metric_adapters.calls.facts import Source
from metric_adapters.calls.fills import fill, setting
from metric_adapters.calls.keys import GET_LABEL, AttributeName, KeyPath
from metric_adapters.calls.mutation import copied, unchanged
from metric_adapters.calls.results import (
    Found,
    Kinds,
    Leaf,
    OtherCutoffs,
    Reading,
    SeveralResults,
    answer,
    elements,
    learn,
    normal,
    picked,
    read,
)
from metric_adapters.calls.role import Fact
from metric_adapters.calls.signature import FORMS, Binding, Parameters, annotation, in_form
from metric_adapters.calls.view import View
from metric_adapters.put_back import with_names_put_back
from metric_adapters.ran import Ran
from metric_adapters.subject import CannotShow
from metric_reference.case import Case, case_from_lists
from metric_reference.narrowed import of_users

WRONG_FORM = re.compile(r"\bint\b|\blist\b|\bstr\b|'int'|'list'|'str'|integer|iterable|unsized|eval\(\)")
"""In the error of a function that takes its cut-offs in another form."""

READ_OR_SHOWN = (SeveralResults, OtherCutoffs, CannotShow)
"""Errors of reading a result or of showing a case, not of the function."""


MOST_WAITING = 256
"""Of at most this many cases, the results that nobody has asked for yet are kept."""


class Accumulator:
    """The update and the result of an instance that is updated before it gives its result.

    result : called with the number of users whom it was updated with, one at a time; None for a batch.
    """

    def __init__(self, update: Callable[..., Any], result: Callable[[Optional[int]], Any]) -> None:
        self.update, self.result = update, result

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """The result after a single update."""
        self.update(*arguments, **named)
        return self.result(None)


class Asked:
    """A function that is asked under one call.

    make : called with k, in the form ``constructor``, returns the function or an :class:`Accumulator`; constructor :
    None if it ignores k.

    A function that returns several results is called once for all of them: each waits until it is asked for, and one
    that is asked for again calls the function again.
    """

    def __init__(
        self,
        call: Call,
        make: Callable[[Any], Any],
        parameters: Parameters,
        binding: Binding,
        source: Source,
        constructor: Optional[str] = None,
    ) -> None:
        self.call, self.make, self.parameters, self.binding, self.source = call, make, parameters, binding, source
        self.cuts = call.ends == "k"
        self.takes_k = constructor is not None or binding.takes_k
        self.given_k = self.takes_k or binding.ignored
        self.in_constructor = constructor is not None
        self.form = constructor or binding.k_form
        default = parameters.default(parameters.names_at_k)
        self.written = source.strings.difference(default if isinstance(default, (list, tuple)) else (default,))
        self._kinds: Optional[Kinds] = None
        self._passed: Optional[Tuple[List[str], List[str]]] = None
        self._waiting: Dict[bytes, Dict[str, Union[Found, Exception]]] = {}
        self._learning = self._changed_input = self._no_other_form = False
        self.ran: Optional[Ran] = None

    def ask(
        self,
        case: Case,
        k: int,
        ids: Optional[np.ndarray] = None,
        element: Optional[str] = None,
        whole: bool = False,
        everything: bool = False,
        beside: bool = False,
        uneven: bool = False,
    ) -> Found:
        """The answer for a case; names that numpy removed are put back if the function fails on them.

        A function of all users that raises for a single one, as where it drops every axis of length 1, is asked with
        that user twice.

        ids : the id under which each item is presented. element : the name of the result, if there are several. whole :
        lists do not end at k although the function takes none. everything : judgements below the threshold are shown.
        beside : a list of cut-offs holds a smaller one too. uneven : some users have fewer rows in a frame.

        Raises what the function raises, SeveralResults or TypeError for anything but one number, CannotShow if the
        call cannot express the case.
        """
        if self.ran is not None:
            self.ran.new_question()
        cut = None if (self.given_k or whole) and not self.cuts else k
        try:
            return with_names_put_back(lambda: self._ask(case, k, cut, ids, element, everything, beside, uneven))
        except Exception as error:
            if self.call.per_user or case.users != 1 or isinstance(error, READ_OR_SHOWN):
                raise
            try:
                return self._asked_twice(case, k, cut, ids, element)
            except SeveralResults:
                raise
            except Exception:
                raise error from None  # that of the question itself

    def _asked_twice(
        self, case: Case, k: int, cut: Optional[int], ids: Optional[np.ndarray], element: Optional[str]
    ) -> Found:
        """The answer for the only user of a case, who is there twice."""
        found = self._ask(of_users(case, np.array([0, 0])), k, cut, ids, element)
        if found.users is None or found.values is None:
            return found._replace(twice=True)
        return found._replace(users=found.users[:1], values=found.values[:1], twice=True)

    def _ask(
        self,
        case: Case,
        k: int,
        cut: Optional[int],
        ids: Optional[np.ndarray],
        element: Optional[str],
        everything: bool = False,
        beside: bool = False,
        uneven: bool = False,
    ) -> Found:
        shown = everything or self.binding.takes_threshold
        view = View(case, k, cut, shown, ids, uncut=self.binding.ignored, beside=beside, uneven=uneven)
        if element is None:
            reading, results = self._returned(view)
            return self._found([read(result, reading) for result in results], reading)
        key, usual = fingerprint(view), normal(element, k)
        waiting = self._waiting.pop(key, {})
        if element not in waiting and usual not in waiting:
            waiting = self._found_all(view, element)
        found = waiting.pop(element if element in waiting else usual)
        waiting.pop(usual, None)
        self._waiting[key] = waiting
        if len(self._waiting) > MOST_WAITING:
            self._waiting.pop(next(iter(self._waiting)))
        if isinstance(found, Exception):
            raise found
        return found

    def _found_all(self, view: View, element: str) -> Dict[str, Union[Found, Exception]]:
        """Every result for a case by its name, or the error of reading it; ``element`` is among the names."""
        reading, results = self._returned(view)
        read_in = [elements(result, reading) for result in results]
        names = dict.fromkeys(name for several in read_in for name in several)
        found: Dict[str, Union[Found, Exception]] = {}
        for name in {element: None, **names}:
            try:
                found[name] = self._found([picked(each, reading, name) for each in read_in], reading)
            except (TypeError, CannotShow) as error:
                found[name] = error
        return found

    def _returned(self, view: View) -> Tuple[Reading, Iterator[Any]]:
        """What the function returns for a case: once, or for each user where it is called for one at a time."""
        self._changed_input = False
        if self.call.per_user and isinstance(self._made(view.k), Accumulator):
            return self._reading(view, every_user=True), iter([self._accumulated(view)])
        users = range(view.case.users if self.call.per_user else 1)
        return self._reading(view), (self._call(view, user) for user in users)

    def _found(self, leaves: Sequence[Leaf], reading: Reading) -> Found:
        """The answer in what was read: one result of all users, or one of each."""
        if reading.users or not self.call.per_user:
            return answer(leaves[0], self._changed_input)
        values = np.array([leaf.value for leaf in leaves], dtype=np.float64)
        by_rank = any(leaf.by_rank for leaf in leaves)
        return Found(float(values.mean()), np.arange(len(values)), values, self._changed_input, by_rank)

    def _reading(self, view: View, every_user: bool = False) -> Reading:
        one_user = self.call.per_user and not every_user
        users = () if one_user else self.call.users(view.case.users)
        return Reading(users, view.k, self._learned, self.takes_k, self.written)

    def _made(self, k: int) -> Any:
        return self.make(in_form(k, self.form) if self.in_constructor else k)

    def _call(self, view: View, user: int) -> Any:
        """The result of one call; if the function cannot take k in its form, other forms are tried."""
        try:
            return self._call_once(view, user)
        except (TypeError, AttributeError) as error:
            takes_k = self.in_constructor or self.binding.k
            if self._no_other_form or not takes_k or not WRONG_FORM.search(str(error)):
                raise
            usual = self.form
            others = [form for form in FORMS if form != usual and (form != "tensor" or "torch" in sys.modules)]
            for self.form in others:
                try:
                    return self._call_once(view, user)
                except Exception:  # this form does not fit either; the first error is reported
                    continue
            self.form, self._no_other_form = usual, True
            raise

    def _call_once(self, view: View, user: int) -> Any:
        data = self.call.arguments(view, user)
        before = copied(data)
        result = self._invoke(self._made(view.k), data, view, user)
        if not unchanged(data, self.call.arguments(view, user) if before is None else before):
            self._changed_input = True
        return result

    def _accumulated(self, view: View) -> Any:
        """The result of an accumulator after an update with each user."""
        accumulator = self._made(view.k)
        for user in range(view.case.users):
            self._invoke(accumulator.update, self.call.arguments(view, user), view, user)
        return accumulator.result(view.case.users)

    def _invoke(self, function: Any, data: Tuple[Any, ...], view: View, user: int) -> Any:
        """Call the function, with arguments by position where its signature allows it, else by name."""
        binding, signature = self.binding, self.parameters.signature
        if binding.data is None or signature is None:
            return self._traced(function, (*data, view.k), {})
        values: Dict[str, Any] = dict(zip(binding.data, data))
        if self.call.columns is None:
            values = {name: boxed(value, self.source.boxes.get(name, ())) for name, value in values.items()}
        if binding.k is not None:
            places = self.parameters.places.get(binding.k, 1)
            values[binding.k] = in_form(view.k, self.form, self.parameters.default(binding.k), places, view.beside)
        for name in binding.more_ks:
            values[name] = in_form(view.k, self.parameters.k_form(name), self.parameters.default(name))
        for name in binding.settings:
            values[name] = setting(name, view, self.call.holder)
        for name in binding.fills:
            text = annotation(self.parameters.all[name]) in ("str", "builtins.str")
            values[name] = fill(name, view, self.call.holder, user, self.source, text)
        values.update(binding.chosen)
        if self.call.columns is not None:
            values.update(column_arguments(self.parameters.columns, self.call.columns))
        if self._passed is None:  # always the same parameters
            self._passed = passed(signature, values)
        by_position, by_name = self._passed
        return self._traced(function, [values[name] for name in by_position], {name: values[name] for name in by_name})

    def _traced(self, function: Any, arguments: Sequence[Any], named: Dict[str, Any]) -> Any:
        with self.ran or nullcontext():
            result = function(*arguments, **named)
            return asyncio.run(result) if inspect.iscoroutine(result) else result

    def _learned(self) -> Optional[Kinds]:
        """The kinds of lists and dicts in results, learned once from a case in which no two sizes are equal."""
        if self._kinds is None and not self._learning:
            self._learning = True
            case = learning_case(self.call.has(Fact.ONE_RELEVANT))
            view = View(case, LEARNING_K, None if self.given_k and not self.cuts else LEARNING_K)
            try:
                accumulates = isinstance(self._made(LEARNING_K), Accumulator) and self.call.per_user
                result = self._accumulated(view) if accumulates else self._call_once(view, 0)
                lengths = frozenset(map(length_of, self.call.arguments(view, 0)))
                self._kinds = learn(result, self._reading(view, accumulates)._replace(lengths=lengths))
            except Exception:  # whatever it raises, results are then read by sizes and keys alone
                self._kinds = None
        return self._kinds


def passed(signature: inspect.Signature, values: Dict[str, Any]) -> Tuple[List[str], List[str]]:
    """The names of the arguments that are passed by position, up to one that is left out, and by name."""
    bound = inspect.BoundArguments(signature, {name: name for name in signature.parameters if name in values})
    return list(bound.args), list(bound.kwargs)


def length_of(value: Any) -> int:
    """The number of entries in a list, or in the first of a list of lists; of an array along its last axis; else 0."""
    shape = np.shape(value[0] if isinstance(value, list) and value else value)
    return len(value) if isinstance(value, list) and not shape else int(shape[-1]) if shape else 0


def fingerprint(view: View) -> bytes:
    """A digest of all that a question asks."""
    digest = hashlib.blake2b(repr((view.k, view.cut, view.everything, view.beside, view.uneven)).encode())
    for value in (view.ids, *(getattr(view.case, field.name) for field in dataclasses.fields(view.case))):
        digest.update(np.ascontiguousarray(value).tobytes() if isinstance(value, np.ndarray) else repr(value).encode())
    return digest.digest()


class Labelled:
    """What LightGBM and XGBoost hand to a metric beside the scores: the labels, of one group, without weights."""

    def __init__(self, label: Any) -> None:
        self.label, self.group, self.weight = label, np.array([len(label)]), None

    def get_label(self) -> Any:
        return self.label

    def get_group(self) -> np.ndarray:
        return self.group

    def get_weight(self) -> None:
        return self.weight


def boxed(value: Any, path: KeyPath) -> Any:
    """Data in a data set, or in an object, a dict or a list for each attribute, key or index 0 of the path to it."""
    for key in reversed(path):
        if isinstance(key, AttributeName):
            value = SimpleNamespace(**{key: value})
        else:
            value = Labelled(value) if key == GET_LABEL else {key: value} if isinstance(key, str) else [value]
    return value


LEARNING_USERS, LEARNING_K, LEARNING_WIDTH = 11, 13, 17


def learning_case(one_relevant: bool) -> Case:
    """Eleven users with seventeen listed items and one relevant item each, of forty items; the second user has two.

    one_relevant : the second user has one, too. Else a number for each relevant item is not taken for one of each user.
    """
    lists: List[List[int]] = [[(user + rank) % 40 for rank in range(LEARNING_WIDTH)] for user in range(LEARNING_USERS)]
    scores = -np.array([[(item - user) % 40 for item in range(40)] for user in range(LEARNING_USERS)], dtype=np.float64)
    own = [[float(scores[user][item]) for item in items] for user, items in enumerate(lists)]
    truths = [[items[user % 5]] for user, items in enumerate(lists)]
    truths[1] += [] if one_relevant else [lists[1][6]]
    return case_from_lists(lists, truths, 40, scores=own, candidate_scores=scores)
