"""No adapter narrows what it asks: labels and groups stay as they are in the case, and the mean is the library's own.

Read from the source of every adapter. What looks like narrowing has its reason here; a new place needs one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from metric_harness.libraries.describe import find_libraries
from tests.support.places import ROOT

ADAPTERS = {
    f"{path.parent.name}/{path.name}": path
    for path in sorted((ROOT / "adapters").glob("*/adapter*.py"))
    if path.parent.name != "kit"
}
MEANS, ONES = ("mean", "nanmean", "average"), ("ones", "ones_like", "astype(bool)")
ROWS = ("full", "pad", "resize", "padded", "empty_ranks")
LABEL_WORDS = ("gain", "truth", "label", "rating")

LABELS = {
    "beta_rec/adapter.py": "its evaluator merges the true items by user and item, and reads no rating of them",
    "cwl_eval/adapter.py": "a gain above 1 is not shown: the command refuses it",
    "dl_rs_evaluation/adapter.py": "the training matrix; the test matrix has the ratings",
    "implicit/adapter.py": "its functions read which entries the test matrix has, not their values",
    "ranx/adapter.py": "other labels are not shown to a measure documented for 0 and 1",
    "recpack/adapter.py": "its metrics take interactions, and multiply by their values where these are not 1",
    "replay/adapter_spark.py": "a first call, which starts Spark",
    "torcheval/adapter.py": "its retrieval metrics take targets of 0 and 1; none has gains",
    "torchmetrics/adapter.py": "its metrics but NDCG, which gets the gains, refuse a target that is not binary",
}
"""Where labels are made or compared: why no gain is lost."""
FILLED = {
    "allrank/adapter.py": "padded with the label that its functions mask",
    "cornac/adapter.py": "no list: the user's number beside each item",
    "implicit/adapter.py": "its recommender pads short lists so",
    "keras_rs/adapter.py": "padded with the label that its metrics mask",
    "neurec/adapter.py": "its evaluator ranks every item: those that are no candidates stand at -inf",
    "openrec/adapter.py": "its trainer scores every item: those that are no candidates stand at -inf",
    "recbole/adapter.py": "the padding item, at -inf as RecBole's own evaluation has it",
    "recbole/adapter_old.py": "the place of the first item that is not ranked",
    "recsys_metrics/adapter.py": "its functions have no sign for a place without a row; scores there are lowest",
    "recsys_pytorch/adapter.py": "its evaluator hands over k places for each user, and its compiled form reads k",
    "tensorflow_ranking/adapter.py": "padded with the label that its metrics mask",
    "torch_geometric/adapter.py": "its metrics take a matrix of k columns",
    "torchmetrics/adapter.py": "a user's other candidates: without them an unlisted relevant item moves up into the "
    "list; precision with adaptive_k and AUROC inside k get the lists alone",
}
"""Where places without an item are filled: why the group is not made longer for the function."""


MEAN = {
    "beta_rec/adapter.py": "as its engine for sequences takes it; the others return their own",
    "dl_rs_evaluation/adapter.py": "a part of NDCG, asked for its discount",
    "elliot/adapter.py": "a part of nDCG, asked for its discount",
    "neurec/adapter.py": "as its evaluator takes it of the other functions in Python",
    "openrec/adapter.py": "as its trainer takes it",
    "torcheval/adapter.py": "of two classes, of which library.toml says so; the others return their own",
}
"""Where an adapter takes a mean that no feeding test holds: whose it is."""


def calls(name: str) -> Iterator[str]:
    """The names of all that an adapter calls; ``astype(bool)`` with its type."""
    for node in ast.walk(ast.parse(ADAPTERS[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = str(getattr(node.func, "attr", getattr(node.func, "id", "")))
            to_bool = called == "astype" and any(ast.unparse(each) in ("bool", "np.bool_") for each in node.args)
            yield "astype(bool)" if to_bool else called


def compares_labels(name: str) -> bool:
    """Whether an adapter compares labels with a number."""
    for node in ast.walk(ast.parse(ADAPTERS[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Compare) and isinstance(node.comparators[0], ast.Constant):
            left = ast.unparse(node.left)
            if any(word in left for word in LABEL_WORDS):
                return True
    return False


def test_labels_are_handed_over_as_they_are() -> None:
    found = {name for name in ADAPTERS if compares_labels(name) or not set(ONES).isdisjoint(calls(name))}
    assert found == set(LABELS)


def test_groups_are_as_short_as_the_lists() -> None:
    assert {name for name in ADAPTERS if not set(ROWS).isdisjoint(calls(name))} == set(FILLED)


def unreached(name: str) -> list[str]:
    """The functions of an adapter of which no feeding test takes the mean and library.toml does not say whose it is."""
    folder, file = name.split("/")
    library = find_libraries([])[folder]
    functions = [
        info
        for release in library.releases
        if f"{release.adapter}.py" == file
        for info in library.subjects_of(release).values()
    ]
    by_evaluator = [f.function for f in functions if library.evaluator and f.function not in library.not_run]
    return [f.function for f in functions if f.own_mean and f.function not in by_evaluator]


@pytest.mark.parametrize("name", [name for name in ADAPTERS if not set(MEANS).isdisjoint(calls(name))])
def test_a_mean_of_the_adapter_is_said_or_that_of_the_librarys_evaluation(name: str) -> None:
    assert bool(unreached(name)) == (name in MEAN)
