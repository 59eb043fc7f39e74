"""The vectors: reading their cases, computing every number, writing and checking the file.

``vectors.json`` holds the cases and their numbers. A case is what a person would write down: for each user the ids of
the list and pairs of relevant id and gain. Numbers stand in the order of the definitions.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

from metric_reference.case import Case, case_from_lists
from metric_reference.catalogue import CATALOGUE
from metric_reference.edges import Edges
from metric_reference.evaluate import evaluate
from metric_reference.signatures.signature import Signature
from metric_reference.signatures.words import EDGES
from metric_reference.ties import break_ties
from metric_reference.variant import Variant
from metric_reference.vectors.exact import DISCOUNTS, METRICS, Seen, exact
from metric_reference.vectors.recipe import RECIPE, recipe_case

FILE = Path(__file__).parent / "vectors.json"
VERSION = "1.0"
TOLERANCE = 1e-9
"""How far a right implementation may be off: the numbers are exact to the last bit or two of a float64."""
USUAL = {"norel": "skip", "nolist": "0", "dup": "counted", "ties": "input"}
"""How the numbers of a case treat the edges, in the words of signatures, unless its ``under`` says otherwise."""
WHAT = (
    "Rankings of one to three users and the value of every definition: the mean over users. `values` has a pair for "
    "each entry of `definitions`, in order: the exact value as text and the nearest float64. Item ids are whole "
    "numbers or texts. `relevant` holds pairs of id and gain; an item is relevant if its gain is above 0 and at least "
    "`threshold`. `scores`, where given, are those of the list. `under` says how the case treats edges: norel: a user "
    "without relevant items (skip: not in the mean; 0 or 1: counts so); nolist: a user with an empty list; dup: an "
    "item that stands twice in a list (counted: each time; once: at its first rank); ties: equal scores (input: the "
    "order of the list; id_ascending, id_descending: by item id)."
)

Page = Dict[str, Any]


@lru_cache(maxsize=1)
def definitions() -> Tuple[Variant, ...]:
    """The definitions of the catalogue that give each user a value from list and relevant items alone."""
    found = [entry.variant for entry in CATALOGUE if entry.variant.metric.name in METRICS]
    return tuple(dict.fromkeys(one for one in found if _of_users(one)))


def _of_users(variant: Variant) -> bool:
    made = variant.metric.made()
    plain = variant.weight == "user" and variant.times == 1 and variant.rounded is None
    return plain and made.get("over") != "means" and made.get("who", "all") == "all"


def edges_of(under: Dict[str, str]) -> Edges:
    """The edge behaviours of a case; ``under`` has words of signatures."""
    words = {**USUAL, **under}
    found = {}
    for part, (edge, spelled) in EDGES.items():
        found[edge] = {short: long for long, short in spelled.items()}[words[part]]
    return Edges(**found)


def as_case(page: Page) -> Case:
    """A case of the file as arrays: ids are numbered in their order."""
    ids = sorted({item for user in page["users"] for item in [*user["list"], *(item for item, _ in user["relevant"])]})
    number = {item: place for place, item in enumerate(ids)}
    scores = [user["scores"] for user in page["users"]] if "scores" in page["users"][0] else None
    return case_from_lists(
        [[number[item] for item in user["list"]] for user in page["users"]],
        [[number[item] for item, _ in user["relevant"]] for user in page["users"]],
        len(ids),
        gains=[[gain for _, gain in user["relevant"]] for user in page["users"]],
        scores=scores,
        threshold=page["threshold"],
    )


def numbers(page: Page) -> List[Tuple[str, float]]:
    """The exact value and the float64 of every definition for a case."""
    edges, case = edges_of(page.get("under", {})), as_case(page)
    floats = evaluate(case, definitions(), [page["k"]], edges)
    return [
        (exact_mean(variant, case, edges, page["k"]), floats[str(variant.at(page["k"]))]) for variant in definitions()
    ]


def exact_mean(variant: Variant, case: Case, edges: Edges, k: int) -> str:
    """The exact mean over the users of a case, as text: a fraction where every user's value is one."""
    values = [text for text in (exact_value(variant, case, edges, k, user) for user in range(case.users)) if text]
    try:
        return str(sum(map(Fraction, values)) / len(values))
    except ValueError:  # a closed form is no fraction
        total = "+".join(values)
        return total if len(values) == 1 else f"({total})/{len(values)}"


def exact_value(variant: Variant, case: Case, edges: Edges, k: int, user: int) -> Optional[str]:
    """One user's exact value; None for a user who is left out of the mean."""
    worth = {"zero": "0", "one": "1", "skipped": None}
    seen = seen_by(case, edges, user)
    if not seen.relevant:
        return worth[edges.no_relevant]
    if not seen.gains and edges.no_list != "zero":
        return worth[edges.no_list]
    return exact(variant, seen, k)


def seen_by(case: Case, edges: Edges, user: int) -> Seen:
    """What a definition sees of a user, once ties are broken and repeated items treated."""
    if edges.ties != "input_order":
        case = break_ties(case, edges.ties)
    part = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
    relevant = {
        int(item): Fraction(float(gain))
        for item, gain, counts in zip(case.judged_items[part], case.judged_gains[part], case.relevant[part])
        if counts
    }
    listed = case.list_of(user).tolist()
    gains = [relevant.get(item, Fraction(0)) for item in listed]
    if edges.duplicates == "once":
        gains = [Fraction(0) if item in listed[:rank] else gains[rank] for rank, item in enumerate(listed)]
    return Seen(tuple(gains), tuple(relevant.values()), Fraction(case.threshold))


def cases(file: Path = FILE) -> List[Page]:
    """The cases of a file, without their numbers."""
    pages = json.loads(file.read_text(encoding="utf-8"))["cases"]
    return [{name: value for name, value in page.items() if name != "values"} for page in pages]


def made(pages: Sequence[Page]) -> Page:
    """The whole file: the definitions, the cases with their numbers, the recipe with its."""
    large = evaluate(recipe_case(), definitions(), [RECIPE["k"]], edges_of({}))
    return {
        "title": "Test vectors for ranking metrics",
        "version": VERSION,
        "licence": "CC0-1.0",
        "about": WHAT,
        "tolerance": TOLERANCE,
        "closed_forms": {name: f"the sum of {text} over the ranks in brackets" for name, text in DISCOUNTS.items()},
        "definitions": [_definition(variant) for variant in definitions()],
        "cases": [{**page, "values": numbers(page)} for page in pages],
        "recipe": {**RECIPE, "values": [large[str(one.at(RECIPE["k"]))] for one in definitions()]},
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
        for name, (text, number), (own, value) in zip(known, case["values"], mended["values"]):
            if not math.isclose(number, value, rel_tol=0.0, abs_tol=page["tolerance"]):
                found.append(f"case {case['name']}: {name} is {value!r}, not {number!r}")
            if text != own:
                found.append(f"case {case['name']}: {name} is exactly {own}, not {text}")
    for name, number, value in zip(known, page["recipe"]["values"], right["recipe"]["values"]):
        if not math.isclose(number, value, rel_tol=0.0, abs_tol=page["tolerance"]):
            found.append(f"recipe: {name} is {value!r}, not {number!r}")
    return found
