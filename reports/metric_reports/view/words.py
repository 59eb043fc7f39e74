"""Names and numbers as people read them: plain text in and out, nothing of HTML or terminals."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from metric_reports.record import from_json_number
from metric_reports.types.common import Number

METRICS: dict[str, tuple[str, str]] = {
    "hit_rate": ("HitRate", "hit rate"),
    "precision": ("Precision", "precision"),
    "recall": ("Recall", "recall"),
    "reciprocal_rank": ("MRR", "reciprocal rank"),
    "average_precision": ("MAP", "average precision"),
    "ndcg": ("NDCG", "NDCG"),
    "auc": ("AUC", "AUC"),
    "f1": ("F1", "F1"),
    "r_precision": ("R-precision", "R-precision"),
    "average_recall": ("MAR", "average recall"),
    "rank_biased_precision": ("RBP", "rank-biased precision"),
    "expected_reciprocal_rank": ("ERR", "expected reciprocal rank"),
    "fall_out": ("Fall-out", "fall-out"),
    "mcc": ("MCC", "Matthews correlation"),
    "partial_auc": ("Partial AUC", "partial AUC"),
    "pr_auc": ("PR-AUC", "PR-AUC"),
    "rank": ("Rank", "rank"),
    "mae": ("MAE", "MAE"),
    "rmse": ("RMSE", "RMSE"),
    "mse": ("MSE", "MSE"),
    "r_squared": ("R squared", "R squared"),
    "accuracy": ("Accuracy", "accuracy"),
    "log_loss": ("Log loss", "log loss"),
}
"""Metrics in the order of the columns: the label of a column, and the name inside a sentence."""

UNCUT = ("auc", "partial_auc", "pr_auc", "mae", "rmse", "mse", "r_squared", "accuracy", "log_loss")
"""Metrics whose label has no cut-off; whether an AUC is cut is part of its variant."""
USUAL = tuple(METRICS)[:10]
"""The ten most common metrics of rankings; the others get a separate table."""
FAMILIES: dict[str, str] = {
    "rec": "Recommenders",
    "ir": "Information retrieval",
    "rag": "Retrieval for language models",
    "ltr": "Learning to rank",
    "ml": "Machine learning at large",
}

EDGES: dict[str, str] = {
    "no_relevant": "a user with nothing relevant",
    "no_list": "a user with an empty list",
    "short_list": "a list shorter than k",
    "duplicates": "an item listed twice",
    "ties": "equal scores",
    "k_beyond_items": "k above the number of items",
}
AGREEMENT: dict[str | None, str] = {
    "same": "same (to 1e-12)",
    "same_in_float32": "same in float32 (to 1e-6)",
    "different": "different",
    None: "not compared",
}
WIDTH, SCREEN = 100, 40
"""Columns of what is printed into a pipe or a file, and lines of one screen."""
BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean(text: str) -> str:
    """Replace control characters, lone surrogates and direction overrides, which could steer a terminal or a page."""
    if text.isprintable():  # fast path: no such character is printable
        return text
    return "".join("\ufffd" if _is_control(char) else char for char in text)


def _is_control(char: str) -> bool:
    return char in BIDI_CONTROLS or (char not in "\n\t" and unicodedata.category(char) in ("Cc", "Cs"))


def label(metric: str, k: int) -> str:
    """The head of a column: ``MAP@20``; an AUC or a rating error is named without a cut-off."""
    return metric_name(metric) if metric in UNCUT else f"{metric_name(metric)}@{k}"


def metric_name(metric: str) -> str:
    """The head of a column without a cut-off: ``MAP``."""
    return METRICS[metric][0] if metric in METRICS else metric.replace("_", " ").capitalize()


def words(metric: str) -> str:
    """A metric's name inside a sentence."""
    return METRICS[metric][1] if metric in METRICS else metric.replace("_", " ")


def in_order(metrics: Iterable[str]) -> list[str]:
    """Metrics without repetition, in the order of the columns; metrics that ``METRICS`` lacks come last."""
    order = list(METRICS)
    return sorted(dict.fromkeys(metrics), key=lambda metric: order.index(metric) if metric in order else len(order))


def short(value: Number | None, digits: int = 4) -> str:
    """A number for a table: ``digits`` significant digits, ``–`` for None."""
    number = from_json_number(value)
    if number is None:
        return "–"
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    return "0" if number == 0 else f"{number:#.{digits}g}".rstrip(".")


def full(value: Number | None) -> str:
    """A number with all its digits, ``–`` for None."""
    number = from_json_number(value)
    if number is None:
        return "–"
    return repr(number) if math.isfinite(number) else short(number)


def count(number: int, singular: str, plural: str | None = None) -> str:
    """``1 library``, ``5 libraries``; the default plural adds an s."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def listing(items: Iterable[str], last: str = "and") -> str:
    """``a, b and c``."""
    names = list(items)
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def fitted(start: str, items: Sequence[str], width: int, separator: str = "; ") -> str:
    """The items behind a start as far as ``width`` characters reach, and how many more there are.

    >>> fitted("seen: ", ["apple", "pear", "plum"], 21)
    'seen: apple; 2 more'
    """
    for number in range(len(items), 0, -1):
        rest = f"{separator}{len(items) - number} more" if number < len(items) else ""
        if len(line := start + separator.join(items[:number]) + rest) <= width:
            return line
    return f"{start}{len(items)}"


def aligned(rows: Sequence[Sequence[str]], gap: int = 2) -> list[str]:
    """Rows of texts as lines, each column as wide as its longest text; the last one is not padded.

    >>> aligned([("name", "of"), ("a", "1")])
    ['name  of', 'a     1']
    """
    sizes = [max(map(len, column)) + gap for column in zip(*rows, strict=True)]
    return ["".join(text.ljust(size) for text, size in zip(row, sizes, strict=True)).rstrip() for row in rows]


def first_line(text: str | None, width: int = 72) -> str:
    """The first line of a text, shortened at a space where it is too long."""
    line = next((line.strip() for line in (text or "").splitlines() if line.strip()), "")
    return line if len(line) <= width else line[: width - 1].rsplit(" ", 1)[0] + "…"


def moment(text: str) -> str:
    """An ISO 8601 time to the minute; any other text unchanged."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return text
    return time.strftime("%Y-%m-%d %H:%M") + (" UTC" if time.utcoffset() == timedelta(0) else "")


def web_address(text: Any) -> str | None:
    """The text if it is an http(s) address; else None, so that ``javascript:`` and the like never become links."""
    if not isinstance(text, str) or text != clean(text) or any(char.isspace() for char in text):
        return None
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    return text if parts.scheme in ("http", "https") and parts.netloc else None


def host(text: str) -> str:
    """The host of a web address; any other text unchanged."""
    return urlsplit(text).netloc if web_address(text) else text


def plain(value: Any) -> str:
    """A value of a manifest as one line of text: numbers grouped by thousands, mappings and lists spelled out."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Mapping):
        return ", ".join(f"{str(key).replace('_', ' ')} {plain(inner)}" for key, inner in value.items()) or "–"
    if isinstance(value, list | tuple):
        return ", ".join(map(plain, value)) or "–"
    return str(value)
