"""Every way of calling: the rows of roles and containers, in groups and by name."""

from __future__ import annotations

import difflib
import itertools
from typing import Dict, Iterable, Iterator, List, NamedTuple, Sequence, Tuple

import numpy as np

from metric_adapters.calls.call import ENDS, Call
from metric_adapters.calls.columns import COMMON, COMMON_LABELLED, COMMON_LISTS, Columns, parse_columns
from metric_adapters.calls.packages import EXAMPLE, show
from metric_adapters.calls.view import View
from metric_reference.case import case_from_lists

GALLERY = ("gallery_distances", "query_ids", "gallery_ids")
SIMILAR = ("gallery_similarity", "query_ids", "gallery_ids")
NEAREST = ("gallery_ranking", "query_ids", "gallery_ids")
ORDERED = ("gallery_order", "query_ids", "gallery_ids")
CANDIDATES = ("candidate_distances", "query_ids", "gallery_ids")
LISTS_OF_ALL = (
    "all",
    "all-sets",
    "all-both-sets",
    "all-arrays",
    "all-tensors",
    "all-strings",
    "series",
    "string-series",
)
DICTS_OF_ALL = ("dicts", "dict-sets", "dict-arrays", "dict-strings", "dict-string-sets")
ENTRIES = ("list-objects", "set-objects", "string-objects", "string-set-objects")
COLUMNS = "user,item,rating,score[,rank]"


USER_LISTS = (
    "lists",
    "sets",
    "arrays",
    "tensors",
    "tensor-and-list",
    "array-and-set",
    "both-sets",
    "strings",
    "string-sets",
    "lists-cut",
    "sets-cut",
)
RELEVANCE = (
    *("lists", "arrays", "tensors", "bools", "floats", "bool-arrays", "float-arrays", "bool-tensors", "row"),
    *("tensor-row", "lists-cut", "arrays-cut", "all", "all-arrays", "all-cut", "matrix", "int-matrix", "matrix-cut"),
    *("tensor-matrix", "bool-tensor-matrix", "lists-full", "arrays-full", "tensors-full", "all-full", "matrix-full"),
)
GRADED = (
    *("lists", "arrays", "tensors", "row", "lists-cut", "arrays-cut", "all", "all-arrays", "all-cut", "matrix"),
    "matrix-cut",
    *("tensor-matrix", "lists-full", "arrays-full", "all-full"),
)
SCORED = (
    "lists",
    "arrays",
    "tensors",
    "row",
    "tensor-row",
    "bool-arrays",
    "bool-tensors",
    "float-arrays",
    "float-tensors",
)
SCORED_ITEMS = ("lists", "strings", "all", "all-strings", "dicts", "dict-strings", "lists-cut", "dicts-cut")
ONE_OF_ALL = ("all", "all-strings", "matrix", "column", "tensor-matrix", "tensor-column", "dicts", "dict-strings")
FLAT_TENSORS = ("flat-tensors", "flat-tensors-minus-one")
UNLISTED = ("lists", "none", "minus-one", "all", "all-none", "all-minus-one", "flat", "flat-minus-one", *FLAT_TENSORS)
SCORED_LISTS = ("lists", "sets", "strings", "all", "all-sets", "all-strings")
TRIPLES = ("score_item_rank", "item_rank_score")
TRUTHS = ("y_true", "y_true_graded")
HOLDERS = ("held-truth", "held-list", "all-held-truth", "all-held-list", "held-truth-and-dict", "held-couples")

RECORDS = ("record", "records", "text-record", "text-records")
VECTORS = ("lists", "arrays", "tensors")
BESIDE_DICT = ("matrix-and-dict", "matrix-and-dict-lists", "tensor-and-dict-lists")
MATRICES = ("matrix", "tensor-matrix")
ONE_QUERY = ("one-query", "one-query-tensors")
FROM_ONE = ("matrix-from-one", "tensor-matrix-from-one")
FLAT = ("flat", "flat-lists", "flat-tensors")
FEATURES = ("query_features", "item_features")
PAIR = ("relevant", "recommended")


