"""Planted mistakes in library.toml, each named with its line, key and remedy; its schema and its lines."""

import os
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from metric_harness.libraries.describe import library_folders, own_folders, read_library
from metric_harness.libraries.mistake import LibraryError
from metric_harness.libraries.schema import library_schema
from metric_harness.libraries.toml_lines import lines_of, nearest_line
from metric_harness.libraries.toml_page import read_page
from metric_reference.variant import METRICS
from tests.harness.libraries.sound_folder import PAGE, replaced, written

COMMIT = "a" * 40
LONG = "precision, recall, f1"

MISTAKES_OF_PAGES = [
    # what is replaced, by what, the line, the key, what is wrong, the remedy
    ('name = "Mine"', "", 1, "name", "missing; expected a text", 'write for example name = "RecPack"'),
    ('name = "Mine"', 'name = " "', 1, "name", "empty; expected a text", 'write for example "RecPack"'),
    ('name = "Mine"', "name = Mine", 1, "", "not TOML: Invalid value", "a text is in quotes"),
    ('name = "Mine"', 'name = "Mine"\nname = "Mine"', 2, "", "not TOML: Cannot overwrite", "each key is written once"),
    ('"mine==1.10"]', '"mine==1.10"', 20, "", "not TOML: Unclosed array", "a list in [ ]"),
    ("distribution", "distributon", 2, "distributon", "unknown key", "write distribution; the keys here are name, "),
    ("distribution", "zzz", 2, "zzz", "unknown key", "remove it; the keys here are name, distribution, homepage"),
    ('distribution = "mine"', "distribution = true", 2, "distribution", "expected a text, got true", "write for"),
    ("https://example.org\"\nlic", 'example.org"\nlic', 3, "homepage", "expected a web address, got 'example.org'",
     'write for example "https://example.org"'),
    ('homepage = "https://example.org"\n', "", 1, "homepage", "missing; expected a web address", "write for example"),
    ('licence = "MIT"', 'licence = ["MIT"]', 4, "licence", "expected a text, got ['MIT']", 'write for example "MIT"'),
    ('summary = "A library."', "", 1, "summary", "missing", "write for example summary ="),
    ("[[releases]]", "[[release]]", 7, "release", "unknown key", "write releases; the keys here are"),
    ("[[releases]]", "[[release]]", 1, "releases", "missing; expected at least one", "add one [[releases]]"),
    ('version = "1.0"', "", 7, "releases[0].version", "missing; expected a version", 'version = "1.2.1"'),
    ('version = "1.0"', 'version = "one"', 8, "releases[0].version", "'one' is no version", 'for example "1.2.1" or'),
    ('version = "1.0"', "version = 1.0", 8, "releases[0].version", "expected a version, got 1.0", '"1.2.1"'),
    ('version = "1.10"', 'version = "0.9"', 16, "releases[1].version", "0.9 stands after 1.0", "from oldest to newest"),
    ('version = "1.10"', 'version = "1.0"', 16, "releases[1].version", "1.0 stands after 1.0", "each once"),
    ('python = ">=3.8"\nrequirements = ["', 'python = "3.8 or so"\nrequirements = ["', 17, "releases[1].python",
     "'3.8 or so' is no version specifier", 'write for example ">=3.10,<3.13"'),
    ('python = ">=3.8"', 'python = ""', 9, "releases[0].python", "empty; expected a version specifier", "for example"),
    ('"mine==1.0"', '"mine=1.0"', 12, "releases[0].requirements[1]", "'mine=1.0' is no requirement", '"numpy==1.26.4"'),
    ('"mine==1.0"', "1", 12, "releases[0].requirements[1]", "expected a requirement, got 1", '"numpy==1.26.4"'),
    ('["mine==1.10"]', '"mine==1.10"', 18, "releases[1].requirements", "expected a list of texts, got 'mine==1.10'",
     'write for example ["numpy==1.26.4"]'),
    ('["mine==1.10"]', "[]", 18, "releases[1].requirements", "nothing to install", "name at least the library itself"),
    ('version = "1.0"', 'version = "1.0"\ncommit = "abc"', 9, "releases[0].commit",
     "'abc' is no commit of 40 hexadecimal digits", "write for example"),
    ('version = "1.0"', f'version = "1.0"\ncommit = "{COMMIT}"', 1, "repository", "missing; expected a web address",
     "write for example repository ="),
    ('version = "1.0"', 'version = "1.0"\npaths = ["a"]', 9, "releases[0].paths", "without a commit to take them from",
     "add commit, or remove paths"),
    ('version = "1.0"', 'version = "1.0"\npaper = "yes"', 9, "releases[0].paper", "expected true or false, got 'yes'",
     "write for example true"),
    ('python = ">=3.8"', 'python = ">=3.8"\npaper = true', 19, "releases[1].paper",
     "a second release of the paper, after releases[0]", "mark one with paper = true"),
    ('version = "1.0"', 'version = "1.0"\ndate = "June 2021"', 9, "releases[0].date", "'June 2021' is no date",
     'write for example "2021-06-30"'),
    ('version = "1.0"', 'version = "1.0"\ndate = "2021-02-30"', 9, "releases[0].date", "'2021-02-30' is no date", ""),
    ('version = "1.0"', 'version = "1.0"\ndate = 2021-06-30', 9, "releases[0].date", "expected a date, got 2021-06-30",
     'write for example "2021-06-30"'),
    ('version = "1.0"', 'version = "1.0"\nadapter = "old"', 9, "releases[0].adapter",
     "there is no old.py beside library.toml", "it holds SUBJECTS and version()"),
    ('version = "1.0"', 'version = "1.0"\nadapter = "old.py"', 9, "releases[0].adapter", "'old.py' is no module's name",
     'write for example "adapter_old"'),
    ('version = "1.0"', 'version = "1.0"\nsubjects = ["mrr"]', 9, "releases[0].subjects[0]",
     "'mrr' is none of the [subjects] of this file", "write one of precision, recall[raw], or add [subjects.mrr]"),
    ('version = "1.0"', 'version = "1.0"\nsubjects = ["precision", "precision"]', 9, "releases[0].subjects",
     "'precision' is named twice", "name it once"),
    ('python = ">=3.8"', 'python = ">=3.8"\nsubjects = ["precision"]', 28, "subjects.recall[raw]", "no release has it",
     "add it to the subjects of a release, or remove it"),
    ('metric = "recall"', 'metric = "recal"', 27, "subjects.recall[raw].metric", "'recal' is no metric",
     f"write recall, or another one of hit_rate, {LONG}"),
    ('metric = "recall"', 'metric = "Serenity"', 27, "subjects.recall[raw].metric", "'Serenity' is no metric", "write"),
    ('metric = "recall"\n', "", 26, "subjects.recall[raw].metric", "missing; expected a metric", 'metric = "ndcg"'),
    ('needs = ["scores"]', 'needs = ["score"]', 28, "subjects.recall[raw].needs[0]", "'score' is no need",
     "write scores, or another one of candidate_scores, scores, train, one_relevant, distinct_scores, "
     "list_of_k, binary_labels, small_grades, compiled, features, categories, train_vectors, ratings, probabilities"),
    ('needs = ["scores"]', 'needs = "scores"', 28, "subjects.recall[raw].needs", "expected a list of texts, got",
     'write for example ["candidate_scores"]'),
    ('claim = "Hits over k."', "", 20, "subjects.precision.claim", "missing; expected a text", "write for"),
    ('"precision(divide_by=k)"', '"precision(divide_by=n)"', 23, "subjects.precision.claims",
     "'precision(divide_by=n)' is no variant: ", 'write for example "precision(divide_by=k)"'),
    ('address = "https://example.org/recall"', 'address = "recall"', 30, "subjects.recall[raw].address",
     "expected a web address, got 'recall'", "https://example.org/docs/precision"),
    ('metric = "recall"', 'metric = "recall"\nformerly = "recal_"', 28, "subjects.recall[raw].formerly",
     "'recal_' is no other of the [subjects] of this file", "write the name of another one: precision"),
    ('address = "https://example.org/recall"',
     'address = "https://example.org/recall"\n[feeding]\nevaluator = "run"\n[feeding.not_run]\nF1 = "no"',
     34, "feeding.not_run.F1", "'F1' is none of the [subjects] of this file", "write one of precision, recall[raw]"),
    ('address = "https://example.org/recall"', 'address = "https://example.org/recall"\n[feeding]\nnot_run = {}', 31,
     "feeding.evaluator", "missing; expected a text", "write for example evaluator ="),
    ('address = "https://example.org/recall"',
     'address = "https://example.org/recall"\n[feeding]\nevaluator = "run"\nno_evaluator = "none"',
     32, "feeding.evaluator", "no_evaluator says that there is none to run", "remove it here"),
    ('[subjects.precision]\nmetric = "precision"', '[subjects]\nprecision = "precision"', 21, "subjects.precision",
     "expected a table [subjects.NAME], got 'precision'", "add a table [subjects.NAME]"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "key", "what", "remedy"), MISTAKES_OF_PAGES)
