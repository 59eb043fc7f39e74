"""The roles of parameters: what a parameter of a metric function may hold. One row is a role, with all its facts."""

from __future__ import annotations

import re
from enum import Flag, auto
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Sequence, Tuple

from metric_adapters.calls import aligned, builders, codes, frames, gallery, judgements, labelled
from metric_adapters.calls.columns import role_of
from metric_adapters.calls.facts import Source
from metric_adapters.calls.parameter_names import families, snake

ALONE = re.compile(r"(all_?)?(feats?|features?|emb\w*|vectors?|vecs?|latents?|reps?|representations?|z|xs?)")
"""Names of the features of one set."""
Sign = Callable[[str, Sequence[str], Source], bool]
"""Whether the name of the role's parameter, the names of all data parameters or the source show that it is meant."""


class Fact(Flag):
    """What is true of a role."""

    NOTHING = 0
    IDS = auto()  # it holds item ids, which may be text
    INDEXED = auto()  # a vector indexed by item number: beside it, an item's id is its number
    VECTOR = auto()  # a number for every item of the catalogue, or for every candidate
    RANKED = auto()  # every item has a score, so that an item which is not listed has a rank
    CANDIDATES = auto()  # it needs the model's scores of the candidates
    ONE_RELEVANT = auto()  # each user has exactly one relevant item
    ONE_NUMBER = auto()  # one number for each user
    BEYOND = auto()  # it shows relevant items that are not listed
    BINARY = auto()  # it shows which items are relevant, the source tells that gains play no part
    GRADED = auto()  # it shows gains, the source tells that they play a part
    GAINS = auto()  # it shows gains, whatever the source tells
    BOOLEAN = auto()  # its 0 and 1 may be False and True
    FLOAT_TENSOR = auto()  # whole numbers that are floats as tensors, because torch code averages and multiplies them
    SCORES = auto()  # it shows the scores of the list
    UNSORTED = auto()  # numbers that the function has to sort
    RANKS = auto()  # it holds ranks, with a mark for an item that is not listed
    BY_ITEM = auto()  # a dict by item
    JUDGED = auto()  # it may hold the gain 0 of an item that is judged not relevant, and lacks items that nobody judged
    TUPLES = auto()  # tuples of an item and its scores or gains
    GROUPS = auto()  # which entries belong to which user
    ALL_USERS = auto()  # built for all users at once
    FRAME = auto()  # rows of a data frame
    WHOLE = auto()  # gains are whole numbers
    PREDICTED = auto()  # predicted ratings beside the true ones, with which a threshold is compared
    ONE_SET = auto()  # users are the items, and look for each other
    PAIRED = auto()  # user and item of one number share a label
    PLACES = auto()  # its entries are places in another argument
    ANY_ORDER = auto()  # its entries, and those beside them, have no order of their own and are given in none


class Role(NamedTuple):
    """What one parameter may hold.

    words : for people. names : the families of names that suit it, with points (see ``parameter_names.py``).
    build : makes the data of one user; with ``ALL_USERS`` of all users, with ``FRAME`` the rows of some users. prior :
    how usual it is, 0 for the most usual. sliced, member : points where the source slices the parameter, or tests
    membership in it. wider : roles that show the same of a case and more. single : the role for one rank, of a role for
    several. order : the order that its entries have although its meaning needs none, as a condition. within : another
    condition of names that rest on it. sign : without it the role is not tried. package : what makes it, beside numpy.
    """

    name: str
    words: str
    names: Mapping[str, float]
    build: Optional[Callable[..., Any]]
    facts: Fact = Fact.NOTHING
    prior: float = 0.0
    sliced: float = 0.7
    member: float = -0.5
    wider: Tuple[str, ...] = ()
    single: str = ""
    order: str = ""
    within: str = ""
    sign: Optional[Sign] = None
    package: str = ""

    def has(self, fact: Fact) -> bool:
        """Whether one of these facts is true of the role."""
        return bool(self.facts._value_ & fact._value_)  # ten times as fast as the operator of flags


def is_named(family: str) -> Sign:
    """The parameter is named so."""
    return lambda name, names, source: family in families(name)


def does(use: str) -> Sign:
    """The source uses the parameter so, see :class:`Source`."""
    return lambda name, names, source: source.does(name, use)


def has_word(word: str) -> Sign:
    """The source as a whole has that sign, see :class:`Source`."""
    return lambda name, names, source: word in source.words


def is_no_id(name: str, names: Sequence[str], source: Source) -> bool:
    """The parameter's name is not that of ids, by which entries are put together."""
    return not snake(name).endswith(("id", "ids"))


def counts(name: str, names: Sequence[str], source: Source) -> bool:
    """The parameter's name is not that of ids, and it is not compared, as the users of rows are."""
    return is_no_id(name, names, source) and not source.does(name, "compared")


def is_named_or(family: str, word: str) -> Sign:
    """Some data parameter is named so, or the source has the sign of that word."""
    return lambda name, names, source: word in source.words or any(family in families(each) for each in names)


