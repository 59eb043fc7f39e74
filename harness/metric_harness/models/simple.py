"""Simple models besides EASE whose lists the metrics can be tried on; they need only a training matrix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from metric_harness.models.ease import (
    BYTES_AT_ONCE,
    SCORE_DECIMALS,
    SINGLE_DECIMALS,
    Score,
    fit_ease,
    scoring,
    tie_rule,
    top_k,
)
from metric_harness.system.errors import HarnessError
from metric_reports.types.manifest import ModelRecipe

NEIGHBOURS = 100


@dataclass(frozen=True, eq=False)
class Model:
    """A model with its parameters.

    fit : from training interactions (CSR array, shape (users, items), 1 where a user has an item) to scores.
    address : of the source of its formula; may be empty. decimals : places to which its scores are rounded.
    """

    title: str
    parameters: Mapping[str, Any]
    fit: Callable[[sp.csr_array], Score]
    address: str = ""
    decimals: int = SCORE_DECIMALS

    def recipe(self) -> ModelRecipe:
        """All that its lists depend on, in the form of a bundle's manifest."""
        parameters = {**self.parameters, "score_decimals": self.decimals}
        return {"name": self.title, "parameters": parameters, "tie_rule": tie_rule(self.decimals)}

    def described(self) -> ModelRecipe:
        """The recipe, and the address if there is one."""
        return {**self.recipe(), "address": self.address} if self.address else self.recipe()


def ease(regularisation: float = 0.5, float32: bool = False) -> Model:
    """EASE: see ``fit_ease``. ``float32`` takes half the memory and time and gives other lists."""

    def fit(matrix: sp.csr_array) -> Score:
        return scoring(fit_ease(matrix, regularisation, np.float32 if float32 else np.float64))

    parameters = {"regularisation": float(regularisation), **({"precision": "float32"} if float32 else {})}
    decimals = SINGLE_DECIMALS if float32 else SCORE_DECIMALS
    return Model("EASE", parameters, fit, "https://doi.org/10.1145/3308558.3313710", decimals)


def popularity() -> Model:
    """The score of an item is its number of training interactions, the same for every user."""

    def fit(matrix: sp.csr_array) -> Score:
        counts = np.bincount(matrix.indices, minlength=matrix.shape[1]).astype(np.float64)
        return lambda seen: np.broadcast_to(counts, seen.shape)

    return Model("Popularity", {}, fit)


def item_knn(neighbours: int = NEIGHBOURS) -> Model:
    """ItemKNN: the score of an item is the sum of its cosines to those of the user's items that have it as a neighbour.

    Source: Deshpande & Karypis, "Item-based top-N recommendation algorithms", ACM TOIS 22(1), 2004,
    doi 10.1145/963770.963776, with the cosine on the binary matrix and similarities left unnormalised.
    """

    def fit(matrix: sp.csr_array) -> Score:
        similar = nearest_items(matrix, neighbours)
        return lambda seen: (seen @ similar).toarray()

    return Model("ItemKNN", {"neighbours": int(neighbours)}, fit, "https://doi.org/10.1145/963770.963776")


def random(seed: int = 0) -> Model:
    """Every score is drawn uniformly from [0, 1), user after user."""

    def fit(matrix: sp.csr_array) -> Score:
        # RandomState, unlike Generator, promises the same stream in every version of numpy
        generator = np.random.RandomState(seed)
        return lambda seen: generator.random_sample(seen.shape)

    return Model("Random", {"seed": int(seed)}, fit)


MODELS: dict[str, Callable[[], Model]] = {
    "ease": ease,
    "popularity": popularity,
    "itemknn": item_knn,
    "random": random,
}
"""Every model with its default parameters, by the name that ``--models`` takes."""

USUAL = ("ease", "popularity", "itemknn")
"""The models that are compared by default."""


def nearest_items(matrix: sp.csr_array, neighbours: int, block: int | None = None) -> sp.csr_array:
    """The cosine of each item (row) to its nearest other items (columns), 0 elsewhere: CSR array, shape (items, items).

    With |i| users of item i and |i, j| of both, it is |i, j| / sqrt(|i| |j|), rounded like scores, so that cosines
    equal in exact arithmetic tie; of equal cosines the lower item number is nearer. Items without a common user are no
    neighbours. ``block``: items that are compared with all others at once.

    HarnessError if ``neighbours`` is below 1.
    """
    if neighbours < 1:
        raise HarnessError(f"ItemKNN: {neighbours} neighbours; use at least 1")
    n_items = matrix.shape[1]
    columns = sp.csc_array(matrix, dtype=np.float64)
    sizes = np.diff(columns.indptr).astype(np.float64)
    block = block or max(1, BYTES_AT_ONCE // (8 * max(1, n_items)))
    parts = [sp.csr_array((0, n_items))]
    for start in range(0, n_items, block):
        common = (columns[:, start : start + block].T @ columns).toarray()
        rows = np.arange(len(common))
        common[rows, rows + start] = 0.0
        norms = np.sqrt(sizes[start : start + block, None] * sizes)
        cosine = np.full(common.shape, -np.inf)
        np.divide(common, norms, out=cosine, where=common > 0)
        items, cosines = top_k(np.round(cosine, SCORE_DECIMALS), min(neighbours, n_items))
        is_neighbour = items >= 0
        row = np.broadcast_to(rows[:, None], items.shape)[is_neighbour]
        parts.append(sp.csr_array((cosines[is_neighbour], (row, items[is_neighbour])), shape=common.shape))
    return sp.csr_array(sp.vstack(parts))


def parse_models(text: str | None) -> tuple[str, ...]:
    """The models that ``--models`` names, such as "ease,popularity"; ``USUAL`` without it, none for "ease" alone.

    HarnessError for an unknown name, and for any other single model: there would be no order to compare.
    """
    if text is None:
        return USUAL
    names = tuple(dict.fromkeys(name.strip().lower() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in MODELS:
            raise HarnessError(f"--models: there is no model {name!r}; known are {', '.join(MODELS)}")
    if names == ("ease",):
        return ()
    if len(names) < 2:
        raise HarnessError(
            f"--models {text}: give at least two of {', '.join(MODELS)}, for one alone has no order; or ease, to leave "
            "models uncompared"
        )
    return names
