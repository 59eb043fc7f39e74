"""The columns of data frames: their usual names, and those that a function reads."""

from __future__ import annotations

import itertools
import re
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

from metric_adapters.calls.facts import Source
from metric_adapters.calls.parameter_names import families, snake

ID = r"(_?(id|ids|idx|index|code|key|no|num))?s?"
COLUMN_WORDS: Dict[str, str] = {
    "user": r"(user|usr|u|customer|cust|client|visitor|visit|search|request|basket|topic|session|query|q|profile|member"
    rf"|reader|impression|group|account|buyer|viewer|srch){ID}|uid",
    "item": r"(item|i|movie|product|prod|article|doc|document|track|song|artist|sku|book|game|content|news|pid"
    rf"|candidate|listing|video|recipe|hotel|offer|property|prop){ID}|[iamp]id|asin",
    "rating": r"rating|ratings|relevance|rel|label(_\w+)?|gain|grade|weight|interaction|target|stars|value|y_?true"
    r"|true_?\w*|actual\w*|click(ed|s)?|(is|was|has)_\w+|\w+_(bool|flag|label|labels)|relevant(_\w+)?|purchased?|gains|labels|y"
    r"|(ground_?)?truth|gt|test_\w+|positives|held_?out|next_item(_id)?|gold(_\w+)?",
    "score": r"scores?|preds?|predictions?|predict(ed|s)?|est|estimate|y_?pred|y_?score|prob\w*|pred\w*_\w+"
    r"|\w+_(preds?|predictions?|score)|rec(s|ommended|ommendations?)?(_\w+)?|top_?[kn]?(_\w+)?",
    "rank": r"ranks?|position|ranking|rk|pred_?rank|rank_?pred|rank_\w+",
}
FAMILIES = {"rating": {"truth", "label", "relevance"}, "score": {"list", "score"}, "user": {"group"}}
"""The families of names that tell the role of a column whose name is none of these words."""
ID_FIRST = re.compile(r"id_([a-z]+)")
"""A column named ``id_item``."""
RECIPROCAL = re.compile(r"recip\w*|inv(erse)?_?ranks?|rr")
"""A column with the reciprocal rank of a relevant item, 0 for every other one."""
PREDICTED = re.compile(r"pred|est|prob|hat|rec|top", re.IGNORECASE)
"""In the name of a column with the model's scores; a plain ``score`` may be the true one."""
MOST_SETS = 4
"""The most sets of columns: those that may hold labels times those that may hold scores."""


class Columns(NamedTuple):
    """Names of the columns. rank : a column with 1, 2, ... by user, or None.

    more : further columns that a function reads from a single frame: reciprocal ranks, and others that are 0 in every
    row.
    """

    user: str
    item: str
    rating: str
    score: str
    rank: Optional[str] = None
    more: Tuple[str, ...] = ()

    def printed(self) -> str:
        return ",".join(name for name in self[:5] if name is not None)

    @property
    def zeros(self) -> Tuple[str, ...]:
        """The columns that hold 0 in every row."""
        return tuple(name for name in self.more if not inverse(name))

    def besides(self) -> str:
        """The contents of the columns in ``more``, in words."""
        contents = ("0" if name in self.zeros else "1 / rank for a relevant item" for name in self.more)
        return "".join(f"; {name} holds {content}" for name, content in zip(self.more, contents))


