"""Reads a signature from its text; for any other text, says what is wrong and which signature is nearest."""

from __future__ import annotations

import math
import re
from dataclasses import fields, replace
from typing import Any, Dict, Iterator, List, Optional, Tuple, Type

from metric_reference.candidates.choice import ALL, KINDS, WORD, Candidates
from metric_reference.candidates.scheme import PER, WEIGHTS
from metric_reference.metric import Metric, condition_of
from metric_reference.narrowed import EVERYTHING, ONLY
from metric_reference.registry import METRICS
from metric_reference.signatures.signature import DIGITS, Signature, number_of, usual_parts, word
from metric_reference.signatures.words import (
    CANDIDATE_PARTS,
    EDGES,
    KEYS,
    LATER,
    MEANS,
    REPLACEMENT,
    UNKNOWN,
    USERS,
    VERSION,
    nearest,
)
from metric_reference.variant import Variant

OPTIONAL = ("times", "round", "rounds", "only", *CANDIDATE_PARTS)
FEW = 2
"""For up to this number of missing parts the error gives the values that each may have; for more, only the names."""
HEAD = re.compile(r"(?P<name>[^@|:#]*)(@(?P<k>[^@|:#]*))?")


class SignatureError(ValueError):
    """The text is no signature.

    problems : what is wrong, one sentence each; nearest : the most similar signature, or None.
    """

    def __init__(self, text: str, problems: List[str], nearest: Optional[Signature]) -> None:
        self.problems, self.nearest = problems, nearest
        printed = "" if nearest is None else nearest.short() if "#" in text else str(nearest)
        like = f". The nearest signature is {printed}" if printed else ""
        super().__init__(f"{text!r} is no signature: {'; '.join(problems)}{like}")


def parse(text: str) -> Signature:
    """The signature of a full or a short form; white space, line ends and the order of parts do not matter.

    A text without a digest must have every part. A text with a digest may leave out usual parts, and its digest must
    be that of the full form. SignatureError lists everything that is wrong, and the nearest signature.
    """
    return _Reading(text).signature()


