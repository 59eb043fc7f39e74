"""A refusal says what each way of calling came to, and prints only a wrapper that gives a name."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from metric_harness import audit
from metric_harness.naming.target import module_of, parse_target
from metric_harness.naming.wrapper import LABELS, MOST_WRAPPERS, wrappers
from metric_harness.system.errors import HarnessError
from metric_reference.variant import Variant
from metric_reports.audit.text import unnamed
from tests.support.places import SUPPORT

pytestmark = pytest.mark.thorough


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A working folder with the file old.py."""
    shutil.copy(SUPPORT / "old_metrics.py", tmp_path / "old.py")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def wrappers_of(head, place="a.py", name=None):
    Path(place).parent.mkdir(parents=True, exist_ok=True)
    Path(place).write_text(f"{head}\n")
    called = name or head.partition("(")[0].rpartition(" ")[2]
    return wrappers(parse_target(f"{place}:{called}", {}))


def likeliest(*arguments, **named):
    return wrappers_of(*arguments, **named)[0].code[-1].strip()


@pytest.mark.parametrize(
    ("head", "call"),
    [
        ("def ndcg(relevant_ids, recs, k): return 1", "ndcg(relevant, recommended, k)"),
        ("def ndcg(recs, gold: set, topk): return 1", "ndcg(recommended, set(relevant), k)"),
        ("def mrr(actual: dict, predicted: dict): return 1", "mrr({0: relevant}, {0: recommended})"),
        ("def mrr(candidate_map, test_pairs): return 1", "mrr({0: recommended}, [(0, item) for item in relevant])"),
        ("def ap(index, gold, junk_index): return 1", "ap(recommended, relevant, [])"),
        ("def ndcg(rel_true, rel_pred, p=None): return 1", "ndcg(sorted(LABELS, reverse=True), LABELS, p=k)"),
        ("def recall(hits, num_of_sets): return 1", "recall(LABELS, len(relevant))"),
        ("def ndcg(bin_vec, pos=5): return 1", "ndcg([int(item in relevant) for item in recommended])"),
        ("def ndcg(rel, p=None): return 1", "ndcg([int(item in relevant) for item in recommended], p=k)"),
        ("def mrr(rel, ks): return 1", "mrr([int(item in relevant) for item in recommended], [k])"),
        ("def mrr(hits, n_rel): return 1", "mrr([int(item in relevant) for item in recommended], len(relevant))"),
        ("def auc(foo, bar, k=10): return 1", "auc(recommended, relevant, k=k)"),
        (
            "def auc(*, y_true, y_score): return 1",
            "auc(y_true=LABELS, y_score=[-rank for rank in range(len(recommended))])",
        ),
        ("def ap(df_true, df_pred, k): return 1", "ap(truth_frame, list_frame, k)"),
    ],
)
def test_the_likeliest_wrapper_has_the_names_of_the_function(head, call):
    first, *others = wrappers_of(head)
    name = head.partition("(")[0].removeprefix("def ")
    assert first.place == (f"from a import {name}",)
    assert first.code[-1] == f"    return {call.replace('LABELS', LABELS)}"
    assert ("import pandas" in first.code) == ("df_" in head)
    assert any(", k):" in line for line in first.code) == bool(re.search(r"\bk\W*\)", call))
    assert len({wrapper.code for wrapper in (first, *others)}) == len(others) + 1 <= MOST_WRAPPERS


def test_roles_are_tried_in_both_orders_where_names_do_not_tell():
    calls = [wrapper.code[-1].strip() for wrapper in wrappers_of("def recall(foo, bar): return 1")]
    assert calls[:2] == ["return recall(recommended, relevant)", "return recall(relevant, recommended)"]


def test_the_wrapper_of_a_method():
    source = (
        "class Evaluator:\n    def evaluate(self, truth, recs, at): return 1\n"
        "    @staticmethod\n    def hit(gt, recs): return 1"
    )
    assert likeliest(source, name="Evaluator") == "return Evaluator().evaluate(relevant, recommended, k)"
    assert likeliest(source, name="Evaluator.hit") == "return Evaluator.hit(relevant[0], recommended)"


def test_the_import_is_that_of_the_package(here, monkeypatch):
    Path("one/two").mkdir(parents=True)
    Path("one/__init__.py").touch()
    Path("one/two/__init__.py").touch()
    first = wrappers_of("def recall(a, b): return 1", "one/two/c.py")[0]
    assert first.place == ("from one.two.c import recall",)
    assert module_of("pack.module") == "pack.module"
    monkeypatch.chdir("one/two")
    assert module_of("c.py") == "one.two.c"


