"""Mistakes that people make in the definitions beyond accuracy, planted in their literal twins."""

import itertools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

from metric_reference.edges import STANDARD
from tests.support.literal import value
from tests.support.literal.beyond import shown
from tests.support.literal.user import User

Asked = tuple[list[User], int, dict[str, Any]]


class Planted(NamedTuple):
    """A mistake: what it is, the definitions that it is made in (how their names begin), and what it makes of them."""

    what: str
    made_in: tuple[str, ...]
    change: Callable[[list[User], int, dict[str, Any]], Asked] | None = None
    instead: Callable[[list[User], int], float] | None = None


def of_users(change: Callable[[User], User]) -> Callable[[list[User], int, dict[str, Any]], Asked]:
    return lambda users, k, choices: ([change(user) for user in users], k, choices)


def with_choice(**others: str) -> Callable[[list[User], int, dict[str, Any]], Asked]:
    return lambda users, k, choices: (users, k, {name: others.get(name, own) for name, own in choices.items()})


def once(user: User) -> User:
    """Without what is listed again."""
    places = [place for place, item in enumerate(user.listed) if item not in user.listed[:place]]
    return user._replace(listed=[user.listed[at] for at in places], gains=[user.gains[at] for at in places])


def counted_in_lists(users: list[User], k: int, choices: dict[str, Any]) -> Asked:
    return [user._replace(counts=shown(users, k), train_users=len(users)) for user in users], k, choices


def mirrored(user: User) -> User:
    """Items numbered from the other end: what is equal stands in the other order."""
    last = len(user.counts) - 1
    return user._replace(
        listed=[last - item for item in user.listed],
        train=[last - item for item in user.train],
        counts=user.counts[::-1],
        vectors=user.vectors[::-1],
    )


def without_the_unknown(user: User) -> User:
    """An item without training interactions is not in the catalogue."""
    kept = {item: place for place, item in enumerate(item for item, count in enumerate(user.counts) if count)}
    places = [place for place, item in enumerate(user.listed) if item in kept]
    return user._replace(
        listed=[kept[user.listed[at]] for at in places],
        gains=[user.gains[at] for at in places],
        counts=[count for count in user.counts if count],
        vectors=[user.vectors[item] for item in kept],
        train=[kept[item] for item in user.train if item in kept],
    )


def unsorted_gini(users: list[User], k: int) -> float:
    times = shown(users, k)
    n = len(times)
    return sum((2 * rank - n - 1) * count for rank, count in enumerate(times, 1)) / (n * sum(times))


def entropy_of_counts(users: list[User], k: int) -> float:
    """Forgets to divide by the number of recommendations inside the logarithm."""
    times = [count for count in shown(users, k) if count]
    return -math.fsum(count / sum(times) * math.log2(count) for count in times)


def ordered_pairs(users: list[User], k: int) -> float:
    """Every list beside itself as well."""
    lists = [set(user.listed[:k]) for user in users if user.listed]
    every = list(itertools.product(lists, repeat=2))
    return 1 - math.fsum(len(a & b) / math.sqrt(len(a) * len(b)) for a, b in every) / len(every) if every else math.nan


def with_user_zeros(name: str, choices: dict[str, str]) -> Callable[[list[User], int], float]:
    """A user for whom the value is undefined counts 0."""

    def mean(users: list[User], k: int) -> float:
        found = [value(name, choices, "user", [user], k, STANDARD.made()) for user in users]
        return math.fsum(0.0 if math.isnan(one) else one for one in found) / len(found)

    return mean


def first_entries(user: User) -> User:
    return user._replace(vectors=[[*vector[:-1], 0.0] for vector in user.vectors])


def ones_alone(user: User) -> User:
    return user._replace(vectors=[[float(entry > 0) for entry in vector] for vector in user.vectors])


