"""`metric-harness check`: planted mistakes in library.toml and adapter.py, each named with file, line and remedy."""

import json
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from metric_harness.checking.folder import check_folder
from metric_harness.libraries.describe import find_libraries, find_usable, library_folders, own_folders, read_library
from metric_harness.libraries.mistake import LibraryError
from metric_harness.libraries.schema import library_schema
from metric_harness.libraries.toml_lines import lines_of, nearest_line
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reference.variant import METRICS
from tests.support.command import run
from tests.support.places import SUPPORT

PAGE = """\
name = "Mine"
distribution = "mine"
homepage = "https://example.org"
licence = "MIT"
summary = "A library."

[[releases]]
version = "1.0"
python = ">=3.8"
requirements = [
    "numpy>=1.23",
    "mine==1.0",
]

[[releases]]
version = "1.10"
python = ">=3.8"
requirements = ["mine==1.10"]

[subjects.precision]
metric = "precision"
claim = "Hits over k."
claims = "precision(divide_by=k)"
address = "https://example.org/precision"

[subjects."recall[raw]"]
metric = "recall"
needs = ["scores"]
claim = "Hits over relevant items."
address = "https://example.org/recall"
"""

ADAPTER = """\
import numpy as np
from metric_adapters.subject import Answer, Subject


def hits(case, k):
    return np.array([len(set(case.list_of(u, k)) & set(case.relevant_of(u))) for u in range(case.users)], dtype=float)


def precision(case, k):
    values = hits(case, k) / k
    return Answer(values.mean(), np.arange(case.users), values)


def recall(case, k):
    relevant = np.array([len(case.relevant_of(u)) for u in range(case.users)])
    return Answer(float(np.mean(hits(case, k)[relevant > 0] / relevant[relevant > 0])))


def version():
    return "1.10"


SUBJECTS = {
    "precision": Subject(precision, precision),
    "recall[raw]": Subject(recall),
}
"""

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
     "compiled, features, categories, train_vectors, ratings, probabilities"),
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

