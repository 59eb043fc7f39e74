"""The vectors: reading their cases, computing every number, writing and checking the file.

``vectors.json`` holds the cases and their numbers. A case is what a person would write down: for each user the ids of
the list and pairs of relevant id and gain. Numbers stand in the order of the definitions.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from metric_reference.case import Case, case_from_lists
from metric_reference.catalogue import CATALOGUE
from metric_reference.edges import Edges
from metric_reference.evaluate import evaluate
from metric_reference.signatures.signature import Signature
from metric_reference.signatures.words import EDGES
from metric_reference.variant import Variant
from metric_reference.vectors.closed_forms import DISCOUNTS
from metric_reference.vectors.means import BEYOND_ACCURACY, METRICS, exact_mean, has_all, seen_by
from metric_reference.vectors.recipe import RECIPE, recipe_case
from metric_reference.vectors.rounded import nearest

FILE = Path(__file__).parent / "vectors.json"
VERSION = "1.1"
TOLERANCE = 1e-9
"""How far a right implementation may be off: the numbers of a case are the float64 nearest to the exact value."""
USUAL = {"norel": "skip", "nolist": "0", "dup": "counted", "ties": "input"}
"""How the numbers of a case treat the edges, in the words of signatures, unless its ``under`` says otherwise."""
WHAT = (
    "Rankings of one to six users and the value of every definition: the mean over users, unless its name says "
    "otherwise. `values` has a pair for each entry of `definitions`, in order: the exact value as text and the nearest "
    "float64; null where the case lacks what the definition reads or leaves it undefined. Item ids are whole numbers "
    "or texts. `relevant` holds pairs of id and gain, with the predicted rating as a third where there is one; an item "
    "is relevant if its gain is above 0 and at least `threshold`. `scores`, where given, are those of the list; "
    "`candidates` holds pairs of id and score, and the ids of all users are the catalogue; a relevant item that is no "
    "candidate ranks below all. `items`, where given, is the catalogue instead: id, number of interactions in the "
    "training data and vector of each item, which is of category c where entry c is not 0; items that are equally "
    "popular stand in the order of their ids, texts by code point. `train_users` is the number of users in the "
    "training data, `train` the ids that a user has there. A user for whom a metric beyond accuracy is undefined, such "
    "as one without a list, is not in its mean. "
    "`under` says how the case treats edges: norel: a user "
    "without relevant items (skip: not in the mean; 0 or 1: counts so); nolist: a user with an empty list; dup: an "
    "item that stands twice in a list (counted: each time; once: at its first rank); ties: equal scores (input: the "
    "order of the list; id_ascending, id_descending: by item id). Of the metrics beyond accuracy norel and nolist "
    "hold for serendipity and hit_popularity alone."
)

Page = Dict[str, Any]


@lru_cache(maxsize=1)
def definitions() -> Tuple[Variant, ...]:
    """The definitions of the catalogue that have an exact form, those beyond accuracy last."""
    known = dict.fromkeys(entry.variant for entry in CATALOGUE if entry.variant.metric.name in METRICS)
    return tuple(sorted(known, key=lambda variant: variant.metric.name in BEYOND_ACCURACY))


def edges_of(under: Dict[str, str]) -> Edges:
    """The edge behaviours of a case; ``under`` has words of signatures."""
    words = {**USUAL, **under}
    found = {}
    for part, (edge, spelled) in EDGES.items():
        found[edge] = {short: long for long, short in spelled.items()}[words[part]]
    return Edges(**found)


def ids_of(page: Page) -> List[Any]:
    """The ids of a case, in their order."""
    named = [pair for user in page["users"] for pair in [*user["relevant"], *user.get("candidates", [])]]
    single = [item for user in page["users"] for item in [*user["list"], *user.get("train", [])]]
    return sorted({*(row[0] for row in [*named, *page.get("items", [])]), *single})


def as_case(page: Page) -> Case:
    """A case of the file as arrays: ids are numbered in their order."""
    ids = ids_of(page)
    number = {item: place for place, item in enumerate(ids)}
    scores = [user["scores"] for user in page["users"]] if "scores" in page["users"][0] else None
    candidates = None
    if "candidates" in page["users"][0]:
        candidates = np.full((len(page["users"]), len(ids)), -np.inf)
        for row, user in enumerate(page["users"]):
            for item, score in user["candidates"]:
                candidates[row, number[item]] = score
    case = case_from_lists(
        [[number[item] for item in user["list"]] for user in page["users"]],
        [[number[pair[0]] for pair in user["relevant"]] for user in page["users"]],
        len(ids),
        gains=[[pair[1] for pair in user["relevant"]] for user in page["users"]],
        scores=scores,
        candidate_scores=candidates,
        threshold=page["threshold"],
    )
    if "items" in page:
        case = replace(case, **_training(page, number))
    predicted = [rated[2] for user in page["users"] for rated in user["relevant"] if len(rated) > 2]
    return replace(case, predicted_ratings=np.array(predicted, dtype=np.float64)) if predicted else case


def _training(page: Page, number: Dict[Any, int]) -> Dict[str, Any]:
    """The fields of a case that say what is known of the catalogue; ``number`` has that of each id."""
    rows = {number[item]: (count, vector) for item, count, vector in page["items"]}
    if len(rows) != len(number):
        raise ValueError(f"{len(number) - len(rows)} ids are not among the items")
    ordered = [rows[item] for item in range(len(rows))]
    train = [[number[item] for item in user.get("train", [])] for user in page["users"]]
    return {
        "item_counts": np.array([count for count, _ in ordered], dtype=np.int64),
        "item_vectors": np.array([vector for _, vector in ordered], dtype=np.float64),
        "n_train_users": page["train_users"],
        "train_indptr": np.cumsum([0, *map(len, train)], dtype=np.int64),
        "train_items": np.array([item for own in train for item in own], dtype=np.int64),
    }


def numbers(page: Page) -> List[Optional[Tuple[str, float]]]:
    """The exact value and the float64 of every definition for a case; None where the case lacks what it reads.

    Raises ValueError, with the name of the case, where it contradicts itself or two ways of computing differ.
    """
    try:
        edges, case = edges_of(page.get("under", {})), as_case(page)
    except ValueError as error:
        raise ValueError(f"case {page['name']}: {error}") from None
    users, floats = seen_by(case, edges, page["k"]), defined(case, page["k"], edges)
    return [
        None if number is None else _exactly(variant, number, exact_mean(variant, users, edges, page["k"]), page)
        for variant, number in zip(definitions(), floats)
    ]


def _exactly(variant: Variant, number: float, exact: str, page: Page) -> Tuple[str, float]:
    if not math.isclose(number, nearest(exact), rel_tol=1e-13, abs_tol=1e-15):
        raise ValueError(f"case {page['name']}: {variant} is {number!r}, but exactly {exact}")
    return exact, nearest(exact)


def defined(case: Case, k: int, edges: Edges) -> List[Optional[float]]:
    """The float64 of every definition; None where the case lacks what it reads or leaves it undefined."""
    floats = evaluate(case, [one for one in definitions() if has_all(case, one)], [k], edges)
    numbers = [floats.get(str(variant.at(k))) for variant in definitions()]
    return [None if number is None or math.isnan(number) else number for number in numbers]


def cases(file: Path = FILE) -> List[Page]:
    """The cases of a file, without their numbers."""
    pages = json.loads(file.read_text(encoding="utf-8"))["cases"]
    return [{name: value for name, value in page.items() if name != "values"} for page in pages]


def made(pages: Sequence[Page]) -> Page:
    """The whole file: the definitions, the cases with their numbers, the recipe with its."""
    return {
        "title": "Test vectors for ranking metrics",
        "version": VERSION,
        "licence": "CC0-1.0",
        "about": WHAT,
        "tolerance": TOLERANCE,
        "closed_forms": {
            **{name: f"the sum of {text} over the ranks in brackets" for name, text in DISCOUNTS.items()},
            "sqrt": "the square root of the number in brackets",
            "ln": "the natural logarithm of the number in brackets",
        },
        "definitions": [_definition(variant) for variant in definitions()],
        "cases": [{**page, "values": numbers(page)} for page in pages],
        "recipe": {**RECIPE, "values": defined(recipe_case(), RECIPE["k"], edges_of({}))},
    }


def _definition(variant: Variant) -> Dict[str, str]:
    signature = Signature(variant, users="both", duplicates="counted")
    return {"name": str(variant), "signature": str(signature), "formula": variant.metric.formula()}


def text_of(page: Page) -> str:
    """The file as text: a line for each definition and each case."""
    lines = []
    for name, value in page.items():
        if name in ("definitions", "cases"):
            rows = ",\n".join(f"  {_compact(row)}" for row in value)
            lines.append(f' "{name}": [\n{rows}\n ]')
        else:
            lines.append(f' "{name}": {_compact(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def departures(page: Page) -> List[str]:
    """What is wrong in a vectors file, a line each: a number that differs names its case and definition."""
    names = [row["name"] for row in page["definitions"]]
    known = [str(variant) for variant in definitions()]
    if names != known:
        return [f"definitions: these are not the {len(known)} of this version, in its order"]
    found = []
    right = made([{name: value for name, value in case.items() if name != "values"} for case in page["cases"]])
    for case, mended in zip(page["cases"], right["cases"]):
        if len(case["values"]) != len(known):
            found.append(f"case {case['name']}: {len(case['values'])} values for {len(known)} definitions")
            continue
        for name, pair, own_pair in zip(known, case["values"], mended["values"]):
            if pair is None or own_pair is None:
                if pair != own_pair:
                    found.append(f"case {case['name']}: {name} is {own_pair and own_pair[0]}, not {pair and pair[0]}")
                continue
            (text, number), (own, value) = pair, own_pair
            if not math.isclose(number, value, rel_tol=0.0, abs_tol=page["tolerance"]):
                found.append(f"case {case['name']}: {name} is {value!r}, not {number!r}")
            if text != own:
                found.append(f"case {case['name']}: {name} is exactly {own}, not {text}")
    for name, number, value in zip(known, page["recipe"]["values"], right["recipe"]["values"]):
        if number is None or value is None:
            if number != value:
                found.append(f"recipe: {name} is {value!r}, not {number!r}")
        elif not math.isclose(number, value, rel_tol=0.0, abs_tol=page["tolerance"]):
            found.append(f"recipe: {name} is {value!r}, not {number!r}")
    return found