OF_LISTS = (
    "coverage(of=items",
    "popularity",
    "novelty",
    "diversity",
    "category_diversity",
    "personalization",
    "unexpectedness",
    "serendipity",
    "hit_popularity",
    "entropy",
    "gini",
    "herfindahl",
)
OF_COUNTS = (
    "popularity",
    "novelty(probability=users",
    "novelty(probability=interactions",
    "hit_popularity",
    "unexpectedness(against=popular",
    "serendipity(unexpected=not_popular",
    "serendipity(unexpected=complement",
    "serendipity(unexpected=information",
    "serendipity(unexpected=above_popularity",
    "coverage(of=items, divide_by=trained",
    "coverage(of=trained_items",
)
OF_VECTORS = ("diversity", "category_diversity", "unexpectedness(against=history", "serendipity(unexpected=unlike")
PLANTS = (
    Planted("k is not cut", OF_LISTS, lambda users, k, choices: (users, k + 1000, choices)),
    Planted("k is one more", OF_LISTS, lambda users, k, choices: (users, k + 1, choices)),
    Planted(
        "the last item of a list is lost",
        OF_LISTS,
        of_users(lambda user: user._replace(listed=user.listed[:-1], gains=user.gains[:-1])),
    ),
    Planted(
        "only the first user is looked at",
        (*OF_LISTS[:5], *OF_LISTS[6:], "coverage(of=users, divide_by=none"),
        lambda users, k, choices: (users[:1], k, choices),
    ),
    Planted(
        "an item listed twice is one", ("popularity", "diversity", "entropy", "gini", "herfindahl"), of_users(once)
    ),
    Planted("counts are those of the lists, not of the training data", OF_COUNTS, counted_in_lists),
    Planted(
        "items are numbered from the other end",
        ("popularity(value=tail", "unexpectedness(against=popular", "serendipity(unexpected=not_popular"),
        of_users(mirrored),
    ),
    Planted(
        "the catalogue is the items with training interactions",
        (
            "coverage(of=items)",
            "coverage(of=items, divide_by=padded",
            "coverage(of=items, divide_by=none",
            "novelty(probability=users)",
            "novelty(probability=interactions",
            "popularity(value=count)",
            "serendipity(unexpected=above",
            "gini(items=catalogue",
            "gini(items=padded",
            "entropy",
        ),
        of_users(without_the_unknown),
    ),
    Planted("the catalogue has one item more", ("coverage(of=items)",), with_choice(divide_by="padded")),
    Planted(
        "the catalogue is the trained items, recommended or not",
        ("coverage(of=items)",),
        with_choice(divide_by="trained"),
    ),
    Planted("untrained items are covered too", ("coverage(of=trained_items",), with_choice(of="items")),
    Planted(
        "users without a list are served too",
        ("coverage(of=users",),
        of_users(lambda user: user._replace(listed=user.listed or [0], gains=user.gains or [0.0])),
    ),
    Planted(
        "as many training users as lists",
        ("popularity(value=share", "novelty(probability=users", "serendipity(unexpected=complement"),
        lambda users, k, choices: ([user._replace(train_users=len(users)) for user in users], k, choices),
    ),
    Planted(
        "natural logarithms",
        (
            "novelty(probability=users)",
            "novelty(probability=users, length",
            "novelty(probability=interactions",
            "entropy(log=log2",
        ),
        with_choice(log="ln"),
    ),
    Planted("logarithms to base 2", ("entropy(log=ln",), with_choice(log="log2")),
    Planted(
        "untrained items add nothing",
        ("novelty(probability=users)", "novelty(probability=users, length=k", "novelty(probability=users, log=largest"),
        with_choice(unseen="skipped"),
    ),
    Planted("untrained items count as seen once", ("novelty(probability=interactions",), with_choice(unseen="one")),
    Planted(
        "training interactions of another user",
        ("novelty(probability=own_history", "unexpectedness(against=hist", "serendipity(unexpected=unlike"),
        lambda users, k, choices: ([user._replace(train=users[0].train) for user in users], k, choices),
    ),
    Planted(
        "a user without training items has every item",
        ("novelty(probability=own_history",),
        of_users(lambda user: user._replace(train=user.train or list(range(len(user.counts))))),
    ),
    Planted(
        "lists are divided by k",
        (
            "popularity(value=count)",
            "popularity(value=share",
            "popularity(value=quantile",
            "novelty(probability=users)",
            "serendipity",
        ),
        with_choice(divide_by="k", length="k"),
    ),
    Planted(
        "k is the list's length",
        ("novelty(probability=users, length=k", "unexpectedness(against=popular", "category_diversity(divide_by=k"),
        with_choice(divide_by="list", length="list"),
    ),
    Planted("items are not sorted", ("gini(items=catalogue)",), instead=unsorted_gini),
    Planted(
        "items that nobody is shown are left out",
        ("gini(items=catalogue", "gini(items=padded"),
        with_choice(items="recommended"),
    ),
    Planted("over n", ("gini(items=recommended", "gini(items=catalogue, divide_by"), with_choice(divide_by="n")),
    Planted("ranks weigh alike", ("gini(items=catalogue, attention",), with_choice(attention="equal")),
    Planted("counts are no shares", ("entropy(log=log2)",), instead=entropy_of_counts),
    Planted("entropy over the catalogue", ("entropy(log=ln",), with_choice(normalise="catalogue")),
    Planted("one mean over all", ("entropy(log=log2, over=users",), with_choice(over="recommendations")),
    Planted("the index itself", ("herfindahl(value=diversity",), with_choice(value="concentration")),
    Planted("a list beside itself", ("personalization(similarity=cosine",), instead=ordered_pairs),
    Planted("over the union", ("personalization",), with_choice(similarity="jaccard")),
    Planted("similarity, not distance", ("diversity(pair=cosine_distance",), with_choice(pair="cosine_similarity")),
    Planted("pairs with the last item count half", ("diversity",), with_choice(last="half")),
    Planted(
        "a list of one item counts",
        ("diversity(pair=cosine_distance)", "diversity(pair=cosine_similarity)"),
        with_choice(divide_by="pairs_or_one"),
    ),
    Planted("the last entry of vectors is lost", OF_VECTORS, of_users(first_entries)),
    Planted(
        "entries below 0 are 0",
        ("diversity(pair=cosine", "category_diversity", "unexpectedness(against=history"),
        of_users(ones_alone),
    ),
    Planted("the categories of misses too", ("category_diversity(divide_by=categories",), with_choice(of="listed")),
    Planted(
        "misses too",
        ("serendipity", "hit_popularity"),
        of_users(lambda user: user._replace(gains=[1.0] * len(user.gains))),
    ),
    Planted("over the hits", ("serendipity", "hit_popularity"), with_choice(divide_by="hits")),
    Planted(
        "no discount",
        ("serendipity(unexpected=complement", "serendipity(unexpected=information"),
        with_choice(discount="none"),
    ),
    Planted(
        "an undefined user counts 0",
        ("popularity(value=count, length=trained",),
        instead=with_user_zeros("popularity", {"value": "count", "length": "trained"}),
    ),
    Planted(
        "a list of one item has distance 0",
        ("diversity(pair=cosine_distance)",),
        instead=with_user_zeros("diversity", {"pair": "cosine_distance", "divide_by": "pairs", "last": "full"}),
    ),
)