class _Reading:
    """A text while it is read, the problems found so far, and the parts that are missing, each with what to write."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.problems: List[str] = []
        self.missing: Dict[str, str] = {}
        full, hash_sign, self.digest = re.sub(r"\s+", "", text).partition("#")
        self.short = bool(hash_sign)
        head, *self.part_texts = full.split("|")
        self.name, self.k = self._head(head)

    def signature(self) -> Signature:
        """The signature; SignatureError if there are problems."""
        if self.name is None:
            raise SignatureError(self.text, self.problems, None)
        metric = METRICS[self.name]
        given = self._given(metric)
        self._check_version(given)
        choices, weight = self._choices(metric, given), self._word("mean", given, _inverted(MEANS))
        others: Dict[str, Any] = {"users": self._word("users", given, dict(zip(USERS, USERS)))}
        for part, (edge, words) in EDGES.items():
            others[edge] = self._word(part, given, _inverted({**words, **UNKNOWN}))
        others["threshold"] = self._threshold(given)
        others["candidates"] = self._candidates(given)
        times, digits = self._whole_number("times", given, 1, 1), self._whole_number("round", given, 0, None)
        try:
            factor, rounds = 1 if times is None else times, given.get("rounds", "mean")
            only = given.get("only", EVERYTHING)
            variant = Variant(metric(**choices), weight, self.k, digits, factor, rounds, only)
        except ValueError as error:
            self.problems.append(str(error))
            variant = Variant(metric(), "user", self.k)
        signature = Signature(variant, **others)
        self._check_digest(signature)
        self._tell_missing()
        if self.problems:
            raise SignatureError(self.text, self.problems, self._by_digest(signature) or signature)
        return signature

    def _head(self, head: str) -> Tuple[Optional[str], Optional[int]]:
        """Metric, or the nearest one if the name is wrong (None if no name is similar), and cut-off."""
        match = HEAD.fullmatch(head)
        if match is None:
            self.problems.append(f"it begins with {head!r}; begin with a metric and a cut-off, such as ndcg@20")
            return None, None
        name: Optional[str] = match["name"]
        if name not in METRICS:
            name = nearest(match["name"], METRICS)
            hint = f"the nearest is {name}" if name else f"one of {', '.join(METRICS)} is"
            self.problems.append(f"{match['name']!r} is no metric; {hint}")
        cut = match["k"]
        if cut is None:
            self.problems.append("the cut-off is missing; write it behind the metric, such as @20 (@k: any)")
        elif cut != "k" and not re.fullmatch("[1-9][0-9]{0,8}", cut):
            self.problems.append(f"the cut-off {cut!r} is no whole number from 1 to 999,999,999 (@k: any)")
            return name, _whole_number_in(cut)
        return name, None if cut in (None, "k") else int(cut)

    def _given(self, metric: Type[Metric]) -> Dict[str, str]:
        """The words of the parts by name; an unknown or repeated part, or a text that is no part, is a problem."""
        choices = [KEYS.get(field.name, field.name) for field in fields(metric)]
        known, given = [*choices, "mean", "users", *EDGES, "rel", *OPTIONAL, "mh"], {}
        for text in self.part_texts:
            name, colon, value = text.partition(":")
            if not (name and colon and value):
                self.problems.append(f"{text!r} is no part; a part is name:value")
            elif name not in known:
                meant = nearest(name, [part for part in known if part not in given])
                hint = f"did you mean {meant}?" if meant else f"it has {', '.join(known)}"
                self.problems.append(f"{metric.name} has no part {name!r}; {hint}")
                if meant is not None and all(not other.startswith(f"{meant}:") for other in self.part_texts):
                    given[meant] = value
            elif name in given:
                self.problems.append(f"the part {name!r} is given twice ({given[name]} and {value}); give it once")
            else:
                given[name] = value
        return given

    def _check_version(self, given: Dict[str, str]) -> None:
        value = given.get("mh")
        if value is None:
            self.missing["mh"] = f"this is version {VERSION}: end with mh:{VERSION}"
        elif not re.fullmatch(r"[0-9]+\.[0-9]+", value):
            self.problems.append(f"mh:{value} is no version; mh:{VERSION} is")
        elif number_of(value) > number_of(VERSION):
            self.problems.append(f"mh:{value} is a later version; this one reads mh:{VERSION} and older, so update it")
        elif number_of(value) < [1, 0]:
            self.problems.append(f"mh:{value} is older than the first version, mh:1.0")

    def _choices(self, metric: Type[Metric], given: Dict[str, str]) -> Dict[str, Any]:
        """The choices and parameters of the metric."""
        made: Dict[str, Any] = {}
        for field in fields(metric):
            part, allowed = KEYS.get(field.name, field.name), field.metadata["values"]
            if allowed is None:
                continue
            words = {word(value): value for value in (*allowed, *field.metadata["with_parameter"])}
            later = LATER.get((metric.name, field.name))
            too_new = later is not None and number_of(later) > number_of(_version_of(given))
            made[field.name] = allowed[0] if too_new and part not in given else self._word(part, given, words)
        for field in fields(metric):
            if field.metadata["values"] is None:
                self._parameter(metric, field, given, made)
        return made

    def _parameter(self, metric: Type[Metric], field: Any, given: Dict[str, str], made: Dict[str, Any]) -> None:
        """Reads a parameter of the metric into ``made``."""
        when, value = field.metadata.get("when"), given.get(KEYS.get(field.name, field.name))
        needed = when is None or made[when[0]] in when[1:]
        if value is None:
            if needed and not self.short:
                self.missing[field.name] = f"a number such as {field.default:g}"
            return
        if not needed:
            self.problems.append(f"{field.name} has a meaning only with {condition_of(when, ':')}; leave it out")
            return
        try:
            metric(**{**made, field.name: value})
        except ValueError as error:
            self.problems.append(str(error))
            return
        made[field.name] = value

    def _word(self, part: str, given: Dict[str, str], words: Dict[str, str]) -> str:
        """The value of a part's word; where the word is wrong, that of the nearest word, or of the usual one."""
        usual = usual_parts(str(self.name)).get(part, next(iter(words)))
        value = given.get(part)
        if value is None:
            if not self.short:
                self.missing[part] = f"it is one of {', '.join(words)}"
            return words[usual]
        if value in words:
            return words[value]
        meant = nearest(value, words)
        hint = f"; did you mean {part}:{meant}?" if meant else ""
        self.problems.append(f"{part}:{value} is unknown; {part} is one of {', '.join(words)}{hint}")
        return words[meant or usual]

    def _whole_number(self, part: str, given: Dict[str, str], least: int, usual: Optional[int]) -> Optional[int]:
        value = given.get(part)
        if value is None:
            return usual
        if re.fullmatch("0|[1-9][0-9]{0,5}", value) and int(value) >= least:
            return int(value)
        self.problems.append(f"{part}:{value} is no whole number from {least} on")
        return usual

    def _threshold(self, given: Dict[str, str]) -> Optional[float]:
        value = given.get("rel")
        if value is None and not self.short:
            self.missing["rel"] = "write rel:>0, or for example rel:>=4"
        if value in (None, ">0"):
            return None
        match = re.fullmatch(r">=([0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?)", str(value))
        if match is not None and 0 < float(match[1]) < math.inf:
            return float(match[1])
        self.problems.append(f"rel:{value} names no smallest gain; write rel:>0, or for example rel:>=4")
        return _whole_number_in(str(value))

    def _candidates(self, given: Dict[str, str]) -> Candidates:
        """What items are ranked among: all, unless the part ``cand`` says otherwise."""
        value = given.get("cand", "all")
        match = WORD.fullmatch(value)
        kind = match["kind"] if match is not None and match["kind"] in KINDS else None
        drawn = kind not in ("all", "given", None)
        unknown = match is None or kind is None or drawn != (match["negatives"] is not None)
        if unknown:
            self.problems.append(
                f"cand:{value} is unknown; write cand:given, or draw negatives, such as cand:uniform99 or "
                "cand:popularity100, or leave it out for all items"
            )
            drawn, kind = False, "all"
        if not drawn:
            for part in CANDIDATE_PARTS[1:] if not unknown else ():
                if part in given:
                    self.problems.append(f"{part} has a meaning only with drawn candidates; leave it out")
            return Candidates(str(kind))
        replacement = self._word("repl", given, {word: word for word in REPLACEMENT.values()}) == REPLACEMENT[True]
        per = self._word("per", given, dict(zip(PER, PER)))
        return Candidates(str(kind), int(match["negatives"]), replacement, per)  # type: ignore[index]

    def _tell_missing(self) -> None:
        """Adds a problem for each of a few missing parts, or one for many."""
        if len(self.missing) > FEW:
            self.problems.append(f"the parts {', '.join(self.missing)} are missing")
        else:
            self.problems += [f"the part {part!r} is missing; {advice}" for part, advice in self.missing.items()]
        if self.missing and not self.short:
            self.problems.append("only a short form, which ends in # and a digest, leaves parts out")

    def _check_digest(self, signature: Signature) -> None:
        if not self.short:
            return
        if not re.fullmatch(f"[0-9a-f]{{{DIGITS}}}", self.digest):
            self.problems.append(f"the digest #{self.digest} has not {DIGITS} of the digits 0-9a-f")
        elif not (self.problems or self.missing) and self.digest != signature.digest():
            meant = self._by_digest(signature)
            hint = f"; #{self.digest} is that of {meant.short()}" if meant else ""
            right = f"that of {signature} is #{signature.digest()}"
            self.problems.append(f"the digest is #{self.digest}, but {right}{hint}")

    def _by_digest(self, signature: Signature) -> Optional[Signature]:
        """The signature with the digest of the text: this one, or one that differs in a single change."""
        if not self.short:
            return None
        return next((other for other in (signature, *changed(signature)) if other.digest() == self.digest), None)


