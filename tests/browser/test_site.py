"""The site in a browser: each question takes at most two clicks, and every kind of page is for everyone."""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path
from typing import Any

import pytest

from metric_harness.site.index import gather
from metric_reference.signatures.methods import sentence
from metric_reference.signatures.read import parse
from metric_reports.site.pages import site
from metric_reports.site.write import write_site
from tests.browser.conftest import Visit
from tests.support.command import run

pytestmark = pytest.mark.slow

FIRST = 5
"""Results among which a search shows what is meant."""
LONGEST = 60.0
"""Seconds of one processor that making the site of all libraries may take."""
KINDS = (
    "index.html",
    "metrics/index.html",
    "metrics/average_precision.html",
    "metrics/ndcg.html",
    "libraries/index.html",
    "libraries/recbole.html",
    "libraries/haystack.html",
    "variants/index.html",
    "variants/ndcg-gain-linear.html",
    "rules/index.html",
    "rules/HR001.html",
    "agreement.html",
    "choose.html",
    "pair.html",
    "paper.html",
    "census.html",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of all libraries, and a check of how long it took."""
    out = tmp_path_factory.mktemp("site")
    begin, busy = time.perf_counter(), time.process_time()
    count = write_site(site(gather()), out)
    seconds, busy = time.perf_counter() - begin, time.process_time() - busy
    print(f"{count} files in {seconds:.1f} s, {busy:.1f} s of the processor")
    assert busy < LONGEST
    return out


# The questions, each from the first screen


def test_which_libraries_compute_map_as_recommenders_does(visit: Visit) -> None:
    visit.open()
    page = visit.click("Which libraries compute MAP as Recommenders does?")
    own = page.locator(".who li", has_text=re.compile(r"^Recommenders:\s*map_at_k$"))
    box = page.locator(".definition", has=own)
    assert "AP over min(k, relevant)" in box.locator("h3").inner_text()
    for library in ("RecBole", "RePlay", "XGBoost"):
        assert box.get_by_role("link", name=library, exact=True).is_visible()
    assert not box.get_by_role("link", name="DaisyRec", exact=True).count()


def test_which_library_computes_the_ndcg_of_trec_eval(visit: Visit) -> None:
    visit.open()
    page = visit.click("Which library computes trec_eval's NDCG?")
    who = page.locator("section", has=page.locator("#computed"))
    assert who.get_by_text("pytrec_eval").first.is_visible()
    assert who.get_by_text("scikit-learn").first.is_visible()
    assert page.locator("#names").is_visible()
    assert "ndcg_cut.k" in page.locator("main").inner_text()


def test_what_to_write_so_that_ndcg_can_be_reproduced(visit: Visit) -> None:
    visit.open()
    page = visit.click("What do I write in my paper so that a reader can reproduce NDCG@20?")
    page.wait_for_function("document.getElementById('short').textContent.includes('#')")
    assert page.locator("#short").inner_text() == "ndcg@20|mh:1.0#8ea24154"
    assert page.locator("#sentence").inner_text() == sentence(parse("ndcg@20|mh:1.0#8ea24154"))
    assert page.locator("#computed").get_by_text("RecBole NDCG").is_visible()


def test_how_to_turn_one_map_into_another(visit: Visit) -> None:
    visit.open()
    page = visit.click("How do I turn library A's MAP into B's, and where do they part?")
    for select, name in (("#a", "Recommenders [\\d.]+: map"), ("#b", "RecBole [\\d.]+: MAP")):
        options = page.locator(f"{select} option").all_inner_texts()
        page.locator(select).select_option(label=next(text for text in options if re.fullmatch(name, text)))
    assert page.locator("#verdict").inner_text() == "They compute different definitions"
    assert page.locator("#parts").get_by_role("link", name="AP over min(k, relevant)").is_visible()
    assert page.locator("#case .item.hit").count()
    assert "A returned" in page.locator("#case").inner_text()
    command = shlex.split(page.locator("#a-to-b").inner_text().replace("VALUE", "0.1"))
    ended = run(*command[1:])
    assert (command[0], ended.returncode, ended.stderr) == ("metric-harness", 0, "")
    assert "Assumed: full lists" in ended.stdout


def test_what_recbole_does_with_a_user_without_relevant_items(visit: Visit) -> None:
    visit.open()
    page = visit.click("What does RecBole's NDCG do with a user without relevant items?")
    row = page.locator("section", has=page.locator("#edges")).locator("tbody tr", has_text="RecBole").first
    assert row.locator("td").nth(1).inner_text() == "zero"
    heads = page.locator("section", has=page.locator("#edges")).locator("thead th").all_inner_texts()
    assert heads[2].startswith("a user with nothing relevant")


def test_why_one_hit_rate_is_above_1(visit: Visit) -> None:
    visit.open()
    page = visit.click("Why is one hit rate above 1?")
    text = page.locator("main").inner_text()
    assert "The value is the mean number of hits, so it passes 1" in text
    assert page.get_by_role("link", name="MaurizioFD/RecSys2019_DeepLearning_Evaluation#19").is_visible()
    assert page.locator("main").get_by_role("link", name="DL RS Evaluation HIT_RATE").is_visible()


def test_how_two_libraries_differ_per_user_and_whether_it_changes_the_winner(visit: Visit) -> None:
    visit.open()
    page = visit.click("How do two libraries differ per user, and does it change which model wins?")
    assert page.locator("#data").is_visible()
    command = shlex.split(page.locator("#compare").inner_text())
    assert command[:3] == ["metric-harness", "compare", "--libraries"]
    ended = run(*command[1:], "--dry-run", "--out", str(visit.folder / "unused"))
    assert ended.returncode == 0, ended.stderr


# What every page is


@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (390, "dark")])
def test_every_kind_of_page_is_accessible_and_fits(browser: Any, folder: Path, width: int, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    visit = Visit(context.new_page(), folder)
    told = []
    for path in KINDS:
        page = visit.open(path)
        page.wait_for_timeout(100)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            told.append(f"{path}: wider than the window")
        results = axe.Axe().run(page).response
        assert len(results["passes"]) > 15
        for broken in results["violations"]:
            told += [f"{path}: {broken['id']}: {node['html'][:160]}" for node in broken["nodes"][:3]]
    context.close()
    assert not told, "\n".join(told)


@pytest.mark.parametrize("path", KINDS)
def test_every_kind_of_page_is_quiet(visit: Visit, path: str) -> None:
    page = visit.open(path)
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    page.wait_for_timeout(100)  # what it does by then, the fixture sees
    assert page.title().endswith(" · metric-harness")


def test_search_by_keyboard(visit: Visit) -> None:
    page = visit.open()
    page.keyboard.press("/")
    page.keyboard.type("map_at_k recommenders")
    page.locator("#found a").first.wait_for()
    assert " found" in page.locator("#found [role=status]").inner_text()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/libraries/recommenders.html#*")
    assert page.locator(":target h3").inner_text() == "map_at_k"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("ndcg@20", "NDCG: who computes what"),
        ("mean average precision", "MAP: who computes what"),
        ("trec_eval map_cut", "AP over all relevant"),
        ("hit rate counts", "HR001: hit rate counts hits"),
        ("recbole", "RecBole"),
        ("hit rate above 1", "HR001: hit rate counts hits"),
        ("sklearn ndcg ties", "scikit-learn ndcg_score"),
        ("mean reciprocal rank ragas", "MRR: who computes what"),
        ("averge precison", "MAP: who computes what"),
    ],
)
def test_search_finds(visit: Visit, asked: str, found: str) -> None:
    page = visit.open("rules/AP001.html")
    page.locator("#search").fill(asked)
    page.locator("#found a").first.wait_for()
    titles = page.locator("#found a").evaluate_all("links => links.map((link) => link.firstChild.textContent)")
    assert found in titles[:FIRST]


def test_search_for_nothing_says_so(visit: Visit) -> None:
    page = visit.open()
    page.locator("#search").fill("<img src=x>")
    page.wait_for_function("!document.getElementById('found').hidden")
    assert page.locator("#found [role=status]").inner_text() == "Nothing found"


def test_copy_buttons_work_by_keyboard_and_without_a_network(visit: Visit) -> None:
    page = visit.open("variants/ndcg-gain-binary.html")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    button = page.locator("button[data-copy=short]")
    assert button.inner_text().split() == ["Copy", "the", "short", "signature"]
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("/Copied|Selected/.test(document.querySelector('[data-copy=short]').textContent)")
    assert page.evaluate("getSelection().toString()") == page.locator("#short").inner_text()


def test_the_words_of_the_chooser_are_those_of_cite(visit: Visit) -> None:
    for answers in (
        "metric=average_precision&k=7&divide_by=hits&sum_over=hits&cut=none&who=trec_eval&rel=4",
        "metric=hit_rate&k=10&value=hits&who=lists",
        "metric=auc&k=5&scope=stacked&ties=win&who=all",
        "metric=ndcg&k=20&gain=exponential&ideal=relevant&discount=max_log2&cut=k&who=",
        "metric=recall&k=3&divide_by=min_k_relevant&cut=k&who=all&rel=3.5",
    ):
        visit.page.goto("about:blank")
        page = visit.open(f"choose.html#{answers}")
        page.wait_for_function("document.getElementById('short').textContent.includes('#')")
        full = page.locator("#full").inner_text()
        signature = parse(full)
        assert str(signature) == full
        assert page.locator("#short").inner_text() == signature.short()
        assert page.locator("#sentence").inner_text() == sentence(signature)


def test_the_address_holds_the_answers(visit: Visit) -> None:
    page = visit.open("choose.html")
    page.locator("select[name=metric]").select_option("average_precision")
    page.locator("select[name=divide_by]").select_option("hits")
    address = page.evaluate("location.href")
    page.goto("about:blank")
    page.goto(address)
    assert page.locator("#chosen").inner_text() == "AP over the hits"


def test_the_address_of_a_pair_shows_it_again(visit: Visit) -> None:
    page = visit.open("pair.html")
    page.locator("#metric").select_option("ndcg")
    page.locator("#k").fill("5")
    address, verdict = page.evaluate("location.href"), page.locator("#parts").inner_text()
    page.goto("about:blank")
    page.goto(address)
    assert page.locator("#parts").inner_text() == verdict
    assert "ndcg@5|" in page.locator("#a-to-b").inner_text()


def test_every_pair_of_a_metric_can_be_shown(visit: Visit) -> None:
    page = visit.open("pair.html")
    shown = page.evaluate(
        """() => {
          const a = document.getElementById('a'), b = document.getElementById('b');
          const said = new Set();
          for (const one of a.options) for (const other of [...b.options].slice(0, 12)) {
            a.value = one.value; b.value = other.value;
            b.dispatchEvent(new Event('input', {bubbles: true}));
            said.add(document.getElementById('verdict').textContent);
          }
          return [...said];
        }"""
    )
    assert len(shown) == 3


def test_tables_sort(visit: Visit) -> None:
    page = visit.open("metrics/index.html")
    page.get_by_role("button", name="agreement").click()
    page.get_by_role("button", name="agreement").click()
    shares = [
        float(text.split()[0]) for text in page.locator("tbody tr td:last-child").all_inner_texts() if "%" in text
    ]
    assert shares == sorted(shares, reverse=True)
    assert page.locator("th[aria-sort=descending]").count() == 1


def test_without_scripts_the_facts_are_there(browser: Any, folder: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = Visit(context.new_page(), folder).open("pair.html")
    assert page.locator("noscript p").is_visible()
    page.goto((folder / "metrics" / "ndcg.html").as_uri())
    assert page.locator("#edges").is_visible()
    context.close()
