"""What the documentation says is so: pages made from data, places in the code, messages, dependencies."""

from __future__ import annotations

import importlib.util
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from typer.testing import CliRunner

from metric_harness.cli.app import app
from metric_harness.libraries.describe import find_libraries
from metric_harness.system.errors import HarnessError
from tests.support.places import ROOT

DOCS = ROOT / "docs"
LARGEST_PICTURE = 200_000
LONGEST_README = 100


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", text_of(name))


def generator():
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS)  # the package of the page makers lies beside it, as for python docs/generate.py
        spec.loader.exec_module(module)
    return module


GENERATE = generator()


@pytest.mark.thorough
@pytest.mark.parametrize("name", GENERATE.PAGES)
def test_a_generated_page_is_current(name):
    """Made by: python docs/generate.py."""
    ((path, text),) = GENERATE.pages([name])
    assert path.read_text(encoding="utf-8") == text


# README


def test_the_readme_is_short_and_has_one_picture():
    readme = text_of("README.md")
    assert len(readme.splitlines()) <= LONGEST_README
    (picture,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", readme)
    assert (ROOT / picture).stat().st_size < LARGEST_PICTURE


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_lead_to_files(name):
    linked = re.findall(r"\]\(([^)#]+)\)", text_of(name))
    assert not [path for path in linked if "://" not in path and not (ROOT / path).exists()]


# Architecture


PLACES = re.findall(r"(?m)^\| ([^|]+\?) \| `([^`]+)` \| (?:`([^|]+)` )?\|$", text_of("docs/architecture.md"))


def test_the_architecture_answers_its_questions():
    assert len(PLACES) == 21


@pytest.mark.parametrize(("question", "path", "line"), PLACES)
def test_an_answer_is_a_line_of_the_file(question, path, line):
    assert (ROOT / path).exists()
    if line:
        assert text_of(path).count(line) == 1


def test_every_package_of_the_harness_has_a_line():
    packages = {path.parent.name for path in (ROOT / "harness/metric_harness").glob("*/__init__.py")}
    _, _, rest = text_of("docs/architecture.md").partition("package of `metric_harness`")
    table, _, _ = rest.partition("\n\n")
    assert packages == set(re.findall(r"`(\w+)`", table))


def test_the_files_on_the_journey_exist():
    journey = text_of("docs/architecture.md").partition("## The journey")[2].partition("## Where")[0]
    named = re.findall(r"`([\w/]+/\w+\.(?:py|toml))`", journey)
    roots = (ROOT, ROOT / "harness/metric_harness")
    assert named
    assert not [path for path in named if not any((root / path).is_file() for root in roots)]


# Dependencies


def test_every_dependency_has_a_line():
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    required = {Requirement(line).name for line in project["dependencies"]}
    page = text_of("docs/dependencies.md").partition("Optional:")[0]
    assert set(re.findall(r"(?m)^\| ([a-z0-9-]+) \| \w", page)) - {"package"} == required


# Scan


@pytest.mark.slow
def test_the_scans_shown_are_what_comes(tmp_path, monkeypatch):
    shop = shutil.copytree(ROOT / "tests/support/scanned/shop", tmp_path / "src/shop")
    shutil.rmtree(shop / "__pycache__", ignore_errors=True)
    monkeypatch.chdir(tmp_path)

    def scanned(*arguments):
        return CliRunner().invoke(app, ["scan", *arguments, "-y", "-q", "--out", str(tmp_path / "out")]).stdout

    shown = re.findall(r"(?ms)^```\n(.*?)^```$", text_of("docs/scan.md"))
    assert scanned("src/shop", "--exclude", "broken") in shown
    assert "".join(re.findall(r"(?ms)^2 functions .*?nobody-has\.\n", scanned("src/shop/broken/missing.py"))) in shown
    (listed,) = [each for each in shown if each.startswith("src/shop: 7 files")]
    lines = scanned("src/shop", "--list").splitlines()
    assert [line for line in listed.splitlines() if line != "..." and line not in lines] == []


# Add a metric, add a library


def test_the_metric_shown_is_the_metric():
    assert text_of("reference/metric_reference/metrics/ranking/hit_rate.py") in blocks("docs/add-a-metric.md", "python")


PAGE = "docs/add-a-library.md"
(TOML, SNIPPET), (ADAPTER,) = blocks(PAGE, "toml"), blocks(PAGE, "python")


def test_the_files_to_copy_are_the_same_in_both_places():
    assert (blocks("CONTRIBUTING.md", "toml"), blocks("CONTRIBUTING.md", "python")) == ([TOML], [ADAPTER])


def test_the_snippet_shown_is_that_of_a_library():
    assert text_of("adapters/ignite/snippet.toml") == SNIPPET


def replaced(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


READ = {
    "The folder is called `scikit-learn`": {"folder": "scikit-learn"},
    "There is no `library.toml`": {"toml": None},
    "There is no `adapter.py`": {"adapter": None},
    "`name = scikit-learn`, without quotes": {"toml": replaced(TOML, '"scikit-learn"', "scikit-learn")},
    "`license` for `licence`": {"toml": replaced(TOML, "licence", "license")},
    "The line `licence` is missing": {"toml": replaced(TOML, 'licence = "BSD-3-Clause"\n', "")},
    '`version = "latest"`': {"toml": replaced(TOML, 'version = "1.7.2"', 'version = "latest"')},
    '`python = "3.11"`': {"toml": replaced(TOML, ">=3.10,<3.14", "3.11")},
    "`numpy=2.2.6`, with one equals sign": {"toml": replaced(TOML, "numpy==", "numpy=")},
    '`claims = "ndcg(gains=linear)"`': {"toml": replaced(TOML, "gain=linear", "gains=linear")},
}
BUILT = {"`scikit-learn==99.0`, which does not exist": {"toml": replaced(TOML, "learn==1.7.2", "learn==99.0")}}
ASKED = {
    "`from sklern import metrics`": {"adapter": replaced(ADAPTER, "sklearn", "sklern")},
    "`FUNCTIONS` for `SUBJECTS`": {"adapter": replaced(ADAPTER, "SUBJECTS", "FUNCTIONS")},
    "`SUBJECTS` offers `ndcg`, not `ndcg_score`": {"adapter": replaced(ADAPTER, '"ndcg_score"', '"ndcg"')},
    "`ndcg` returns the number alone, not an `Answer`": {
        "adapter": replaced(
            ADAPTER, "Answer(metrics.ndcg_score(*matrices(case), k=k))", "metrics.ndcg_score(*matrices(case), k=k)"
        )
    },
}


def shown(change):
    (message,) = re.findall(rf"(?ms)^{re.escape(change)}:\n\n```text\n(.*?)^```$", text_of(PAGE))
    return message


def written(root: Path, toml=TOML, adapter=ADAPTER, folder="scikit_learn") -> Path:
    (root / folder).mkdir(parents=True)
    for name, content in (("library.toml", toml), ("adapter.py", adapter)):
        if content is not None:
            (root / folder / name).write_text(content, encoding="utf-8")
    return root


def audited(root: Path) -> tuple[int, str]:
    """The exit code, and what the command prints with its error, as a terminal shows them."""
    ran = CliRunner().invoke(app, ["audit", "scikit_learn", "--adapters", str(root), "-q"])
    error = f"error: {ran.exception}\n" if isinstance(ran.exception, HarnessError) else ""
    return ran.exit_code, ran.stdout + error


def test_the_page_shows_the_messages_of_all_changes():
    assert len(blocks(PAGE, "text")) == len(READ) + len(BUILT) + len(ASKED)


@pytest.mark.parametrize("change", READ)
def test_a_message_about_library_toml_is_the_one_shown(change, tmp_path):
    root = written(tmp_path / "mine", **READ[change])
    with pytest.raises(HarnessError) as refused:
        find_libraries([root])
    assert f"error: {refused.value}\n".replace(str(root), "DIR") == shown(change)


@pytest.mark.live
def test_the_library_to_copy_is_audited_as_shown(tmp_path):
    ended, printed = audited(written(tmp_path / "mine"))
    assert (ended, f"$ metric-harness audit scikit_learn --adapters mine -q\n{printed}") == (
        0,
        *blocks(PAGE, "console"),
    )


@pytest.mark.live
@pytest.mark.parametrize("change", ASKED)
def test_a_message_about_an_adapter_is_the_one_shown(change, tmp_path):
    root = written(tmp_path / "mine", **ASKED[change])
    _, printed = audited(root)
    assert printed.replace(str(root), "DIR") == shown(change)


@pytest.mark.live
@pytest.mark.parametrize("change", BUILT)
def test_a_message_about_an_environment_is_the_one_shown(change, tmp_path):
    _, printed = audited(written(tmp_path / "mine", **BUILT[change]))
    lines = printed.splitlines()
    assert [line for line in shown(change).splitlines() if line not in lines] == []


def test_an_order_of_equal_scores_that_does_not_hold_at_size_is_not_told() -> None:
    """KerasRS shuffles them: small cases may look like a rule by chance."""
    page = (DOCS / "functions.md").read_text(encoding="utf-8")
    section = page.partition("\n## KerasRS\n")[2].partition("\n## ")[0]
    rows = [row for row in section.splitlines() if " verified" in row]
    assert rows
    assert all("an order of equal scores that follows no rule" in row for row in rows)