def changed(signature: Signature) -> Iterator[Signature]:
    """The signatures that differ from this one in a single choice, weight, set of users, edge, cut-off or the like."""
    variant = signature.variant
    for name, allowed in variant.metric.choices().items():
        for value in allowed:
            if value != getattr(variant.metric, name):
                made = {**variant.metric.made(), name: value}
                try:
                    metric = type(variant.metric)(**made)
                except ValueError:  # a parameter has a meaning only with the old value
                    metric = type(variant.metric)(**{n: v for n, v in made.items() if n in variant.metric.choices()})
                weight = variant.weight if variant.weight == "user" or variant.weight in metric.weights() else "user"
                yield replace(signature, variant=_with(variant, metric=metric, weight=weight))
    for weight in MEANS:
        if weight != variant.weight and (weight != "sum" or weight in variant.metric.weights()):
            yield replace(signature, variant=_with(variant, weight=weight))
    for users in USERS:
        if users != signature.users:
            yield replace(signature, users=users)
    for edge, words in EDGES.values():
        for behaviour in words:
            if behaviour != getattr(signature, edge):
                yield replace(signature, **{edge: behaviour})  # type: ignore[arg-type]
    if variant.k is not None:
        for k in dict.fromkeys((1, 3, 5, 10, 20, 50, 100, variant.k - 1, variant.k + 1)):
            if k > 0 and k != variant.k:
                yield signature.at(k)
    for threshold in (None, 1.0, 2.0, 3.0, 3.5, 4.0, 4.5, 5.0):
        if threshold != signature.threshold:
            yield replace(signature, threshold=threshold)
    if variant.times == 1:
        yield replace(signature, variant=replace(variant, times=100))
    if variant.metric.lists and variant.metric.relevance:
        yield from (replace(signature, variant=replace(variant, only=only)) for only in ONLY if only != variant.only)
    for candidates in _other_candidates(signature.candidates):
        yield replace(signature, candidates=candidates)