def test_too_many_parameters_without_a_meaning_have_no_wrapper():
    assert wrappers_of("def auc(foo, bar, colours): return 1") == []


def test_a_function_without_source_has_no_wrapper():
    assert wrappers(parse_target("json:dumps", {})) == []
    assert wrappers(parse_target("exec:cat", {})) == []


def test_a_refusal_tells_what_each_convention_came_to():
    (found,) = audit("old.py:reciprocal_rank").to_json()["subjects"]
    called = [note for note in found["notes"] if note.startswith("called as ")]
    assert 0 < len(called) <= 5
    assert "AttributeError: 'list' object has no attribute 'first_hit'" in called[0]
    assert not [note for note in found["notes"] if "wrapper" in note or note.startswith(" ")]


def test_a_function_that_no_convention_fits_says_what_is_not_known():
    with pytest.raises(HarnessError) as refused:
        audit("old.py:average_precision")
    text = str(refused.value)
    assert "no known way of calling it fits its parameters" in text
    assert "what it takes as pack and weights and colours and shapes is not known" in text
    assert "wrapper" not in text


@pytest.fixture
def wrappable(here):
    """A file beside which a wrapper works, although it ends the program that imports it."""
    shutil.copy(SUPPORT / "styles" / "wrappable.py", here / "wrappable.py")


@pytest.mark.parametrize(
    ("name", "variants"),
    [
        ("precision", {"": "precision(divide_by=k)"}),
        ("both", {"[hit_rate]": "hit_rate(value=any)", "[p]": "precision(divide_by=k)"}),
    ],
)
def test_a_printed_wrapper_gives_the_names_that_are_printed_with_it(name, variants, wrappable):
    (refused,) = audit(f"wrappable.py:{name}").to_json()["subjects"]
    notes = refused["notes"]
    lead = next(place for place, note in enumerate(notes) if note.startswith("with this wrapper it computes"))
    printed = " and ".join(f"{variant} as {element}".removesuffix(" as ") for element, variant in variants.items())
    assert f"it computes {printed}, verified, one user at a time" in notes[lead]
    code = [note[4:] for note in notes[lead + 1 :] if note.startswith("    ")]
    Path("wrapper.py").write_text("\n".join(code))
    command = shlex.split(code[-1])[-1]
    named = {row["target"].removeprefix(command): row for row in audit(command).to_json()["subjects"]}
    for element, variant in variants.items():
        assert named[element]["variant"] == str(Variant.parse(variant))
        assert named[element]["evidence"]["confidence"] == "verified"


@pytest.mark.parametrize(("name", "missing"), [("recall", "box"), ("overlap", "strange_things")])
def test_what_is_not_known_is_said_where_no_wrapper_gives_a_name(name, missing, wrappable):
    try:
        notes = audit(f"wrappable.py:{name}").to_json()["subjects"][0]["notes"]
    except HarnessError as refused:
        notes = str(refused).splitlines()
    (line,) = [note for note in notes if note.startswith("what it takes as")]
    assert missing in line
    assert not any(note.startswith((" ", "with this wrapper")) for note in notes)


def test_a_metric_of_another_kind_is_said_to_be_one(here):
    """No definition of relevant items is called near it, and no wrapper is looked for."""
    (here / "cover.py").write_text(
        "def catalog_coverage(lists, n_items):\n    return len({item for row in lists for item in row}) / n_items\n"
    )
    (subject,) = audit("cover.py:catalog_coverage").to_json()["subjects"]
    assert subject["variant"] is None
    assert [(row["code"], row["severity"]) for row in subject["findings"]] == [("UNX001", "note")]
    assert subject["notes"] == [
        "its name claims coverage; an audit of a function of yours looks for metrics of relevant items alone"
    ]


def test_a_definition_that_fits_by_chance_is_told_with_the_reason(here):
    """R-precision takes the number of relevant items, so its third parameter may be that and no cut-off."""
    (here / "at_r.py").write_text(
        "def r_precision(found, relevant_documents, r):\n"
        "    return len(set(found[:r]) & set(relevant_documents)) / len(found[:r])\n"
    )
    (subject,) = audit("at_r.py:r_precision").to_json()["subjects"]
    reason = "its answers are those of precision(divide_by=list), but what it takes as k may be no cut-off"
    assert (subject["variant"], subject["evidence"]["reason"]) == (None, reason)
    assert unnamed(subject) == "perhaps precision(divide_by=list)"
    assert subject["findings"][0]["message"].startswith(f"{reason}.")