def test_a_mistake_in_library_toml(tmp_path: Path, old, new, line, key, what, remedy) -> None:
    folder = written(tmp_path / "mine", replaced(PAGE, old, new))
    with pytest.raises(LibraryError) as error:
        read_library(folder)
    at = [mistake for mistake in error.value.mistakes if mistake.where == key]
    assert [(mistake.line, mistake.file) for mistake in at] == [(line, folder / "library.toml")], error.value
    assert at[0].what.startswith(what)
    assert remedy in at[0].remedy
    assert str(at[0]).startswith(f"{folder / 'library.toml'}:{line}: ")


def test_a_folder_that_cannot_name_a_library(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match=r"my-lib: 'my-lib' cannot name a library; rename the folder"):
        read_library(written(tmp_path / "my-lib"))


def test_a_page_that_is_no_utf8(tmp_path: Path) -> None:
    folder = written(tmp_path / "mine")
    (folder / "library.toml").write_bytes(PAGE.encode().replace(b"A library.", b"\xff"))
    with pytest.raises(LibraryError, match=r"library\.toml:5: not UTF-8: .*; save the file as UTF-8"):
        read_library(folder)


def test_the_schema_and_the_registry_name_the_same_metrics() -> None:
    Draft202012Validator.check_schema(library_schema())
    assert library_schema()["$defs"]["subject"]["properties"]["metric"]["enum"] == list(METRICS)