class Group(NamedTuple):
    """Calls that belong together.

    of : (roles, containers); a container ends in ``-cut`` if lists end at k, in ``-full`` if they hold every item.
    rare : they are tried only if no other call leads to a name.
    """

    title: str
    of: Tuple[Tuple[Tuple[str, ...], Tuple[str, ...]], ...]
    rare: bool = False

    def calls(self) -> Iterator[Call]:
        """One call for each pair of roles and container."""
        for roles, containers in self.of:
            for container in containers:
                ends = next((end for end, suffix in ENDS.items() if suffix and container.endswith(suffix)), "list")
                base = container[: len(container) - len(ENDS[ends])]
                yield Call(roles, base, ends=ends)


Rows = Tuple[Tuple[Tuple[str, ...], Tuple[str, ...]], ...]


def single(role: str, *containers: str) -> Rows:
    """A single argument."""
    return (((role,), containers),)


def both(first: str, second: str, *containers: str) -> Rows:
    """Two arguments in both orders."""
    return (((first, second), containers), ((second, first), containers))


def counted_pairs(first: str, second: str) -> Rows:
    """Tuples of two roles in both orders, and the number of relevant items."""
    return tuple(((*order, "n_relevant"), ("pairs", "pairs-cut")) for order in ((first, second), (second, first)))


def any_order(roles: Sequence[str], *containers: str) -> Rows:
    """Arguments in every order."""
    return tuple((order, containers) for order in itertools.permutations(roles))


def orders_of(whose: str, words: Sequence[str]) -> Iterator[Tuple[Tuple[str, str], ...]]:
    """The orders of two inputs of queries and of items: both features first, or both inputs of one; either first."""
    for sides in (("query", whose), (whose, "query")):
        yield tuple((side, word) for word in words for side in sides)
        yield tuple((side, word) for side in sides for word in words)


def joined(*rows: Iterable[Tuple[Tuple[str, ...], Tuple[str, ...]]]) -> Rows:
    """Rows one after the other."""
    return tuple(itertools.chain(*rows))


