"""What the HTML report tells of a function, a release and a case, from a hand-written record."""

from __future__ import annotations

import re

from metric_reports.formats.latex import render_latex
from metric_reports.formats.markdown import render_markdown
from metric_reports.html.page import render_html
from metric_reports.record import validate
from metric_reports.view.verdict import verdict
from tests.support.page import Page, printed
from tests.support.sample_record import sample_record


def test_the_legend_names_every_variant_of_the_table() -> None:
    page = Page(render_html(sample_record()))
    (legend,) = page.all("dl", class_="legend")
    text = " ".join(legend["text"].split())
    assert "B over all relevant C over the hits D precision summed at every rank, hit or not, over k" in text
    titles = [one["attrs"]["title"] for one in page.all("a", class_="letter") if "div" in one["parents"]]
    shown = {title.rpartition(": ")[2] for title in titles}
    assert shown == {subject["variant"] for subject in sample_record()["subjects"]} - {None}


def test_the_ninth_definition_has_the_colour_of_the_first_and_stripes() -> None:
    record = sample_record()
    first, cell = record["subjects"][0], record["cells"][0]
    names = [f"hit_rate(value={letter})" for letter in "abcdefghi"]
    record["subjects"] = [{**first, "function": name, "variant": name} for name in names]
    record["cells"] = [{**cell, "function": name, "variant": name} for name in names]
    record["findings"] = []
    entries = Page(render_html(validate(record))).all("div", class_="entry")
    classes = [" ".join(entry["attrs"]["class"].split()[1:]) for entry in entries]
    assert sorted(classes) == ["v0", "v0 again", *(f"v{number}" for number in range(1, 8))]


def test_what_a_documentation_claims_is_held_against_what_is_computed() -> None:
    record = sample_record()
    kept, broken, unsaid = record["subjects"][:3]
    kept["claims"], broken["claims"], unsaid["claims"] = kept["variant"], "precision(divide_by=list)", None
    kept["call"] = broken["call"] = "It takes <two> dicts."
    page = Page(render_html(validate(record)))
    assert "✓ that is what it computes" in page.text("p", class_="kept")[0]
    assert (
        "✗ that would be precision over the list's length precision(divide_by=list)"
        in page.text("p", class_="broken")[0]
    )
    assert len(page.all("p", class_="kept") + page.all("p", class_="broken")) == 2
    assert page.text("p", class_="call") == ["Call: It takes <two> dicts.", f"Call: as for {kept['function']}"]


def test_a_release_tells_where_it_comes_from() -> None:
    record = sample_record()
    record["libraries"][-1].update(
        date="2021-03-04", commit="f00", repository="https://github.com/a/b", recorded="2026-11-01", paper=True,
        newest=True, shims=["np.float is put back"],
    )  # fmt: skip
    page = Page(render_html(validate(record)))
    links = [a["attrs"]["href"] for a in page.all("a")]
    assert "https://github.com/a/b/blob/f00/elliot/metrics.py#L99" in links
    section = next(e for e in page.all("details", class_="library") if "Elliot" in e["text"])
    assert "predicted from its recording of 2026-11-01" in section["text"]
    assert "Compatibility patches: np.float is put back" in section["text"]
    assert "Released 2021-03-04, the release that the paper used" in section["text"]
    (row,) = [row for row in page.all("tr") if row["attrs"].get("data-library") == "elliot"]
    assert row["attrs"]["data-kinds"] == "all newest paper"
    assert "recorded 2026-11-01" in row["text"]
    assert [e["attrs"]["value"] for e in page.all("input", name="kind")] == ["all", "newest", "paper"]
    assert Page(render_html(sample_record())).all("input", name="kind") == []


def test_a_case_is_worked_out_below_its_strip() -> None:
    record = sample_record()
    for finding in record["findings"]:
        if finding["code"] == "AP002":
            finding["case"]["arithmetic"] = ["ap(x)@3: 1/1 + 2/3, divided by 7 = 0.238095", "ap@3: mean: <b>"]
    page = Page(render_html(validate(record)))
    (part,) = page.all("details", class_="worked")
    assert "1/1 + 2/3, divided by 7 = 0.238095" in part["text"]
    assert "mean: <b>" in part["text"]


def test_what_was_asked_of_a_sample_or_as_evidence_alone_says_so() -> None:
    record = sample_record()
    gauc, auc = (
        next(i for i, one in enumerate(record["cells"]) if one["function"] == name) for name in ("GAUC", "AUC")
    )
    record["cells"][auc]["asked"] = {"users": 200, "of": 943, "why": "sample"}
    record["subjects"][gauc]["diagnostic"] = True
    page = Page(render_html(validate(record)))
    (sampled,) = page.all("article", id="function-recbole-AUC")
    assert "a sample of 200 of 943 users" in sampled["text"]
    assert "users asked: 200 of 943 (sample)" in page.text("div", class_="fn")
    said = "1 cell was asked about a sample of 200 of 943 users, the same for every library"
    assert said in render_html(record)
    assert said in render_markdown(record)
    (evidence,) = page.all("article", id="function-recbole-GAUC")
    assert "it is not in the tables" in evidence["text"]
    assert len(page.all("div", class_="entry")) == len(record["cells"]) - 1
    titles = [title for title in page.text("title") if "GAUC" in title]
    assert titles == []


def test_families_have_a_line_each_and_other_metrics_a_table_of_their_own() -> None:
    record = sample_record()
    for library in record["libraries"]:
        library["family"] = "ir" if library["name"] == "rs_metrics" else "rec"
    cell = next(one for one in record["cells"] if one["function"] == "AUC" and one["library"] == "recbole")
    subject = next(one for one in record["subjects"] if one["function"] == "AUC" and one["library"] == "recbole")
    for thing in (cell, subject):
        thing.update(metric="coverage", variant="coverage(of=items)")
    page = Page(render_html(validate(record)))
    heads = [" ".join(row["text"].split()) for row in page.all("tr", class_="family")]
    assert heads[0].startswith("Recommenders 5 libraries; definitions: 4 of MAP")
    assert heads[1] == (
        "Information retrieval 1 library; no two definitions of a metric; 2 functions with an error or a warning"
    )
    assert [body["attrs"]["data-family"] for body in page.all("tbody") if "data-family" in body["attrs"]] == [
        "rec",
        "ir",
    ]
    (others,) = page.all("table", class_="others")
    assert "Coverage@20A of items0.6866RecBole AUC" in re.sub(r"\n|  +", "", others["text"])
    assert "Coverage@20" not in page.all("table", class_="measured-values")[0]["text"]


def test_what_does_not_claim_the_metric_stands_apart_and_counts_nowhere() -> None:
    record = sample_record()
    before = verdict(record)
    assert "4 definitions of average precision; the same lists score 0.0317 to 0.221" in before.headline
    for subject in record["subjects"]:
        if subject["function"] == "MAP" and subject["library"] == "daisyrec":
            subject["apart"] = "precision summed"
    after = verdict(validate(record))
    assert "3 definitions of average precision; the same lists score 0.0317 to 0.0730" in after.headline
    assert "1 function of another name or meaning (precision summed) stands apart" in " ".join(after.sentences)
    page = Page(render_html(record))
    (apart,) = [one for one in page.all("table") if one["attrs"].get("aria-labelledby") == "apart"]
    for part in ("DaisyRec MAP", "precision summed", "AP over the hits", "0.2214"):
        assert part in apart["text"]
    assert "0.2214" not in page.all("table", class_="measured-values")[0]["text"]
    assert "precision summed" in render_markdown(record)
    assert "precision summed" in render_latex(record)
    assert "precision summed" in printed(record)