MISTAKES_OF_ADAPTERS = [
    # what is replaced, by what, the line, the check, what is wrong, the remedy
    ("def version():", "def version()", 19, "adapter.py", "not Python: expected ':'", "mend this line"),
    ("SUBJECTS = {", "FUNCTIONS = {", 1, "adapter.py", "SUBJECTS: missing", '{"NAME": Subject(ask, function)}'),
    ("def version():", "def release():", 1, "adapter.py", "version: missing", "write def version() -> str"),
    ("import numpy as np", "import numpy as np, metric_harness.version", 1, "adapter.py",
     "imports metric_harness.version, which is not in the library's environment", "import from metric_adapters"),
    ("import numpy as np", "from .names import x\nimport numpy as np", 1, "start",
     "No module named 'metric_library.names'", "write the name of a file of this folder"),
    ("import numpy as np", "import numpy as np\nfrom helper import x", 2, "start", "No module named 'helper'",
     "write from .helper import"),
    ("import numpy as np", "import numpy as np\nnp.no_such_name", 2, "start", "AttributeError", "mend this line"),
    ("import numpy as np", "import os\nos._exit(3)\nimport numpy as np", 1, "start", "it does not start: ",
     "import only the files that hold the metrics"),
    ('return "1.10"', "return 1.10", 19, "start", "version() returns 1.1, not a text", "write def version() -> str"),
    ('return "1.10"', "return missing", 20, "start", "NameError: name 'missing'", "mend this line"),
    ("Subject(recall),\n}", "Subject(recall),\n}\nSUBJECTS = list(SUBJECTS)", 27, "start",
     "SUBJECTS is a list, not a dict", "write SUBJECTS = {"),
    ("Subject(recall)", "recall", 25, "start", "SUBJECTS['recall[raw]'] is a function, not a Subject",
     "Subject(ask, function), with ask(case, k)"),
    ('    "recall[raw]": Subject(recall),\n', "", 23, "subjects",
     "'recall[raw]' is in library.toml and not in SUBJECTS", "add it to SUBJECTS"),
    ('"recall[raw]":', '"mrr": Subject(recall),\n    "recall[raw]":', 25, "subjects",
     "'mrr' is in SUBJECTS and not in library.toml", 'add [subjects."mrr"] to library.toml'),
    ("return Answer(values.mean(), np.arange(case.users), values)", "return values.mean()", 9, "precision",
     "it returns float64, not an Answer", "return Answer(value), or Answer(value, users, values)"),
    ("Answer(values.mean(),", "Answer(values,", 9, "precision", "the value is a ndarray, not a number",
     "return the library's own mean as a float"),
    ("Answer(values.mean(),", "Answer(None,", 9, "precision", "the value is NoneType, not a number", "as a float"),
    ("Answer(values.mean(),", "Answer('0.5',", 9, "precision", "the value is a str, not a number: '0.5'", "as a float"),
    ("np.arange(case.users), values)", "np.arange(case.users))", 9, "precision", "users without values", "Answer("),
    ("np.arange(case.users), values)", "None, values)", 9, "precision", "values without users", "return Answer"),
    ("np.arange(case.users), values)", "np.arange(case.users + 1), values)", 9, "precision",
     "users have the shape (2,), their values (1,)", "give one value for each user"),
    ("np.arange(case.users), values)", "1 + np.arange(case.users), values)", 9, "precision",
     "user 1 is none of the case's users, 0 to 0", "give the row numbers of the case, not ids"),
    ("np.arange(case.users), values)", "np.zeros(case.users, int), values)", 9, "precision", "user 0 has two values",
     "give one value for each user"),
    ("np.arange(case.users), values)", "np.arange(case.users) / 1, values)", 9, "precision",
     "users are float64, not integers", "as int64"),
    ("    values = hits", "    case.recommended[0] = 0\n    values = hits", 9, "precision",
     "it changes its input: case.recommended", "hand over a copy"),
    ("    values = hits", "    case.missing\n    values = hits", 10, "precision",
     "it gives no number for any of 6 probes: AttributeError", "hand the function the input that it takes"),
    ("    values = hits", "    import os; os._exit(5)\n    values = hits", 25, "precision",
     "no answer to the probe plain: ", "a function answers a probe within 60 s"),
]  # fmt: skip


def written(folder: Path, page: str = PAGE, adapter: str = ADAPTER) -> Path:
    folder.mkdir(parents=True)
    (folder / "library.toml").write_text(page, encoding="utf-8")
    (folder / "adapter.py").write_text(adapter, encoding="utf-8")
    return folder


def checked(folder: Path, version: str | None = None, environment: str = "current"):
    return check_folder(folder, environment, version, {}, Reporter())