RARE_GROUPS: Tuple[Group, ...] = (
    Group(
        "Lists that hold every item",
        joined(
            both(*PAIR, "lists-full", "sets-full", "arrays-full", "tensors-full"),
            both("recommended", "y_true", "matrix-full", "tensor-matrix-full"),
        ),
        rare=True,
    ),
    Group(
        "Three inputs",
        joined(
            any_order((*PAIR, "user_list"), "dict-sets", "dict-and-list", "dict-and-list-cut"),
            any_order(("relevance", "relevant", "user_list"), "dict-sets"),
            (
                (roles, containers)
                for pair in (PAIR, PAIR[::-1])
                for roles, containers in (
                    ((*pair, "relevance"), ("lists", "arrays")),
                    ((*pair, "n_relevant"), ("lists", "sets", "arrays", "lists-cut", "sets-cut")),
                    ((*pair, "falling_scores"), SCORED_LISTS),
                    ((*pair, "gains_of_relevant"), ("lists", "strings", "all")),
                )
            ),
            ((("recommended", "falling_scores", "relevant"), SCORED_LISTS),),
            (((*pair, "n_relevant"), ("lists", "sets")) for pair in (("relevant", "scored"), ("scored", "relevant"))),
            (((*pair, "places"), VECTORS[1:]) for pair in (("y_true", "y_score"), ("y_score", "y_true"))),
        ),
        rare=True,
    ),
    Group(
        "Labels and scores of the listed items, best first",
        joined(
            *(
                both(relevance, "falling_scores", *VECTORS, "all", "row", "matrix", "pairs", "all-pairs", "dict-pairs")
                for relevance in ("relevance", "relevance_graded")
            ),
            *(counted_pairs(relevance, "falling_scores") for relevance in ("relevance", "relevance_graded")),
            both("relevance_of_one", "falling_scores", "pairs"),
            (
                (("recommended", *order), ("pairs", "all-pairs"))
                for relevance in ("relevance", "relevance_graded")
                for order in (("falling_scores", relevance), (relevance, "falling_scores"))
            ),
        ),
        rare=True,
    ),
    Group(
        "Tuples of a user, a label and a score",
        joined(
            *(any_order(("users", truth, "falling_scores"), "triples") for truth in ("relevance", "relevance_graded"))
        ),
        rare=True,
    ),
    Group("Sets of pairs of ids", both(*PAIR, "pair-sets"), rare=True),
    Group("Sessions of one size", both("y_true", "y_score", "session-pairs"), rare=True),
    Group("Sparse matrices of ranks", single("item_ranks", "csr"), rare=True),
    Group("A column for each user", both("y_true", "y_score", "columns", "tensor-columns"), rare=True),
    Group("Buckets of scores", both("positive_counts", "negative_counts", *VECTORS), rare=True),
    Group("Item 0 is padding", both("padded_score", "padded_item", *VECTORS, *MATRICES), rare=True),
    Group(
        "Lists as 0 and 1 over the catalogue",
        both("y_true", "y_listed", *VECTORS, *MATRICES, "columns"),
        rare=True,
    ),
    Group(
        "Entries, wide frames and padded batches",
        joined(
            both(*PAIR, "objects", "text-objects", "all-objects", "dict-objects", "wide-frames", *HOLDERS),
            both(*PAIR, "all-string-objects"),
            both("recommended", "item", "objects", "sessions", "all-string-objects"),
            both("recommended", "graded_items", "lists", "strings"),
            both("recommended", "grade_of_each", "lists", "strings", "dicts"),
            both("relevance_graded", "y_true_graded", *VECTORS),
            both("relevance", "list_length", *MATRICES, "matrix-full"),
            both("relevance_graded", "list_length", *MATRICES),
            *(both("recommended", truth, "list-row") for truth in ("y_true", "y_true_graded")),
            single("relevance_of_one", *VECTORS, "all"),
            single("positive_first", "flat", "flat-tensors"),
            single("nearest_first", *VECTORS, "row", *MATRICES),
            both("positive_first", "first_label", *FLAT, *VECTORS, *MATRICES),
        ),
        rare=True,
    ),
)
GROUPS: Tuple[Group, ...] = (
    Group("Lists of one user", both(*PAIR, *USER_LISTS, *ENTRIES)),
    Group(
        "Lists of all users",
        both(
            *PAIR,
            *LISTS_OF_ALL,
            "all-cut",
            "matrix",
            "matrix-sets",
            *BESIDE_DICT,
            "padded-matrix",
            "tensor-matrix",
            "padded-tensor-matrix",
            "tensor-and-tensors",
            "row",
            "tensor-row",
            "query-columns",
        ),
    ),
    Group(
        "Dicts by user",
        joined(
            both(*PAIR, *DICTS_OF_ALL, "dicts-cut", "dict-and-pairs", "dict-and-pair-array", "pairs-and-dict"),
            both("item", "recommended", "dict-and-pairs", "pairs-and-dict"),
            any_order(("relevant", "recommended", "user_key"), "keyed", "keyed-truth", "keyed-truth-sets"),
            any_order(("relevant", "y_score", "user_key"), "keyed-truth-arrays"),
            any_order(("grades", "recommended", "user_key"), "keyed-truth"),
        ),
    ),
    Group(
        "Records with fixed names",
        (
            *((roles, RECORDS) for roles in (PAIR, ("item", "recommended"), ("grades", "recommended"))),
            *((roles, ("records",)) for roles in (("rank",), ("position",))),
        ),
    ),
    Group(
        "Held under names that mean them",
        joined(
            both(*PAIR, "held", "held-truth-and-entries"),
            both("grades", "recommended", "held-list"),
            *(both(truth, "recommended", "all-held", "held-list-and-dict") for truth in ("relevant", "grades")),
        ),
    ),
    Group(
        "A search that is called",
        joined(
            *(both(truth, "recommended", "search", "search-and-dict") for truth in ("relevant", "grades")),
            both("item", "recommended", "search", "search-and-pairs"),
            both("relevant", "recommended", "search-and-pairs"),
            *(
                any_order((truth, "recommended", "user_list"), "search-and-list", "search-and-dict")
                for truth in ("relevant", "grades", "item")
            ),
        ),
    ),
    Group(
        "One relevant item for each user",
        joined(
            both("recommended", "item", *VECTORS, "strings", "lists-cut", "lists-full", *ONE_OF_ALL, *ENTRIES[::2]),
            both("recommended", "item", "code-matrix", "code-tensor-matrix"),
            both("y_score", "item", *VECTORS, "matrix", "column", "tensor-matrix", "tensor-column", *FROM_ONE),
            both("y_score", "item", "dict-arrays"),
            both("y_score", "one_true", *VECTORS, "matrix", "tensor-matrix"),
            both("distances", "item", *VECTORS, "matrix", "column", "tensor-matrix", "tensor-column"),
            *(single(scores, *VECTORS, "row", *MATRICES) for scores in ("positive_first", "positive_last")),
            single("positive_is_zero", *MATRICES),
            both("first_score", "other_scores", *VECTORS, "matrix", "column", "tensor-matrix", "tensor-column"),
            single("similarity", *MATRICES, "tensor-cube"),
            single("own_places", *MATRICES, "all"),
            single("square_similarity", *MATRICES),
            single("column_similarity", *MATRICES),
            *(single(f"captioned_{users}", *MATRICES) for users in ("rows", "columns")),
            both("square_scores", "row_items", *MATRICES),
            both("paired_queries", "paired_items", *MATRICES),
        ),
    ),
    Group(
        "Classes of items and of the query",
        both("list_classes", "query_class", "lists", "arrays", "column", "matrix", "tensor-column", "tensor-matrix"),
    ),
    Group(
        "A gallery: distances, or the nearest places",
        (
            *((roles, ("column", "tensor-column")) for roles in (GALLERY, SIMILAR)),
            *itertools.chain(*(any_order(roles, *MATRICES) for roles in (GALLERY, SIMILAR))),
            *((roles, MATRICES) for roles in (NEAREST, (*NEAREST[1:], NEAREST[0]), ORDERED, CANDIDATES)),
            *(
                (roles, ("one-query", "query-tensors"))
                for first, *ids in (GALLERY, SIMILAR, NEAREST, ORDERED)
                for roles in ((first, *ids), (*ids, first), (*ids[::-1], first))
            ),
        ),
    ),
    Group(
        "Codes or features, and labels or identities",
        tuple(
            (tuple(f"{each}_{kind}" for each, kind in order), containers)
            for whose, words, containers in (
                ("item", ("codes", "labels"), MATRICES),
                ("item", ("signs", "labels"), MATRICES),
                ("item", ("features", "labels"), MATRICES),
                ("gallery", ("signs", "ids"), MATRICES),
                ("gallery", ("features", "ids"), (*MATRICES, "id-lists", "feature-tensors", *ONE_QUERY)),
            )
            for order in orders_of(whose, words)
        ),
    ),
    Group(
        "Features, and the relevant items",
        joined(
            any_order((*FEATURES, "relevant"), *BESIDE_DICT, *MATRICES),
            any_order((*FEATURES, "y_true"), *MATRICES, "csr"),
            any_order(("query_features", "item_features_down", "y_true"), "csr"),
            any_order((*FEATURES, "item"), *MATRICES),
        ),
    ),
    Group(
        "One label for each row",
        joined(
            both("set_features", "set_labels", *MATRICES, "feature-tensors", "id-lists"),
            *(both(f"set_{of}", "set_labels", *MATRICES) for of in ("similarity", "distances", "order")),
            any_order((*FEATURES, "pair_labels"), *MATRICES),
            both("pair_order", "pair_labels", *MATRICES),
        ),
    ),
    Group(
        "Relevance in rank order",
        joined(
            single("relevance", *RELEVANCE, "dicts", "judged"),
            single("relevance_graded", *GRADED, "judged"),
            single("counted_labels", "lists"),
            both("relevance", "n_relevant", *VECTORS, "bools", "bool-arrays", "lists-cut", "all", "judged"),
            both("relevance", "n_relevant", *MATRICES, "matrix-cut", "tensor-matrix-cut"),
            both("relevance_graded", "n_relevant", *VECTORS, "judged"),
            *(
                both("relevance_graded", gains, *VECTORS, "lists-cut", "all", *MATRICES)
                for gains in ("gains", "any_gains")
            ),
            both("relevance_graded", "sorted_gains", *VECTORS),
            both("relevance", "y_true", *MATRICES, "matrix-cut", "tensor-matrix-cut"),
            both("relevance", "relevant", *VECTORS[:2], "all", *MATRICES, "tensor-matrix-cut", "dict-sets"),
            both("relevance", "ideal_relevance", *VECTORS, "lists-cut", "all", *MATRICES),
            both("list_ranks", "relevance_graded", *VECTORS, "all"),
        ),
    ),
    Group(
        "Ranks of the relevant items",
        joined(
            single("rank", *UNLISTED, "dicts", "dict-none"),
            single("position", *UNLISTED, "dicts", "dict-none"),
            *(single(role, "all", "flat", "flat-tensors") for role in ("rank_of_all", "position_of_all")),
            single("ranks", *VECTORS, "none", "all", "all-none", "flat"),
            single("positions", *VECTORS, "none", "minus-one", "all", "all-none", "flat"),
            *(single(f"ascending_{role}", *VECTORS, "none", "all", "all-none") for role in ("ranks", "positions")),
            single("hit_ranks", *VECTORS, "all"),
            single("hit_positions", *VECTORS, "all"),
            both("hit_ranks", "n_relevant", *VECTORS),
            both("hit_positions", "n_relevant", *VECTORS),
        ),
    ),
    Group(
        "Labels and scores of the catalogue",
        joined(
            both("y_true", "y_score", *SCORED, *MATRICES, "bool-tensor-matrix", "float-tensor-matrix"),
            both("y_true_graded", "y_score", *VECTORS, "row", "tensor-row", *MATRICES),
            *(both(truth, "y_score", "all", "all-arrays", "dicts", "dict-arrays") for truth in TRUTHS),
            *(
                both(truth, "y_score", "pairs", "pair-arrays", "all-pairs", "dict-pairs", "rating-frames")
                for truth in TRUTHS
            ),
            *(any_order((truth, "y_score", group), *FLAT) for truth in TRUTHS for group in ("users", "sizes")),
            *(both("recommended", truth, *VECTORS, *MATRICES) for truth in TRUTHS),
            *(both("positive_score", truth, *VECTORS, *MATRICES) for truth in ("relevant", "y_true")),
            both("small_score", "y_true", *VECTORS, *MATRICES),
            both("y_score", "relevant", *VECTORS, "tensor-and-list", "matrix", "matrix-sets", "tensor-matrix"),
            both("y_score", "relevant", *BESIDE_DICT, "dict-arrays"),
            *(both(truth, "distances", *VECTORS, *MATRICES) for truth in (*TRUTHS, "relevant")),
            *(any_order((truth, "y_score", "sizes"), *MATRICES) for truth in TRUTHS),
            any_order(("relevant", "y_score", "catalogue_items"), "lists", "sets", "all"),
            any_order(("item", "y_score", "catalogue_items"), "lists", "all-shared", "matrix-shared"),
            any_order(("relevant", "recommended", "catalogue_items"), "arrays", "sets"),
            ((("users", "catalogue_items", *order), FLAT) for order in (("y_true", "y_score"), ("y_score", "y_true"))),
        ),
    ),
    Group(
        "Two inputs in one argument",
        joined(
            *(both(truth, "y_score", "couple", "couple-matrix", "couple-tensors") for truth in (*TRUTHS, "item")),
            *(both(truth, "y_score", "array-couples") for truth in TRUTHS),
            both("labels", "scores", "couple", "array-couples"),
            (
                (roles, ("named-matrix", "named-tensors", "named-list", "named-dict"))
                for roles in (("first_score", "other_scores"), ("y_true", "y_score"), ("item", "y_score"))
            ),
            both(*PAIR, "couple", "couple-matrix", "couple-tensors", "couples", "text-couples", "entry-couples"),
            *(both(truth, "recommended", "named-couples") for truth in ("relevant", "grades")),
            both("grades", "recommended", "graded-couples"),
            both("item", "recommended", "couples", "text-couples"),
        ),
    ),
    Group(
        "Labels and scores of the candidates",
        joined(
            both("labels", "scores", *VECTORS, "row", "matrix", *FLAT, "pairs", "pair-arrays", "all-pairs"),
            both("labels", "scores", "arrays-of-two", "tensors-of-two"),
            both("labels", "small_scores", *VECTORS),
            *(any_order(("labels", "scores", group), *FLAT) for group in ("users", "sizes")),
            tuple(((*order, "unit_weights"), VECTORS) for order in (("labels", "scores"), ("scores", "labels"))),
            both("relevant", "scores_by_item", "lists", "sets", "strings"),
            both("positive_scores", "negative_scores", *VECTORS, "matrix", "tensor-matrix", *FLAT),
        ),
    ),
    Group(
        "Labels and scores of the listed items",
        joined(
            *(counted_pairs(relevance, "list_scores") for relevance in ("relevance", "relevance_graded")),
            *(
                both(relevance, "list_scores", *VECTORS, "all", "row", "matrix", "pairs", "all-pairs", "dict-pairs")
                for relevance in ("relevance", "relevance_graded")
            ),
        ),
    ),
    Group(
        "Sparse matrices",
        joined(
            *(both(truth, "y_score", "csr", "csr-both") for truth in TRUTHS),
            both("recommended", "y_true", "csr", "csr-cut"),
            *(both("catalogue_ranks", truth, "csr") for truth in TRUTHS),
        ),
    ),
    Group(
        "Scored items",
        joined(
            *(both(truth, "scored", *SCORED_ITEMS) for truth in ("grades", "relevant")),
            both("relevant", "scored", "sets", "dict-sets", "dict-and-tuples"),
            both("item", "scored", "lists", "dicts"),
            *(
                both(truth, "score_item", "lists", "strings", "all", "dicts")
                for truth in ("grades", "relevant", "item")
            ),
            both("relevant", "score_item", "sets", "dict-sets"),
            *(both(graded, "scored", "lists", "strings") for graded in ("graded_items", "best_graded_items")),
            *(both("relevant", role, "lists", "sets", "dicts") for role in TRIPLES),
            *(both(truth, "item_scores", "lists", "strings") for truth in ("grades", "relevant", "item")),
            both("relevant", "item_scores", "sets", "dicts", "dict-sets"),
            both("relevant", "score_series", "lists", "arrays"),
            both("item", "score_series", "lists"),
            both(
                *("grades", "recommended", "lists", "strings", "all", "all-strings", "dicts", "dict-strings"),
                *("list-objects", "string-objects", "graded-objects"),
            ),
        ),
    ),
    Group(
        "Numbers of hits",
        joined(
            single("n_hits", "dicts", "all", "matrix"),
            both("user_list", "n_hits", "dicts"),
            both("relevant", "n_hits", "dicts", "dict-sets", "all"),
            both("grades", "n_hits", "dicts"),
        ),
    ),
    *RARE_GROUPS,
    Group(
        "Judgements and runs",
        joined(
            both("qrels", "run", "text", "ints"), single("predictions", "tuples"), single("predicted_pairs", "tuples")
        ),
    ),
)
"""Every call except those of frames, whose columns depend on the function."""