def _other_candidates(candidates: Candidates) -> Iterator[Candidates]:
    """All items instead of drawn or given ones; the other ways of drawing; 99 and 100 negatives, one fewer or more."""
    if candidates != ALL:
        yield ALL
    if not candidates.drawn or candidates.negatives is None:
        return
    yield replace(candidates, replacement=not candidates.replacement)
    yield from (replace(candidates, per=per) for per in PER if per != candidates.per)
    yield from (replace(candidates, kind=kind) for kind in WEIGHTS if kind != candidates.kind)
    near = (99, 100, candidates.negatives - 1, candidates.negatives + 1)
    yield from (replace(candidates, negatives=m) for m in dict.fromkeys(near) if m > 0 and m != candidates.negatives)


def _with(variant: Variant, **fields: Any) -> Variant:
    """The variant with other fields; where users' values are not averaged then, the value is what is rounded."""
    other = replace(variant, **{"rounds": "mean", "only": EVERYTHING, **fields})
    if other.metric.lists and other.metric.relevance:
        other = replace(other, only=variant.only)
    return replace(other, rounds=variant.rounds) if other.averages_users() else other


def _inverted(words: Dict[str, str]) -> Dict[str, str]:
    return {word: value for value, word in words.items()}


def _version_of(given: Dict[str, str]) -> str:
    """The version in a text; that of this package where the text has no valid one."""
    value = given.get("mh", "")
    return value if re.fullmatch(r"[0-9]+\.[0-9]+", value) else VERSION


def _whole_number_in(text: str) -> Any:
    """The whole number that the digits of a text before the point form; None if it is 0 or there are none."""
    digits = re.sub("[^0-9]", "", text.partition(".")[0])[:6]
    return int(digits) if digits.strip("0") else None