def test_every_property_of_the_schema_is_described() -> None:
    schema = library_schema()
    tables = [schema, *schema["$defs"].values()]
    for name, entry in (pair for table in tables for pair in table["properties"].items()):
        assert entry["title"], name
        assert entry["description"].endswith("."), name
        assert entry.get("examples") or name in ("releases", "subjects"), name


def test_the_projects_own_libraries_fit_the_schema() -> None:
    validator = Draft202012Validator(library_schema())
    for folder in library_folders(own_folders()):
        validator.validate(tomllib.loads((folder / "library.toml").read_text(encoding="utf-8")))


def test_lines_of_a_text_with_every_form_of_toml() -> None:
    array = '[\n  "x", # y\n\n  "z"]'
    text = f'a.b = 1\nc = {{ d = [1, 2] }}\n[[e]]\nf = """\n[g]\n"""\n[[e]]\n[e.h]\ni = {array}\n["j.k".l]\n'
    lines = lines_of(text)
    inside = ("e", 1, "h", "i")
    paths = [("a", "b"), ("c", "d", 1), ("e", 0, "f"), ("e", 1), (*inside, 0), (*inside, 1), ("j.k", "l")]
    assert [lines[path] for path in paths] == [1, 2, 4, 7, 10, 12, 13]
    assert "g" not in {path[0] for path in lines if path}
    assert nearest_line(lines, ("e", 0, "nowhere")) == 3


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    os.mkfifo(tmp_path / "mine" / "library.toml")
    _, (mistake,) = read_page(tmp_path / "mine")
    assert "no regular file" in str(mistake)