CALLS: Tuple[Call, ...] = tuple(call for group in GROUPS for call in group.calls())
RARE = frozenset(call.name for group in GROUPS if group.rare for call in group.calls())
"""The names of the calls that are tried only if no other one leads to a name."""
CONTAINERS_OF_FRAMES = ("frames", "text-frames", "user-frames", "polars", "rows", "user-rows")
CONTAINERS_BESIDE_FRAMES = ("dict-and-frame", "sets-and-frame", "list-and-frame")
SCORES_OF_ROWS = tuple((frame, "row_scores") for frame in ("labelled_frame", "graded_frame"))
"""A frame and a score for each of its rows."""
FRAME_ROLES: Tuple[Tuple[str, ...], ...] = (
    ("truth_frame", "prediction_frame"),
    ("prediction_frame", "truth_frame"),
    ("label_frame", "prediction_frame"),
    ("prediction_frame", "label_frame"),
    *(("truth_lists_frame", "listed_frame"), ("listed_frame", "truth_lists_frame")),
    *(("truth_items_frame", "listed_frame"), ("listed_frame", "truth_items_frame")),
    ("labelled_frame",),
    ("graded_frame",),
    ("candidate_frame",),
    ("candidate_labels_frame", "candidate_scores_frame"),
    ("candidate_scores_frame", "candidate_labels_frame"),
    ("lists_frame",),
    ("item_frame",),
    ("rank_frame",),
    ("target_frame",),
)
FRAMES_OF_LISTS = (("lists_frame",), ("item_frame",))
"""Frames with a row for each user."""
BESIDE_FRAMES = (
    *(("recommended", "truth_frame"), ("truth_frame", "recommended")),
    *(("relevant", "prediction_frame"), ("prediction_frame", "relevant")),
    *SCORES_OF_ROWS,
)
"""A frame and data that is in none."""