def replaced(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def test_a_folder_without_mistakes(tmp_path: Path) -> None:
    result = checked(written(tmp_path / "mine"))
    assert [(one.check, one.status) for one in result.outcomes] == [
        (name, "ok") for name in ("library.toml", "adapter.py", "start", "subjects", "precision", "recall[raw]")
    ]
    assert (result.release, result.exit_code()) == ("1.10", 0)


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


@pytest.mark.thorough
@pytest.mark.parametrize(("old", "new", "line", "check", "what", "remedy"), MISTAKES_OF_ADAPTERS)
def test_a_mistake_in_an_adapter(tmp_path: Path, old, new, line, check, what, remedy) -> None:
    adapter = replaced(ADAPTER, old, new)
    folder = written(tmp_path / "mine", adapter=adapter)
    if "helper" in new:
        (folder / "helper.py").write_text("x = 1\n")
    result = checked(folder)
    found = [one for one in result.outcomes if one.status == "finding"]
    assert [(one.check, one.mistake.file, one.mistake.line) for one in found] == [(check, folder / "adapter.py", line)]
    assert what in found[0].text
    assert remedy in found[0].mistake.remedy
    assert result.exit_code() == 1


def test_every_mistake_is_named_at_once(tmp_path: Path) -> None:
    page = PAGE.replace('"mine==1.0"', '"mine=1.0"').replace('metric = "recall"', 'metric = "recal"')
    result = checked(written(tmp_path / "mine", page, "import metric_reports\n"))
    assert [(one.check, one.mistake and one.mistake.line) for one in result.outcomes] == [
        ("library.toml", 12), ("library.toml", 27), ("adapter.py", 1), ("adapter.py", 1), ("adapter.py", 1),
        ("functions", None),
    ]  # fmt: skip


def test_a_folder_that_cannot_name_a_library(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match=r"my-lib: 'my-lib' cannot name a library; rename the folder"):
        read_library(written(tmp_path / "my-lib"))


def test_a_page_that_is_no_utf8(tmp_path: Path) -> None:
    folder = written(tmp_path / "mine")
    (folder / "library.toml").write_bytes(PAGE.encode().replace(b"A library.", b"\xff"))
    with pytest.raises(LibraryError, match=r"library\.toml:5: not UTF-8: .*; save the file as UTF-8"):
        read_library(folder)


def test_what_cannot_run_here_is_no_mistake(tmp_path: Path) -> None:
    folder = written(tmp_path / "mine", adapter="import a_library_that_is_not_here\n" + ADAPTER)
    result = checked(folder)
    assert (result.outcomes[-1].status, result.exit_code()) == ("cannot_run", 2)
    assert "adapter.py:1: a_library_that_is_not_here is not installed in" in result.outcomes[-1].text
    result = checked(folder, "3.0")
    assert (result.outcomes[-1].text.split(";")[0], result.exit_code()) == ("mine: no release '3.0'", 2)


def test_an_exception_on_some_probes_is_an_answer(tmp_path: Path) -> None:
    adapter = ADAPTER.replace("    return Answer(float", RAISES + "    return Answer(float")
    result = checked(written(tmp_path / "mine", adapter=adapter))
    assert result.exit_code() == 0
    assert result.outcomes[-1].text == "a number for 5 of 6 probes; no_relevant: ValueError: a user without truth"


RAISES = "    if not relevant.all():\n        raise ValueError('a user without truth')\n"


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


def test_a_bad_folder_is_set_aside(tmp_path: Path) -> None:
    written(tmp_path / "mine")
    written(tmp_path / "bad_page", PAGE.replace("Hits over k.", ""))
    written(tmp_path / "bad_adapter", adapter="SUBJECTS = {}")
    libraries, broken = find_usable([tmp_path])
    assert "mine" in libraries
    assert {key: error.mistakes[0].line for key, error in broken.items()} == {"bad_page": 22, "bad_adapter": 1}
    with pytest.raises(HarnessError, match=r"bad_page.library\.toml:22: "):
        find_libraries([tmp_path])


def test_a_mistake_in_the_projects_own_folder_is_raised(tmp_path: Path, monkeypatch) -> None:
    written(tmp_path / "own" / "mine", PAGE.replace("Hits over k.", ""))
    monkeypatch.setattr("metric_harness.libraries.describe.own_folders", lambda: tmp_path / "own")
    with pytest.raises(HarnessError, match=r"library\.toml:22: subjects\.precision\.claim: empty"):
        find_usable([])


def test_a_folder_inside_an_installed_package(tmp_path: Path) -> None:
    """It is loaded by path: the package around it is not imported, and its files import one another relatively."""
    package = tmp_path / "site-packages" / "mine_package"
    folder = written(
        package / "adapters" / "mine", adapter="from .functions import *\nfrom .functions import SUBJECTS\n"
    )
    (folder / "functions.py").write_text(ADAPTER)
    for place in (package, package / "adapters", folder):
        (place / "__init__.py").write_text("raise ImportError('imported')\n")
    result = checked(folder)
    assert result.exit_code() == 0, result.outcomes
    assert find_usable([package / "adapters"])[0]["mine"].folder == folder.resolve()


def test_the_command_prints_a_line_for_each_check(tmp_path: Path) -> None:
    good, bad = written(tmp_path / "all" / "good"), written(tmp_path / "all" / "bad", PAGE.replace('"MIT"', "3"))
    done = run("check", str(tmp_path / "all"), "--environment", "current", "--json", str(tmp_path / "check.json"))
    assert done.returncode == 1, done.stderr
    assert f"finding     {bad / 'library.toml'}:4: licence: expected a text, got 3; write for example" in done.stdout
    assert "ok          precision: a number for 6 of 6 probes" in done.stdout
    assert "good 1.10: 6 ok" in done.stdout
    folders = {one["library"]: one for one in json.loads((tmp_path / "check.json").read_text())["folders"]}
    assert folders["good"]["exit_code"] == 0
    assert folders["bad"]["checks"][0] == {
        "check": "library.toml",
        "status": "finding",
        "text": f'{bad / "library.toml"}:4: licence: expected a text, got 3; write for example "MIT"',
        "file": str(bad / "library.toml"),
        "line": 4,
        "where": "licence",
        "what": "expected a text, got 3",
        "remedy": 'write for example "MIT"',
    }
    assert run("check", str(good), "--environment", "current", "--release", "7").returncode == 2
    assert run("check", str(tmp_path)).returncode == 2


@pytest.mark.slow
def test_compare_goes_on_beside_a_bad_folder(tmp_path: Path) -> None:
    written(tmp_path / "bad", PAGE.replace('claim = "Hits over k."', "claim = 3"))
    (tmp_path / "pred.csv").write_text("user_id,item_id,score\n1,10,0.9\n1,11,0.8\n2,10,0.7\n2,12,0.6\n")
    (tmp_path / "test.csv").write_text("user_id,item_id\n1,11\n2,10\n")
    lists = ["--recommendations", str(tmp_path / "pred.csv"), "--truth", str(tmp_path / "test.csv"), "--k", "2"]
    folders = ["--adapters", str(tmp_path / "bad"), "--adapters", str(SUPPORT / "planted")]
    common = ["compare", "--environment", "current", *lists, *folders, "--out", str(tmp_path / "out")]
    done = run(*common, "--libraries", "bad,planted")
    assert done.returncode == 0, done.stderr
    file = tmp_path / "bad" / "library.toml"
    said = f"{file}:22: subjects.precision.claim: expected a text, got 3; write for example"
    assert f"bad: not available: its folder has mistakes\n{said}" in done.stderr
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    rows = {row["name"]: row for row in record["libraries"]}
    assert (rows["bad"]["status"], rows["planted"]["status"]) == ("not_available", "ran")
    assert rows["bad"]["reason"].startswith(said)
    cells = {(cell["function"], cell["status"]) for cell in record["cells"] if cell["library"] == "bad"}
    assert cells == {("precision", "not_available"), ("recall[raw]", "not_available")}
    assert said in (tmp_path / "out" / "report.html").read_text().replace("&#34;", '"')
    done = run(*common, "--libraries", "bad")
    assert done.returncode == 2
    assert "no library is left; mend these mistakes" in done.stderr


@pytest.mark.slow
def test_the_other_commands_go_on_beside_a_bad_folder(tmp_path: Path) -> None:
    file = written(tmp_path / "bad", PAGE.replace('claim = "Hits over k."', "claim = 3")) / "library.toml"
    said = f"{file}:22: subjects.precision.claim: expected a text, got 3; write for example"
    folders = ["--adapters", str(tmp_path / "bad"), "--adapters", str(SUPPORT / "planted")]
    listed = run("libraries", "--json", *folders)
    assert listed.returncode == 0
    assert said in listed.stderr
    assert {"planted", "recbole"} < {row["library"] for row in json.loads(listed.stdout)} - {"bad"}
    mine = written(tmp_path / "mine")
    folders = ["--adapters", str(tmp_path), "--environment", "current", "--quiet"]
    for words in (["audit", "bad:precision"], ["audit", "mine:precision", "--compare", "bad:precision"]):
        done = run(*words, *folders)
        assert done.returncode == 2
        assert said in done.stderr
    assert run("audit", "mine:precision", *folders).returncode < 2
    done = run("record", "bad,mine", *folders)
    assert done.returncode == 2
    assert f"not recorded:\n{said}" in done.stderr
    assert list((mine / "recordings").glob("*.json"))
