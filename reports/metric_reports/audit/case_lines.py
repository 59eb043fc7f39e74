"""A small case as lines of text, for checking by hand; and helpers for every text of an audit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metric_reports.evidence_line import counted
from metric_reports.record import from_json_number
from metric_reports.tolerances import near

LONGEST_RUN = 8
"""The longest run of misses, or of relevant items, with consecutive numbers that is written in full."""
NO_CUT = -1
"""The rank after which no bar stands."""
USERS_SHOWN = 6
"""Users of a case that the text shows; JSON holds all of them."""


def case_lines(case: Mapping[str, Any], names: Sequence[str] = ("returned",)) -> list[str]:
    """A case for checking by hand: lists with hits in brackets, the values returned and expected, the arithmetic.

    names : the label of the value returned, or the names of the two functions of a comparison.
    """
    lines = [f"k = {case['k']}; hits in brackets, ranks past k after the bar"]
    for number, user in enumerate(case["users"][:USERS_SHOWN], start=1):
        prefix = f"user {number}: " if len(case["users"]) > 1 else ""
        lines.append(f"  {prefix}list {drawn(user, case['k'])}   relevant {relevant(user)}")
        if "scores" in user:
            scores = " ".join("none" if score is None else f"{score:.6g}" for score in user["scores"])
            lines.append(f"  {prefix}scores of item 0 and on: {scores}")
    if len(case["users"]) > USERS_SHOWN:
        lines.append(f"  and {counted(len(case['users']) - USERS_SHOWN, 'more user')}")
    if len(names) == 1:
        pairs = [(names[0], case["value"])]
    else:
        values = (case["value"], case["other"])
        pairs = [(f"{name} returned", value) for name, value in zip(names, values, strict=True)]
    pairs += [(candidate["variant"], candidate["value"]) for candidate in case["candidates"]]
    texts = numbers([from_json_number(value) for _, value in pairs])
    if case["value"] is None and case["error"]:
        texts[0] = case["error"]
    width = max(len(name) for name, _ in pairs)
    lines += [f"{name:{width}}  {text}" for (name, _), text in zip(pairs, texts, strict=True)]
    lines += [f"  {line}" for line in case["arithmetic"]]
    return [safe(line) for line in lines]


def named(subject: Mapping[str, Any]) -> str:
    """The definition of a function, with the conditions under which it is that; empty without one."""
    return ", ".join([subject["variant"], *subject.get("where", ())]) if subject["variant"] else ""


def where_alone(subject: Mapping[str, Any]) -> str:
    """The definition that a function follows for some inputs or calls only, and these; empty for other functions."""
    rivals = [row["variant"] for row in subject["rivals"]]
    if rivals:
        one = f"{rivals[0]} in a way of calling that its parameters' names speak against"
        return one if rivals == [subject["suggested"]] else "one of several definitions, depending on how it is called"
    inputs = subject.get("only_where") or ()
    return f"{subject['suggested']} only where {' and '.join(inputs)}" if inputs else ""


def drawn(user: Mapping[str, Any], k: int) -> str:
    """A list with hits in brackets and a bar after rank k; a long run of consecutive misses shows its two ends."""
    pairs = list(zip(user["list"], user["hits"], strict=True))
    ranks: list[str] = []
    begin = 0
    while begin < len(pairs):
        end = end_of_run(pairs, begin, k)
        in_full = end - begin <= LONGEST_RUN
        shown = pairs[begin:end] if in_full else [pairs[begin], pairs[end - 1]]
        ranks += (["|"] if begin == k else []) + [f"[{item}]" if hit else f"{item}" for item, hit in shown]
        if not in_full:
            ranks.insert(-1, "...")
        begin = end
    return " ".join(ranks) or "(empty)"


def end_of_run(pairs: Sequence[tuple[int, bool]], begin: int, k: int) -> int:
    """The end of the run of misses with consecutive item numbers from ``begin`` on; it does not pass rank k."""
    (item, hit), end = pairs[begin], begin + 1
    while not hit and end < len(pairs) and end != k and pairs[end] == (item + end - begin, False):
        end += 1
    return end


def relevant(user: Mapping[str, Any]) -> str:
    """The relevant items, with their gains where some gain is not 1; a long run of consecutive ones shows its ends."""
    items = user["relevant"]
    if set(user["gains"]) <= {1.0}:
        return drawn({"list": items, "hits": [False] * len(items)}, NO_CUT) if items else "(none)"
    pairs = zip(user["relevant"], user["gains"], strict=True)
    return " ".join(with_gain(item, gain) for item, gain in pairs)


def with_gain(item: Any, gain: float) -> str:
    """An item with what it was judged: ``3 (gain 2)``, or that it is not relevant."""
    return f"{item} (gain {gain:g})" if gain else f"{item} (judged not relevant)"


def numbers(values: Sequence[float | None]) -> list[str]:
    """Numbers with six digits, or with 17 where six hide that two of them differ."""

    def written(digits: int) -> list[str]:
        return ["no number" if v is None else "NaN" if v != v else f"{v:.{digits}g}" for v in values]

    texts = written(6)
    hidden = any(texts[i] == texts[j] and differ(values[i], values[j]) for i in range(len(values)) for j in range(i))
    return written(17) if hidden else texts


def differ(value: float | None, other: float | None) -> bool:
    """Whether two numbers differ, as an audit counts it: by more than 1e-6, relative to values above 1; NaN equals NaN.

    None, where there is no number, equals None alone.
    """
    if value is None or other is None:
        return value is not other
    return not near(value, other)


def safe(content: str) -> str:
    """A text without the characters that control a terminal, such as escapes and direction overrides."""
    return "".join(char if char.isprintable() else " " if char in "\n\t" else "\ufffd" for char in content)