def frame_calls(candidates: Sequence[Columns]) -> List[Call]:
    """Calls of frames with each set of columns that the function may mean, else with each common set."""
    calls = []
    for roles in (*FRAME_ROLES, *BESIDE_FRAMES):
        two = len(roles) == 2 and roles not in SCORES_OF_ROWS
        common = COMMON if two else COMMON_LISTS if roles in FRAMES_OF_LISTS else COMMON_LABELLED
        for container in containers_of(roles):
            calls += [
                Call(roles, container, columns, bool(candidates) and columns == candidates[0])
                for columns in candidates or common
            ]
    return calls


def containers_of(roles: Tuple[str, ...]) -> Tuple[str, ...]:
    """The containers of frames, or of a frame beside other data."""
    if roles in SCORES_OF_ROWS:
        return ("array-and-frame",)
    return CONTAINERS_BESIDE_FRAMES if roles in BESIDE_FRAMES else CONTAINERS_OF_FRAMES


def by_name(name: str, candidates: Sequence[Columns] = ()) -> Call:
    """The call of a printed name.

    candidates : the sets of columns that the function may mean; the first is used if the name has none.

    Raises ValueError for an unknown name, and for frames if neither the name nor the function gives columns.
    """
    first, *rest = name.split(":")
    roles = tuple(first.split(","))
    if roles in FRAME_ROLES or (roles in BESIDE_FRAMES and rest and rest[0] in containers_of(roles)):
        container = rest.pop(0) if rest and rest[0] in containers_of(roles) else "frames"
        if rest:
            printed = ":".join(rest)
            matching = (columns for columns in candidates if columns.printed() == printed)
            return Call(roles, container, next(matching, None) or parse_columns(printed))
        if not candidates:
            raise ValueError(f"{name}: the function does not say its columns; give {name}:user,item,rating,score")
        return Call(roles, container, candidates[0], True)
    known = {each.name: each for call in CALLS for each in (call._replace(ends="default"), call)}
    if name not in known:
        raise ValueError(unknown(name, [*(call.name for call in CALLS), *frame_names()]))
    return known[name]