COMMON = (
    Columns("user_id", "item_id", "rating", "score"),
    Columns("userID", "itemID", "rating", "prediction"),
    Columns("user", "item", "rating", "score"),
    Columns("userId", "movieId", "rating", "prediction"),
    Columns("user_id", "movie_id", "rating", "pred_rating"),
    Columns("user_id", "item_id", "relevance", "score", "rank"),
    Columns("user_id", "item_id", "rating", "rating"),
    Columns("query_id", "item_id", "relevance", "relevance", "rank"),
    Columns("uid", "iid", "rating", "est"),
)
"""Tried if the function does not name its columns."""
COMMON_LABELLED = (
    Columns("user_id", "item_id", "label", "score"),
    Columns("user_id", "item_id", "label", "pred"),
    Columns("user_id", "item_id", "y_true", "y_pred"),
    Columns("user", "item", "label", "score"),
    Columns("user_id", "item_id", "relevance", "score", "rank"),
)
"""Tried for a single labelled frame."""
COMMON_LISTS = (
    Columns("user_id", "item_id", "actual", "predicted"),
    Columns("user_id", "item_id", "ground_truth", "recommendations"),
    Columns("user_id", "item_id", "relevant", "recommended"),
)
"""Tried for a frame with lists in its cells: relevant items, then recommended items."""


def role_of(text: str) -> Optional[str]:
    """The role of a column by its name, or None."""
    plain = ID_FIRST.sub(r"\1_id", snake(text).replace(" ", "_"))
    return next((role for role, words in COLUMN_WORDS.items() if re.fullmatch(words, plain)), None)


def parameter_role(name: str) -> Optional[str]:
    """The role of the column that a parameter names: ``col_user``, ``item_column``, ``gold_col``, ``predcol``."""
    plain = re.sub(r"(^|_)(cols?|columns?|key|field|name)(_|$)|(?<=[a-z])col(umn)?$", r"\3", snake(name)).strip("_")
    means = families(plain)
    by_family = (role for role, words in FAMILIES.items() if means & words)
    return role_of(plain) or next(by_family, None)


def read_columns(defaults: Dict[str, Any], source: Source) -> Optional[Columns]:
    """The columns that a function names: in defaults, in its text, in its file. None if it names too few."""
    names: Dict[str, str] = {}
    for name, default in (*defaults.items(), *source.told.items()):
        role = parameter_role(name)
        if role and isinstance(default, str):
            names.setdefault(role, default)
    roles = {role_of(text) for text in source.texts}
    if source.grouped and "user" not in roles:
        names.setdefault("user", source.grouped[0])
    unknown = [text for text in source.sorted if role_of(text) is None and text not in source.grouped]
    if unknown and not roles & {"score", "rank"}:
        names.setdefault("score", unknown[0])
    unknown = [text for text in source.joined if role_of(text) is None and text not in source.grouped]
    if unknown and not any(role_of(text) == "item" and text not in source.made for text in source.texts):
        names.setdefault("item", unknown[0])
    grouped = [text for text in source.grouped if role_of(text) == "user"]
    keys = [key for key in _keys(source) if key in source.strings]

    def take(texts: Iterable[str], letters: bool = False) -> None:
        for text in texts:
            role = role_of(text)
            if role and text not in source.made and (letters or text != role[0]):
                names.setdefault(role, text)

    take((*grouped, *keys, *source.texts))
    take((text for text in source.texts if text in source.strings), letters=True)  # an attribute "u" is no column
    ids = [key for key in dict.fromkeys(keys) if key.endswith("_id") and key not in names.values()]
    names.update(zip((role for role in ("user", "item") if role not in names), ids))
    left = [key for key in dict.fromkeys(keys) if role_of(key) is None and key not in (*names.values(), *source.made)]
    if len(left) == 1 and set(names) == {"user"}:
        names["item"] = left[0]
    elif len(left) == 1 and not inverse(left[0]) and "rating" not in names and names.keys() & {"score", "rank"}:
        names["rating"] = left[0]  # beside what orders the rows
    elif len(left) == 1 and "list" in families(left[0]) and not names.keys() & {"score", "rank"}:
        names["score"] = left[0]  # in a row of lists
    take(source.module_texts)
    if "score" in map(parameter_role, defaults):
        names.setdefault("score", "score")
    own_roles = {role_of(text) for text in source.texts} & {"user", "item", "rating", "score", "rank"}
    own_roles |= {"user"} if source.grouped else {"rating"} if "rating" in map(parameter_role, source.told) else set()
    own_roles |= {"rating"} if names.get("rating") in keys else set()
    if not {"user", "item"} <= set(names) and len(own_roles) < 2 and own_roles != {"rank"}:
        return None
    rating = names.get("rating", "rating")
    score = names.get("score", rating if "rating" in names else "score")
    return Columns(names.get("user", "user_id"), names.get("item", "item_id"), rating, score, names.get("rank"))