def are_distances(name: str, names: Sequence[str], source: Source) -> bool:
    """The parameter is named after distances, or its name tells nothing and the smallest values of it come first."""
    smallest_first = not families(name) and source.does(name, "ordered") and "ascending" in source.words
    return "distance" in families(name) or smallest_first


def are_similarities(name: str, names: Sequence[str], source: Source) -> bool:
    """The parameter is named after similarities, or after scores beside two that are named after classes."""
    classes = sum("class" in families(each) for each in names if each != name)
    return "similarity" in families(name) or ("score" in families(name) and classes == 2)


def may_be_distances(name: str, names: Sequence[str], source: Source) -> bool:
    """As :func:`is_named_or` of distances; or the first entry stands apart, and is less than others or more."""
    return is_named_or("distance", "ascending")(name, names, source) or source.does(name, "first_apart")


def are_identities(name: str, names: Sequence[str], source: Source) -> bool:
    """The parameter is named after classes, or after labels or truth beside codes."""
    beside_codes = any("code" in families(each) for each in names) and families(name) & {"label", "truth"}
    return "class" in families(name) or bool(beside_codes)


def is_compared_with_zero(name: str, names: Sequence[str], source: Source) -> bool:
    """The source compares the parameter, or its entries, with 0, or counts those that are not 0."""
    return 0 in source.compared.get(name, ()) or source.does(name, "nonzero")


def counts_hits(name: str, names: Sequence[str], source: Source) -> bool:
    """The parameter is named after hits."""
    return "hit" in name.lower()


def is_ranking_of_rows(name: str, names: Sequence[str], source: Source) -> bool:
    """The parameter is named after ranks, and its rows are taken apart."""
    return "ranks" in families(name) and (source.does(name, "rows") or source.does(name, "indexed"))


def asks_for_ones(name: str, names: Sequence[str], source: Source) -> bool:
    """The source asks for 1 in a column."""
    return bool(source.ones)


def reads_ranks_alone(name: str, names: Sequence[str], source: Source) -> bool:
    """The source reads the column of a rank, and no other but that of the user."""
    read = {role_of(key) for keys in source.keys.values() for key in keys} - {"user"}
    return read == {"rank"}


def takes_signs(name: str, names: Sequence[str], source: Source) -> bool:
    """The parameter is named after codes, and the source takes the sign of something."""
    return "code" in families(name) and "signs" in source.words


def are_features(name: str, names: Sequence[str], source: Source) -> bool:
    """The parameter is named after features, or its rows are multiplied with those of another matrix."""
    return "feature" in families(name) or source.does(name, "product")


def holds_indices(name: str, names: Sequence[str], source: Source) -> bool:
    """The parameter is named after indices, or the source takes entries by those of it."""
    return bool(re.search(r"idx|indic|neighb|knn", snake(name))) or source.does(name, "entry_index")


def may_be_features(name: str, names: Sequence[str], source: Source) -> bool:
    """The parameter is named after features, or its rows are multiplied with each other."""
    return "feature" in families(name) or ALONE.fullmatch(snake(name)) is not None or source.does(name, "own_product")


def sorts_nothing(name: str, names: Sequence[str], source: Source) -> bool:
    """The source sorts nothing."""
    return "sorts" not in source.words


def makes_rows_of_classes(name: str, names: Sequence[str], source: Source) -> bool:
    """The source makes rows with a single 1 of class numbers."""
    return source.anywhere("class_number")


def are_scores_apart(name: str, names: Sequence[str], source: Source) -> bool:
    """Some parameter, or key of this one, is named after negatives; or one after positives, and all after scores."""
    meant = [families(each) for each in source.keys.get(name) or names]
    scores = all("score" in each for each in meant)
    return any("negative" in each or ("positive" in each and scores) for each in meant)


def of(
    build: Callable[..., Any], words: str, names: Mapping[str, float], facts: Fact = Fact.NOTHING, **more: Any
) -> Role:
    """The role that is named like its builder."""
    return Role(build.__name__, words, names, build, facts, **more)


def both_orders(role: Role, name: str, words: str, order: str, prior: float) -> Tuple[Role, Role]:
    """A role whose entries have no order of their own, and the same role with one, under another name."""
    facts, wider = role.facts & ~(Fact.ANY_ORDER | Fact.UNSORTED), (role.name, *role.wider)
    return role, role._replace(name=name, words=words, facts=facts, prior=prior, wider=wider, order=order)


def of_all(role: Role) -> Role:
    """The role of a rank where every item of the catalogue is ranked, so that none is without one."""
    words, facts = f"{role.words}, among all items of the catalogue", role.facts | Fact.RANKED
    return role._replace(
        name=f"{role.name}_of_all", words=words, facts=facts, prior=role.prior - 0.7, wider=("rank", "position")
    )