def frame_names() -> List[str]:
    """The names of the calls of frames, with COLUMNS for the columns."""
    return [
        f"{','.join(roles)}{'' if container == 'frames' else f':{container}'}:COLUMNS"
        for roles in (*FRAME_ROLES, *BESIDE_FRAMES)
        for container in containers_of(roles)
    ]


def unknown(name: str, known: List[str]) -> str:
    """The error message for an unknown name: close matches first, then all names."""
    matches = difflib.get_close_matches(name, known, 4, 0.5)
    meant = f" Did you mean {' or '.join(matches)}?" if matches else ""
    return (
        f"{name!r} is no convention.{meant} `metric-harness explain conventions` explains each; COLUMNS is {COLUMNS}. "
        f"There are: {'; '.join(in_short(known))}"
    )


def in_short(names: Iterable[str]) -> List[str]:
    """Names grouped by roles: ``relevant,recommended (:sets :arrays)``."""
    by_roles: Dict[str, List[str]] = {}
    for name in names:
        roles, colon, container = name.partition(":")
        by_roles.setdefault(roles, []).append(colon + container)
    return [
        roles + ("" if "" in ends else " with") + (f" ({' '.join(filter(None, ends))})" if any(ends) else "")
        for roles, ends in by_roles.items()
    ]


