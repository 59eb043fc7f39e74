"""The test vectors: reads their cases, computes every number, writes and checks the file.

``vectors.json`` holds the cases and their numbers. A case lists for each user the ids of the list and pairs of relevant
id and gain, as a person would write them. Numbers are in the order of the definitions.
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
from metric_reference.vectors import drawn
from metric_reference.vectors.closed_forms import DISCOUNTS
from metric_reference.vectors.means import BEYOND_ACCURACY, METRICS, exact_mean, has_all, user_data
from metric_reference.vectors.recipe import RECIPE, recipe_case
from metric_reference.vectors.rounded import nearest

FILE = Path(__file__).parent / "vectors.json"
VERSION = "1.2"
TOLERANCE = 1e-9
"""The largest error of a correct implementation; the numbers are the float64 nearest to the exact value."""
USUAL = {"norel": "skip", "nolist": "0", "dup": "counted", "ties": "input"}
"""Edge behaviours of a case, in the words of signatures, unless its ``under`` has others."""
ABOUT = (
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
    "hold for serendipity and hit_popularity alone. "
    "`drawn` holds cases of drawn negatives: the scores of one user's relevant items, `pool` with score and weight of "
    "each item that may be drawn, how many are drawn and how; `values` has for each metric, cut at k where its name "
    "says so, the expectation and the variance over the draws."
)

Json = Dict[str, Any]
"""A case as the file has it (``spec``), or the whole file (``document``)."""


@lru_cache(maxsize=1)
def definitions() -> Tuple[Variant, ...]:
    """The definitions of the catalogue that have an exact form, those beyond accuracy last."""
    known = dict.fromkeys(entry.variant for entry in CATALOGUE if entry.variant.metric.name in METRICS)
    return tuple(sorted(known, key=lambda variant: variant.metric.name in BEYOND_ACCURACY))


def edges_of(under: Dict[str, str]) -> Edges:
    """The edge behaviours of a case; ``under`` has words of signatures."""
    words = {**USUAL, **under}
    behaviours = {}
    for part, (edge, word_of) in EDGES.items():
        behaviours[edge] = {word: behaviour for behaviour, word in word_of.items()}[words[part]]
    return Edges(**behaviours)


def ids_of(spec: Json) -> List[Any]:
    """The ids of a case, in their order."""
    rows = [row for user in spec["users"] for row in [*user["relevant"], *user.get("candidates", [])]]
    ids = [item for user in spec["users"] for item in [*user["list"], *user.get("train", [])]]
    return sorted({*(row[0] for row in [*rows, *spec.get("items", [])]), *ids})


def as_case(spec: Json) -> Case:
    """A case of the file as arrays: ids are numbered in their order."""
    ids = ids_of(spec)
    number = {item: index for index, item in enumerate(ids)}
    scores = [user["scores"] for user in spec["users"]] if "scores" in spec["users"][0] else None
    candidates = None
    if "candidates" in spec["users"][0]:
        candidates = np.full((len(spec["users"]), len(ids)), -np.inf)
        for row, user in enumerate(spec["users"]):
            for item, score in user["candidates"]:
                candidates[row, number[item]] = score
    case = case_from_lists(
        [[number[item] for item in user["list"]] for user in spec["users"]],
        [[number[pair[0]] for pair in user["relevant"]] for user in spec["users"]],
        len(ids),
        gains=[[pair[1] for pair in user["relevant"]] for user in spec["users"]],
        scores=scores,
        candidate_scores=candidates,
        threshold=spec["threshold"],
    )
    if "items" in spec:
        case = replace(case, **_training(spec, number))
    predicted = [rated[2] for user in spec["users"] for rated in user["relevant"] if len(rated) > 2]
    return replace(case, predicted_ratings=np.array(predicted, dtype=np.float64)) if predicted else case


def _training(spec: Json, number: Dict[Any, int]) -> Dict[str, Any]:
    """The fields of a case about the catalogue and the training data. number : of each id."""
    rows = {number[item]: (count, vector) for item, count, vector in spec["items"]}
    if len(rows) != len(number):
        raise ValueError(f"{len(number) - len(rows)} ids are not among the items")
    ordered = [rows[item] for item in range(len(rows))]
    train = [[number[item] for item in user.get("train", [])] for user in spec["users"]]
    return {
        "item_counts": np.array([count for count, _ in ordered], dtype=np.int64),
        "item_vectors": np.array([vector for _, vector in ordered], dtype=np.float64),
        "n_train_users": spec["train_users"],
        "train_indptr": np.cumsum([0, *map(len, train)], dtype=np.int64),
        "train_items": np.array([item for items in train for item in items], dtype=np.int64),
    }


def numbers(spec: Json) -> List[Optional[Tuple[str, float]]]:
    """The exact value and the float64 of every definition for a case; None where the case lacks what it reads.

    Raises ValueError, with the name of the case, if the case is not valid or the two ways of computing differ.
    """
    try:
        edges, case = edges_of(spec.get("under", {})), as_case(spec)
    except ValueError as error:
        raise ValueError(f"case {spec['name']}: {error}") from None
    users, floats = user_data(case, edges, spec["k"]), defined(case, spec["k"], edges)
    return [
        None if number is None else _exactly(variant, number, exact_mean(variant, users, edges, spec["k"]), spec)
        for variant, number in zip(definitions(), floats)
    ]


def _exactly(variant: Variant, number: float, exact: str, spec: Json) -> Tuple[str, float]:
    if not math.isclose(number, nearest(exact), rel_tol=1e-13, abs_tol=1e-15):
        raise ValueError(f"case {spec['name']}: {variant} is {number!r}, but exactly {exact}")
    return exact, nearest(exact)


def defined(case: Case, k: int, edges: Edges) -> List[Optional[float]]:
    """The float64 of every definition; None where the case lacks what it reads or leaves it undefined."""
    floats = evaluate(case, [variant for variant in definitions() if has_all(case, variant)], [k], edges)
    numbers = [floats.get(str(variant.at(k))) for variant in definitions()]
    return [None if number is None or math.isnan(number) else number for number in numbers]


def cases(file: Path = FILE) -> List[Json]:
    """The cases of a file, without their numbers."""
    specs = json.loads(file.read_text(encoding="utf-8"))["cases"]
    return [_without_values(spec) for spec in specs]


def drawn_cases(file: Path = FILE) -> List[Json]:
    """The cases of drawn negatives of a file, without their numbers."""
    return [_without_values(spec) for spec in json.loads(file.read_text(encoding="utf-8"))["drawn"]]


def _without_values(spec: Json) -> Json:
    return {name: value for name, value in spec.items() if name != "values"}


def made(specs: Sequence[Json], of_draws: Sequence[Json]) -> Json:
    """The whole file: the definitions, the cases, those of drawn negatives and the recipe, with their numbers."""
    return {
        "title": "Test vectors for ranking metrics",
        "version": VERSION,
        "licence": "CC0-1.0",
        "about": ABOUT,
        "tolerance": TOLERANCE,
        "closed_forms": {
            **{name: f"the sum of {text} over the ranks in brackets" for name, text in DISCOUNTS.items()},
            "sqrt": "the square root of the number in brackets",
            "ln": "the natural logarithm of the number in brackets",
        },
        "definitions": [_definition(variant) for variant in definitions()],
        "cases": [{**spec, "values": numbers(spec)} for spec in specs],
        "drawn": [{**spec, "values": drawn.values(spec)} for spec in of_draws],
        "recipe": {**RECIPE, "values": defined(recipe_case(), RECIPE["k"], edges_of({}))},
    }


def _definition(variant: Variant) -> Dict[str, str]:
    signature = Signature(variant, users="both", duplicates="counted")
    return {"name": str(variant), "signature": str(signature), "formula": variant.metric.formula()}


def text_of(document: Json) -> str:
    """The file as text, with one line for each definition and each case."""
    lines = []
    for name, value in document.items():
        if name in ("definitions", "cases", "drawn"):
            rows = ",\n".join(f"  {_compact(row)}" for row in value)
            lines.append(f' "{name}": [\n{rows}\n ]')
        else:
            lines.append(f' "{name}": {_compact(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def departures(document: Json) -> List[str]:
    """The errors of a vectors file, one line each; a wrong number is given with its case and definition."""
    names = [row["name"] for row in document["definitions"]]
    known = [str(variant) for variant in definitions()]
    if names != known:
        return [f"definitions: these are not the {len(known)} of this version, in its order"]
    errors = []
    right = made(*([_without_values(case) for case in document[part]] for part in ("cases", "drawn")))
    for case, right_case in zip(document["cases"], right["cases"]):
        if len(case["values"]) != len(known):
            errors.append(f"case {case['name']}: {len(case['values'])} values for {len(known)} definitions")
            continue
        for name, pair, expected in zip(known, case["values"], right_case["values"]):
            if pair is None or expected is None:
                if pair != expected:
                    errors.append(f"case {case['name']}: {name} is {expected and expected[0]}, not {pair and pair[0]}")
                continue
            (text, number), (right_text, value) = pair, expected
            if not math.isclose(number, value, rel_tol=0.0, abs_tol=document["tolerance"]):
                errors.append(f"case {case['name']}: {name} is {value!r}, not {number!r}")
            if text != right_text:
                errors.append(f"case {case['name']}: {name} is exactly {right_text}, not {text}")
    for case, right_case in zip(document["drawn"], right["drawn"]):
        for name, expected in right_case["values"].items():
            for moment, given, (text, value) in zip(("mean", "variance"), case["values"].get(name, ()), expected):
                near = math.isclose(given[1], value, rel_tol=0.0, abs_tol=document["tolerance"])
                if given[0] != text or not near:
                    errors.append(f"case {case['name']}: {moment} of {name} is {text} = {value!r}, not {given[1]!r}")
        if list(case["values"]) != list(right_case["values"]):
            errors.append(f"case {case['name']}: values are those of {', '.join(right_case['values'])}")
    for name, number, value in zip(known, document["recipe"]["values"], right["recipe"]["values"]):
        if number is None or value is None:
            if number != value:
                errors.append(f"recipe: {name} is {value!r}, not {number!r}")
        elif not math.isclose(number, value, rel_tol=0.0, abs_tol=document["tolerance"]):
            errors.append(f"recipe: {name} is {value!r}, not {number!r}")
    return errors