RELEVANCE, LABELS = {"relevance": 3, "label": 0.5}, {"label": 3, "truth": 1.5, "relevance": 0.5}
SCORED, LABELLED = {"scored": 3.5, "list": 2, "run": 2}, {"frame": 2, "labelled": 2}
IDENTITY = {"class": 2.5, "label": 1, "truth": 0.5}
SHOWS_MORE = ("relevant", "grades", "y_true", "y_true_graded", "labels", "query_class")
F, B = Fact, builders
BY_ITEM_NUMBER, OF_CANDIDATES = F.INDEXED | F.VECTOR, F.VECTOR | F.CANDIDATES
ONE_RANK = F.ONE_RELEVANT | F.ONE_NUMBER | F.RANKS | F.BEYOND
ONE_SCORE = F.INDEXED | F.RANKED | F.SCORES | F.ONE_RELEVANT | F.ONE_NUMBER
FROM_ZERO = "ranks from 0"
RANKS_OF_ONE = (
    of(B.rank, "the rank of the one relevant item, from 1", {"ranks": 3.5}, ONE_RANK, prior=-0.3),
    of(B.position, "the rank of the one relevant item, from 0", {"ranks": 3.5}, ONE_RANK, prior=-0.1, within=FROM_ZERO),
)
SMALL = "every score between -4 and 4"
SCORE_OF_EACH = F.INDEXED | F.VECTOR | F.RANKED | F.SCORES | F.UNSORTED
TABLE = (
    of(
        B.relevant,
        "the relevant items",
        {"truth": 3, "label": 2},
        F.IDS | F.BEYOND,
        sliced=-1.0,
        member=0.7,
        wider=("grades", "gains"),  # where both fit, its number alone is read
    ),
    of(
        B.recommended,
        "the recommended items, best first",
        {"list": 3, "score": 1.5},
        F.IDS,
        member=0.3,
        wider=("list_classes",),
    ),
    of(
        B.item,
        "the one relevant item",
        {"item": 4, "truth": 1, "label": 1.5},
        F.IDS | F.ONE_RELEVANT | F.ONE_NUMBER | F.BEYOND,
        sliced=-3.0,
        wider=SHOWS_MORE,
    ),
    of(
        B.grades,
        "a dict from relevant item to gain",
        {"truth": 2, "relevance": 2, "qrels": 2},
        F.GRADED | F.BEYOND | F.BY_ITEM | F.JUDGED,
        sliced=-2.0,
        member=0.5,
    ),
    of(
        B.grade_of_each,
        "a dict from each item of the catalogue to its gain",
        {"truth": 2, "relevance": 2, "qrels": 2},
        F.GRADED | F.BEYOND | F.BY_ITEM,
        sliced=-2.0,
        wider=("grades",),
        sign=does("indexed"),
    ),
    of(
        B.relevance,
        "0 or 1 for each rank of the list",
        RELEVANCE,
        F.BINARY | F.BOOLEAN | F.FLOAT_TENSOR,
        wider=("relevance_graded", "labels", "y_true", "y_true_graded"),
    ),
    of(
        B.relevance_of_one,
        "0 or 1 for each rank of the list, 1 for the one relevant item",
        RELEVANCE,
        F.BINARY | F.ONE_RELEVANT | F.BEYOND,
        prior=-0.5,
        wider=("relevance",),
        sign=has_word("first_hit"),
    ),
    of(B.relevance_graded, "the gain at each rank of the list", RELEVANCE, F.GRADED, wider=("y_true_graded", "labels")),
    of(B.n_relevant, "the number of relevant items", {"count": 4}, F.ONE_NUMBER | F.BEYOND, sliced=-3.0),
    of(
        B.n_hits,
        "the number of hits up to k",
        {"count": 2, "relevance": 1},
        F.ONE_NUMBER,
        sliced=-3.0,
        sign=counts_hits,
    ),
    of(
        B.gains,
        "the gains of all relevant items, largest first",
        {"ideal": 4, "truth": 1, "relevance": 1},
        F.GAINS | F.BEYOND,
        sliced=-0.5,
        wider=("any_gains",),
        order="gains of the relevant items in descending order",
    ),
    of(
        B.any_gains,
        "the gains of all relevant items, in no order",
        {"truth": 1, "relevance": 1},
        F.GAINS | F.BEYOND,
        prior=-0.2,
        sliced=-0.5,
    ),
    of(
        B.sorted_gains,
        "the gain of each item of the catalogue, largest first",
        {"ideal": 4, "truth": 2, "label": 2, "relevance": 1},
        F.GAINS | F.BEYOND,
        prior=-0.4,
        within="gains of all items in descending order",
        sign=sorts_nothing,
    ),
    of(B.catalogue_items, "the id of each item of the catalogue", {"item": 3, "list": 0.5}, BY_ITEM_NUMBER),
    of(
        B.ideal_relevance,
        "1 for each relevant item",
        {"ideal": 4},
        F.BINARY | F.FLOAT_TENSOR | F.BEYOND,
        prior=-0.3,
        sliced=-0.5,
        wider=("gains",),
        sign=is_named("ideal"),
    ),
    *both_orders(
        of(
            B.list_scores,
            "the score of each listed item, in no order",
            {"score": 2, "list": 0.5},
            F.SCORES | F.UNSORTED | F.ANY_ORDER,
            prior=-0.7,
            wider=("y_score", "scores"),
        ),
        "falling_scores",
        "the score of each listed item, best first",
        "scores in descending order",
        prior=-0.7,
    ),
    of(
        B.gains_of_relevant,
        "the gains of the relevant items, in their order",
        {"relevance": 3.5, "score": 2},
        F.GRADED | F.BEYOND,
        prior=-0.5,
        sign=does("zipped"),
    ),
    of(
        B.y_true,
        "0 or 1 for each item of the catalogue",
        LABELS,
        BY_ITEM_NUMBER | F.BINARY | F.BOOLEAN | F.BEYOND,
        wider=("y_true_graded",),
    ),
    of(
        B.one_true,
        "1 for the one relevant item of the catalogue, 0 for each other item",
        LABELS,
        BY_ITEM_NUMBER | F.BINARY | F.ONE_RELEVANT | F.BEYOND,
        prior=0.5,
        sign=does("greatest"),
    ),
    of(B.y_true_graded, "the gain of each item of the catalogue", LABELS, BY_ITEM_NUMBER | F.GRADED | F.BEYOND),
    of(
        B.y_score,
        "a score for each item of the catalogue, the list on top",
        {"score": 3, "similarity": 2, "list": 1},
        SCORE_OF_EACH,
    ),
    *(
        of(
            build,
            f"a score {words} for each item of the catalogue, the list on top",
            {"score": 3, "similarity": 2, "list": 1},
            SCORE_OF_EACH,
            prior=-0.3,
            within=within,
            sign=sign,
        )
        for build, words, within, sign in (
            (B.positive_score, "above 0", "every score above 0", is_compared_with_zero),
            (B.small_score, "between -4 and 4", SMALL, has_word("logits")),
        )
    ),
    of(
        B.padded_score,
        "a score for each item of the catalogue, after that of item 0, which is padding",
        {"score": 3, "list": 1},
        SCORE_OF_EACH,
        within="item 0 is padding",
    ),
    of(
        B.padded_item,
        "the one relevant item, from 1",
        {"item": 4, "truth": 1, "label": 1.5},
        F.INDEXED | F.ONE_RELEVANT | F.ONE_NUMBER | F.BEYOND,
    ),
    of(
        B.y_listed,
        "1 for each item of the catalogue that is recommended, 0 for the others",
        {"list": 2, "score": 3},
        BY_ITEM_NUMBER,
    ),
    of(
        B.places,
        "the ranks of a list of the whole catalogue: 1, 2, 3 and so on",
        {"ranks": 3.5},
        F.ONE_RELEVANT,
        sign=is_no_id,
    ),
    of(B.list_length, "the number of listed items", {"length": 4, "count": 1}, F.ONE_NUMBER),
    of(B.item_ranks, "the rank of each hit, from 1, by item; 0 for every other item", {"ranks": 3}, BY_ITEM_NUMBER),
    of(
        B.catalogue_ranks,
        "the rank of each item of the catalogue, from 1",
        {"ranks": 3.5},
        F.INDEXED | F.VECTOR | F.RANKED,
    ),
    Role("user_list", "the users, in the order of the lists", {"group": 4}, None, F.GROUPS),
    of(
        B.labels,
        "0 or 1 for each candidate",
        {"label": 2.5, "truth": 1},
        F.INDEXED | OF_CANDIDATES | F.BOOLEAN | F.BEYOND,
    ),
    of(
        B.scores,
        "the model's score of each candidate",
        {"score": 2.5, "list": 0.5},
        F.INDEXED | OF_CANDIDATES | F.UNSORTED,
    ),
    of(
        B.small_scores,
        "the model's score of each candidate, between -4 and 4",
        {"score": 2.5, "list": 0.5},
        F.INDEXED | OF_CANDIDATES | F.UNSORTED,
        prior=-0.3,
        within=SMALL,
        sign=has_word("logits"),
    ),
    of(
        B.scores_by_item,
        "a dict from each candidate to the model's score",
        {"scored": 2, "list": 2, "run": 3, "score": 2},
        F.CANDIDATES | F.UNSORTED | F.BY_ITEM,
        prior=-0.8,
        sign=has_word("area"),
    ),
    of(
        B.unit_weights,
        "a weight of 1 for each candidate",
        {"weight": 4},
        F.VECTOR | F.CANDIDATES,
        sign=is_named("weight"),
        within="every weight 1",
    ),
    of(
        B.positive_scores,
        "the scores of the relevant candidates",
        {"positive": 4},
        OF_CANDIDATES | F.UNSORTED | F.BEYOND,
        prior=-0.5,
    ),
    of(B.negative_scores, "the scores of the other candidates", {"negative": 4}, F.CANDIDATES | F.UNSORTED),
    *(
        of(
            build,
            f"how many {which} candidates have each score, the lowest score first",
            {name: 4},
            F.CANDIDATES | F.BEYOND,
            prior=-1.0,
            sign=does("indexed"),
        )
        for build, which, name in (
            (B.positive_counts, "relevant", "positive"),
            (B.negative_counts, "other", "negative"),
        )
    ),
    of(
        B.positive_first,
        "the score of the one relevant item, then the scores of all other items",
        {"score": 2, "list": 0.5},
        SCORE_OF_EACH | F.ONE_RELEVANT | F.BEYOND,
        prior=-0.8,
    ),
    of(
        B.positive_last,
        "the scores of all other items, then the score of the one relevant item",
        {"score": 2, "list": 0.5},
        SCORE_OF_EACH | F.ONE_RELEVANT | F.BEYOND,
        sign=has_word("last"),
    ),
    of(
        B.nearest_first,
        "the distance of the one relevant item, then those of all other items, the smallest best",
        {"distance": 3, "score": 2, "list": 0.5},
        SCORE_OF_EACH | F.ONE_RELEVANT | F.BEYOND,
        prior=-0.9,
        sign=may_be_distances,
    ),
    of(
        B.positive_is_zero,
        "the number of each candidate, best first, that of the one relevant item 0",
        {"ranks": 3.5, "list": 2},
        F.RANKED | F.ONE_RELEVANT | F.BEYOND,
        prior=-0.5,
        sign=is_ranking_of_rows,
    ),
    of(
        B.first_score,
        "the score of the one relevant item",
        {"positive": 4, "score": 0.5, "truth": 0.5},
        ONE_SCORE | F.BEYOND,
        prior=-1.1,
        wider=("positive_scores",),
        sign=are_scores_apart,
    ),
    of(
        B.other_scores,
        "the scores of all other items",
        {"negative": 4, "score": 0.5},
        F.INDEXED | F.VECTOR | F.RANKED | F.SCORES | F.ONE_RELEVANT,
        prior=-0.2,
        wider=("negative_scores",),
        sign=are_scores_apart,
    ),
    of(
        B.first_label,
        "1 for the one relevant item, then 0 for all other items",
        {"label": 2.5, "truth": 1},
        F.ONE_RELEVANT | F.BEYOND,
    ),
    *both_orders(
        of(
            B.ranks,
            "the rank of each relevant item, from 1, in no order",
            {"ranks": 3.5},
            F.RANKS | F.BEYOND | F.ANY_ORDER,
            prior=-0.3,
            single="rank",
        ),
        "ascending_ranks",
        "the rank of each relevant item, from 1, ascending",
        "ranks in ascending order",
        prior=-0.4,
    ),
    *both_orders(
        of(
            B.positions,
            "the rank of each relevant item, from 0, in no order",
            {"ranks": 3.5},
            F.RANKS | F.BEYOND | F.ANY_ORDER,
            prior=-0.1,
            single="position",
            within=FROM_ZERO,
        ),
        "ascending_positions",
        "the rank of each relevant item, from 0, ascending",
        "ranks in ascending order",
        prior=-0.2,
    ),
    of(
        B.list_ranks,
        "the rank of each listed item, from 1, in no order",
        {"ranks": 3.5},
        F.ANY_ORDER,
        prior=-0.3,
        sign=does("discounted"),
    ),
    of(B.hit_ranks, "the ranks that hold a relevant item, from 1", {"ranks": 2.5}, prior=-0.6, single="rank"),
    of(
        B.hit_positions,
        "the ranks that hold a relevant item, from 0",
        {"ranks": 2.5},
        prior=-0.7,
        single="position",
        within=FROM_ZERO,
    ),
    *RANKS_OF_ONE,
    *map(of_all, RANKS_OF_ONE),
    of(
        B.item_scores,
        "a dict from recommended item to score",
        {"scored": 2, "list": 2, "run": 3, "score": 2},
        F.SCORES | F.BY_ITEM,
        prior=-0.8,
    ),
    of(B.scored, "(item, score) tuples of the recommended items, best first", SCORED, F.SCORES | F.TUPLES, prior=-0.8),
    of(
        B.score_item,
        "(score, item) tuples of the recommended items, best first",
        SCORED,
        F.SCORES | F.TUPLES,
        prior=-0.8,
        sign=has_word("second_items"),
    ),
    of(
        B.score_item_rank,
        "(score, item, rank) tuples of the recommended items, best first",
        SCORED,
        F.IDS | F.SCORES,
        sign=does("triples"),
    ),
    of(
        B.item_rank_score,
        "(item, rank, score) tuples of the recommended items, best first",
        SCORED,
        F.IDS | F.SCORES,
        sign=does("triples"),
    ),
    of(
        B.counted_labels,
        "(1 where not relevant, 1 where relevant, score) tuples of each item of the catalogue",
        {"list": 1, "label": 1},
        F.VECTOR | F.RANKED | F.SCORES | F.UNSORTED | F.BINARY | F.BEYOND,
        sign=does("sorted_by_third"),
    ),
    *both_orders(
        of(
            B.graded_items,
            "(item, gain) tuples of the relevant items, in no order",
            {"truth": 2, "qrels": 2},
            F.GAINS | F.BEYOND | F.TUPLES | F.ANY_ORDER,
            prior=-0.8,
        ),
        "best_graded_items",
        "(item, gain) tuples of the relevant items, the largest gain first",
        "relevant items sorted by gain",
        prior=-0.9,
    ),
    of(
        B.distances,
        "a distance for each item of the catalogue, the smallest best",
        {"distance": 4, "score": 1.5, "list": 0.5},
        SCORE_OF_EACH,
        prior=-0.3,
        within="the smallest score the best",
        sign=is_named_or("distance", "ascending"),
    ),
    of(
        B.similarity,
        "a row of scores for each user, those of the users' relevant items on the diagonal",
        {"similarity": 4, "score": 1.5},
        SCORE_OF_EACH | F.ONE_RELEVANT | F.BEYOND,
        sign=is_named_or("similarity", "diagonal"),
    ),
    of(
        B.own_places,
        "the recommended items, best first, the one relevant item under the number of the user's row",
        {"list": 3, "position": 2},
        F.ONE_RELEVANT | F.BEYOND,
        sign=has_word("own_row"),
    ),
    *(
        of(
            build,
            f"a square matrix with {rows} for each user, the scores of the users' relevant items on the diagonal",
            {"similarity": 4, "score": 1.5},
            SCORE_OF_EACH | F.ONE_RELEVANT | F.BEYOND | F.ALL_USERS,
            prior=-0.2,
            sign=is_named_or("similarity", "diagonal"),
        )
        for build, rows in ((aligned.square_similarity, "rows"), (aligned.column_similarity, "columns"))
    ),
    *(
        of(
            build,
            f"scores with five columns for each item, the users in the {rows}, their own item on the diagonal",
            {"similarity": 4, "score": 1.5},
            SCORE_OF_EACH | F.ONE_RELEVANT | F.BEYOND | F.ALL_USERS,
            within="five columns for each item",
            sign=has_word("fives"),
        )
        for build, rows in ((aligned.captioned_rows, "rows"), (aligned.captioned_columns, "columns"))
    ),
    of(
        aligned.square_scores,
        "a score for each item, in as many rows as columns",
        {"score": 3, "list": 1},
        SCORE_OF_EACH | F.ALL_USERS,
        prior=-0.2,
        sign=makes_rows_of_classes,
    ),
    of(
        aligned.row_items,
        "the one relevant item of each row",
        {"item": 4, "truth": 1, "label": 1.5},
        F.IDS | F.ONE_RELEVANT | F.ONE_NUMBER | F.BEYOND | F.ALL_USERS,
        sign=makes_rows_of_classes,
    ),
    of(aligned.paired_queries, "a feature for each query", {"feature": 4}, F.ALL_USERS, sign=are_features),
    of(
        aligned.paired_items,
        "a feature for each item, the item of the same row relevant, the nearer to a query's the better",
        {"feature": 4},
        F.INDEXED | F.VECTOR | F.RANKED | F.ONE_RELEVANT | F.BEYOND | F.ALL_USERS,
        sign=are_features,
    ),
    *(
        of(
            build,
            f"a row of {words} best",
            names,
            F.VECTOR | F.RANKED | F.SCORES | F.ALL_USERS,
            within="no two distances equal",
            sign=sign,
        )
        for build, names, words, sign in (
            (
                gallery.gallery_distances,
                {"distance": 4.0},
                "distances to a gallery for each user, the smallest",
                are_distances,
            ),
            (
                gallery.gallery_similarity,
                {"similarity": 4.0, "score": 2.0},
                "similarities to a gallery for each user, the largest",
                are_similarities,
            ),
        )
    ),
    of(
        gallery.candidate_distances,
        "distances to a gallery for each user by the scores of the candidates, the smallest best",
        {"distance": 4},
        OF_CANDIDATES | F.ALL_USERS,
        prior=-0.5,
        within="no two distances equal",
        sign=has_word("difference"),
    ),
    of(
        gallery.gallery_order,
        "for each user all places in a gallery, the nearest first",
        {"list": 3, "ranks": 1},
        F.VECTOR | F.RANKED | F.ALL_USERS | F.PLACES,
        wider=("gallery_ranking",),
        within="no two distances equal",
    ),
    of(
        gallery.gallery_ranking,
        "for each user the places in a gallery that are nearest, nearest first",
        {"list": 3, "ranks": 1},
        F.ALL_USERS | F.PLACES,
    ),
    of(
        gallery.query_ids,
        "the identity of each user: gallery items of that identity are relevant",
        IDENTITY,
        F.BEYOND | F.ALL_USERS | F.ONE_NUMBER,
        sign=are_identities,
    ),
    of(
        gallery.gallery_ids,
        "the identity of each item of the gallery",
        IDENTITY,
        F.ALL_USERS,
        sign=are_identities,
    ),
    of(
        codes.query_codes,
        "a code for each user",
        {"code": 4},
        F.ALL_USERS,
        sign=is_named("code"),
    ),
    of(
        codes.item_codes,
        "a code for each item of the catalogue, whose product with a user's code is the item's score",
        {"code": 4},
        F.INDEXED | F.VECTOR | F.RANKED | F.ALL_USERS,
        sign=is_named("code"),
    ),
    of(codes.query_signs, "a code of -1 and 1 for each user", {"code": 4}, F.ALL_USERS, sign=takes_signs),
    of(
        codes.item_signs,
        "a code of -1 and 1 for each item of the catalogue, whose product with a user's code is the item's score",
        {"code": 4},
        F.INDEXED | F.VECTOR | F.RANKED | F.ALL_USERS,
        sign=takes_signs,
    ),
    of(
        codes.gallery_signs,
        "a code of -1 and 1 for each item of a gallery, whose product with a user's code is the item's score",
        {"code": 4},
        F.VECTOR | F.RANKED | F.ALL_USERS,
        within="no two distances equal",
        sign=takes_signs,
    ),
    of(codes.query_features, "a feature for each user", {"feature": 4}, F.ALL_USERS, sign=are_features),
    *(
        of(build, words, {"feature": 4}, F.VECTOR | F.RANKED | F.ALL_USERS | more, sign=are_features)
        for build, words, more in (
            (
                codes.item_features,
                "a feature for each item of the catalogue, the nearer to a user's the better",
                F.INDEXED,
            ),
            (
                codes.item_features_down,
                "a feature in a column for each item of the catalogue, the nearer to a user's the better",
                F.INDEXED,
            ),
            (
                codes.gallery_features,
                "a feature for each item of a gallery, the nearer to a user's the better",
                F.NOTHING,
            ),
        )
    ),
    *(
        of(
            build,
            f"the label of each {words}",
            {"label": 3, "class": 2.5},
            F.BEYOND | F.ALL_USERS | F.ONE_NUMBER | kind,
            within=within,
        )
        for build, words, kind, within in (
            (
                labelled.pair_labels,
                "user, and of the item in the same row",
                F.PAIRED,
                "the item of a query's own number relevant",
            ),
            (
                labelled.set_labels,
                "member of a set",
                F.ONE_SET,
                "queries and items one set, no query its own item",
            ),
        )
    ),
    *(
        of(
            build,
            f"{words} of a set, each of which looks for the others",
            {name: 4},
            F.VECTOR | F.RANKED | F.ALL_USERS | F.ONE_SET | more,
            sign=sign,
        )
        for build, name, words, more, sign in (
            (labelled.set_features, "feature", "a feature for each member", F.NOTHING, may_be_features),
            (labelled.set_similarity, "similarity", "similarities of the members", F.NOTHING, is_named("similarity")),
            (labelled.set_distances, "distance", "distances of the members", F.NOTHING, is_named("distance")),
            (labelled.set_order, "list", "for each member all members, the nearest first,", F.PLACES, holds_indices),
        )
    ),
    of(
        labelled.pair_order,
        "for each user the items in all rows, the nearest first",
        {"list": 4},
        F.VECTOR | F.RANKED | F.ALL_USERS | F.PAIRED | F.PLACES,
        sign=holds_indices,
    ),
    of(codes.query_labels, "a row of labels for each user", {"label": 3, "class": 2.5}, F.ALL_USERS),
    of(
        codes.item_labels,
        "a row of labels for each item: relevant to a user who shares one, its gain the number of those shared",
        {"label": 3, "class": 2.5},
        F.BEYOND | F.ALL_USERS | F.GRADED | F.WHOLE,
    ),
    of(
        B.score_series,
        "a pandas Series with the scores of the recommended items by item",
        {"list": 2, "score": 2},
        F.IDS | F.SCORES,
        prior=-0.8,
        package="pandas",
    ),
    of(B.list_classes, "the class of each listed item", {"class": 2.5, "list": 1}, sign=is_named("class")),
    of(
        B.query_class,
        "the class of the query: items of that class are relevant",
        {"class": 2.5, "truth": 1},
        F.ONE_NUMBER,
        sign=is_named("class"),
    ),
    Role("users", "the user of each entry", {"group": 4}, None, F.GROUPS),
    of(B.user_key, "the user who is meant", {"group": 4}, F.ONE_NUMBER, sign=does("index")),
    Role(
        "sizes",
        "the number of entries of each user",
        {"group": 3.5, "count": 1, "length": 1},
        None,
        F.GROUPS,
        prior=-0.4,
        sign=counts,
    ),
    of(
        judgements.qrels,
        "a dict from user to a dict from relevant item to gain",
        {"qrels": 5, "truth": 1},
        F.GAINS | F.BEYOND | F.ALL_USERS | F.JUDGED,
    ),
    of(
        judgements.run,
        "a dict from user to a dict from recommended item to score",
        {"run": 5, "list": 1},
        F.SCORES | F.ALL_USERS,
    ),
    of(
        judgements.predictions,
        "(user, item, rating, score, details) tuples of the recommended and the relevant items",
        {"list": 2, "pairs": 2, "score": 1.5},
        F.GAINS | F.SCORES | F.BEYOND | F.TUPLES | F.ALL_USERS | F.PREDICTED,
        prior=-1.0,
    ),
    of(
        judgements.predicted_pairs,
        "a dict from user to (score, rating) tuples of the recommended and the relevant items",
        {"list": 2, "pairs": 2, "score": 1.5, "truth": 1},
        F.GAINS | F.SCORES | F.BEYOND | F.ALL_USERS | F.PREDICTED,
        prior=-1.5,
    ),
    Role(
        "truth_frame",
        "a frame with a row for each relevant item",
        {"truth": 3, "label": 1, "frame": 1},
        frames.truth_rows,
        F.GAINS | F.BEYOND | F.FRAME,
    ),
    Role(
        "label_frame",
        "a frame with a row for each relevant item, whose label is 1",
        {"truth": 3, "label": 1, "frame": 1},
        frames.label_rows,
        F.BINARY | F.BEYOND | F.FRAME,
        wider=("truth_frame",),
        sign=asks_for_ones,
    ),
    Role(
        "prediction_frame",
        "a frame with a row for each recommendation",
        {"list": 3, "score": 1, "frame": 1},
        frames.prediction_rows,
        F.SCORES | F.FRAME,
    ),
    Role(
        "labelled_frame",
        "a frame with a row for each item of the catalogue: label and score",
        LABELLED,
        frames.labelled_rows,
        F.RANKED | F.SCORES | F.BINARY | F.BEYOND | F.FRAME,
        wider=("graded_frame",),
    ),
    Role(
        "graded_frame",
        "a frame with a row for each item of the catalogue: gain and score",
        LABELLED,
        frames.graded_rows,
        F.RANKED | F.SCORES | F.GRADED | F.BEYOND | F.FRAME,
    ),
    Role(
        "row_scores",
        "the score of each row of a frame",
        {"score": 3, "list": 2},
        frames.row_scores,
        F.RANKED | F.SCORES | F.BEYOND,
        prior=-0.5,
    ),
    Role(
        "lists_frame",
        "a frame with a row for each user: the list of relevant and the list of recommended items",
        LABELLED,
        frames.list_rows,
        F.BEYOND | F.FRAME,
        prior=-0.3,
    ),
    Role(
        "item_frame",
        "a frame with a row for each user: the one relevant item and the list of recommended items",
        LABELLED,
        frames.item_rows,
        F.ONE_RELEVANT | F.BEYOND | F.FRAME,
        prior=-0.4,
        wider=("lists_frame",),
    ),
    Role(
        "truth_lists_frame",
        "a frame with a row for each user: the list of relevant items",
        {"truth": 3, "label": 1, "frame": 1},
        frames.truth_list_rows,
        F.BEYOND | F.FRAME,
        prior=-0.5,
    ),
    Role(
        "truth_items_frame",
        "a frame with a row for each user: the one relevant item",
        {"truth": 3, "label": 1, "frame": 1},
        frames.truth_item_rows,
        F.ONE_RELEVANT | F.BEYOND | F.FRAME,
        prior=-0.6,
        wider=("truth_lists_frame",),
    ),
    Role(
        "listed_frame",
        "a frame with a row for each user: the list of recommended items",
        {"list": 3, "score": 1, "frame": 1},
        frames.listed_rows,
        F.FRAME,
        prior=-0.5,
    ),
    Role(
        "rank_frame",
        "a frame with a row for each user: the rank of the one relevant item, from 1",
        LABELLED,
        frames.rank_rows,
        F.ONE_RELEVANT | F.RANKS | F.BEYOND | F.FRAME,
        prior=-0.5,
        sign=reads_ranks_alone,
    ),
    Role(
        "target_frame",
        "a frame with a row for each item of the catalogue: the user's one relevant item and a score",
        LABELLED,
        frames.target_rows,
        F.RANKED | F.SCORES | F.ONE_RELEVANT | F.BEYOND | F.FRAME,
        prior=-0.5,
        sign=has_word("columns"),
    ),
    Role(
        "candidate_frame",
        "a frame with a row for each candidate: label and score",
        LABELLED,
        frames.candidate_rows,
        F.CANDIDATES | F.BEYOND | F.FRAME,
        prior=-0.3,
    ),
    Role(
        "candidate_labels_frame",
        "a frame with a row for each candidate: its label",
        {"truth": 3, "label": 1, "frame": 1},
        frames.candidate_label_rows,
        F.CANDIDATES | F.BEYOND | F.FRAME,
        sign=has_word("area"),
    ),
    Role(
        "candidate_scores_frame",
        "a frame with a row for each candidate: its score",
        {"list": 3, "score": 1, "frame": 1},
        frames.candidate_score_rows,
        F.CANDIDATES | F.FRAME,
    ),
)
ROLES: Dict[str, Role] = {role.name: role for role in TABLE}
"""Every role by its name."""