class Entry(NamedTuple):
    """A call as it is listed."""

    group: str
    name: str
    about: str
    example: str


def entries() -> List[Entry]:
    """Every call with its group, its description and an example call."""
    listed = [Entry(g.title, each.name, each.about, example(each)) for g in GROUPS for each in g.calls()]
    columns = Columns("user_id", "item_id", "rating", "score")
    for roles in (*FRAME_ROLES, *BESIDE_FRAMES):
        for container in containers_of(roles):
            each = Call(roles, container, columns)
            name = each.name.replace(columns.printed(), "COLUMNS")
            listed.append(Entry("Data frames", name, each.about, example(each)))
    return listed


EXAMPLE_CASE = case_from_lists(
    [[3, 1], [2, 0]],
    [[1], [2]],
    4,
    gains=[[2], [1]],
    scores=[[0.9, 0.5], [0.7, 0.1]],
    candidate_scores=np.array([[0.1, 0.5, 0.3, 0.9], [0.1, 0.0, 0.7, 0.05]]),
)
"""Users 0 and 1: the lists are [3, 1] and [2, 0], items 1 and 2 are relevant."""
OF_LABELS = {
    "set": case_from_lists(
        [[1, 2], [0, 2], [1, 0]],
        [[1], [0], []],
        3,
        scores=[[0.9, 0.2], [0.9, 0.4], [0.4, 0.2]],
        candidate_scores=np.array([[-np.inf, 0.9, 0.2], [0.9, -np.inf, 0.4], [0.2, 0.4, -np.inf]]),
    ),
    "pairs": case_from_lists(
        [[0, 1, 2], [1, 0, 2], [2, 1, 0]],
        [[0, 1], [0, 1], [2]],
        3,
        scores=[[0.9, 0.5, 0.1], [0.8, 0.3, 0.2], [0.7, 0.4, 0.1]],
        candidate_scores=np.array([[0.9, 0.5, 0.1], [0.3, 0.8, 0.2], [0.1, 0.4, 0.7]]),
    ),
}
"""Examples of cases of users and items that share labels: 0 and 1 have one label, 2 has another."""


def example(call: Call) -> str:
    """The call with the users of an example case; with user 0 alone if each user takes a call."""
    view = View(OF_LABELS.get(call.domain.labels, EXAMPLE_CASE), 2, kit=EXAMPLE)
    return f"metric({', '.join(show(each) for each in call.arguments(view, 0))}, k=2)"


def names_by_group(entries: Iterable[Entry]) -> Dict[str, List[Entry]]:
    """The entries of each group, in order."""
    groups: Dict[str, List[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    return groups