def column_sets(defaults: Dict[str, Any], source: Source) -> List[Columns]:
    """The sets of columns that a function may mean, the likeliest first; empty if it names too few.

    There is one set unless the function reads further columns, or a rank for which no parameter gives the name. Of
    further columns there is a set for each pair that may hold labels and scores, the others in :attr:`Columns.more`.
    """
    first = read_columns(defaults, source)
    keys = tuple(dict.fromkeys(_keys(source)))
    named = any(isinstance(default, str) for default in defaults.values())
    if named and first is not None and first.rank and "rank" not in map(parameter_role, defaults):
        return [first._replace(rank=None), first]  # where parameters name the columns, it is rather one that it makes
    if named or (first is not None and set(keys) <= set(first)):
        return [] if first is None else [first]
    by_role: Dict[str, List[str]] = {role: [key for key in keys if role_of(key) == role] for role in COLUMN_WORDS}
    labels, scores = by_role["rating"], by_role["score"]
    if not labels and len(scores) > 1:  # of score and prediction, the score is the true value
        labels = [key for key in scores if not PREDICTED.search(key)]
        scores = [key for key in scores if key not in labels] or scores
    if not scores and len(labels) > 1:
        scores = labels
    if not labels and not scores and not any(map(inverse, keys)):
        return [] if first is None else [first]
    user, item = (next(iter(by_role[role]), f"{role}_id") for role in ("user", "item"))
    usual = first or Columns(user, item, "rating", "score")
    pairs = itertools.product(labels or [usual.rating], scores or [usual.score])
    sets = [usual._replace(rating=label, score=score) for label, score in pairs if label != score]
    if len(sets) > MOST_SETS:
        return [usual]
    known = {*labels, *scores, *filter(inverse, keys), *(source.strings - source.made)}
    return [
        columns._replace(more=tuple(key for key in keys if key in known and key not in columns))
        for columns in sets or [usual]
    ]


def _keys(source: Source) -> Iterator[str]:
    """The keys that it reads, but for columns of unknown meaning that a frame need not have."""
    keys = (key for read in source.keys.values() for key in read)
    return (key for key in keys if key not in source.tested or role_of(key) is not None)


def inverse(name: str) -> bool:
    """Whether a column holds reciprocal ranks."""
    return bool(RECIPROCAL.fullmatch(snake(name)))


def parse_columns(text: str) -> Columns:
    """``user_id,item_id,rating,score`` with or without a fifth name for ranks; ValueError for other counts."""
    names = [name.strip() for name in text.split(",")]
    if not 4 <= len(names) <= 5 or not all(names):
        raise ValueError(f"{text!r}: give four or five columns: user,item,rating,score[,rank]")
    return Columns(names[0], names[1], names[2], names[3], names[4] if len(names) == 5 else None)


def column_arguments(defaults: Dict[str, Any], columns: Columns) -> Dict[str, str]:
    """The values for the parameters that name columns; required ones of unknown names get those that are left."""
    roles = {name: "score" if name in ("column", "col") else parameter_role(name) for name in defaults}
    unknown = [name for name, default in defaults.items() if roles[name] is None and not isinstance(default, str)]
    left = (role for role in ("user", "item", "rating", "score") if role not in roles.values())
    roles.update(zip(unknown, left))
    values = {name: getattr(columns, role) for name, role in roles.items() if role is not None}
    return {name: value for name, value in values.items() if value is not None}
