"""Pictures, formulas and colours of the report: what is drawn is what the record holds, in colours that can be read."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import pytest
from markupsafe import Markup

from metric_reference.variant import METRICS, space
from metric_reports.html.charts import Chart, charts
from metric_reports.html.mathml import mathml
from metric_reports.html.page import TEMPLATES, render_html
from metric_reports.record import validate
from metric_reports.view.differences import HEIGHT, WIDTH, histogram
from metric_reports.view.subjects import blob
from metric_reports.view.table import grid, variants
from tests.support.page import Page
from tests.support.sample_record import sample_record

HOSTILE = "</svg><script>alert(1)</script>$\\frac{1}$\x1b<b>&amp;"


def drawn(record: dict[str, Any]) -> dict[str, list[Chart]]:
    return charts(record, variants(record), [column.metric for column in grid(record, 20).columns])


def circles(chart: Chart) -> list[ET.Element]:
    return ET.fromstring(chart.svg).findall(".//{*}circle")


def told(circle: ET.Element) -> str:
    title = circle.find("{*}title")
    assert title is not None
    return title.text or ""


def test_a_dot_for_every_finite_value_where_it_belongs() -> None:
    record = sample_record()
    for chart in drawn(record)["spread"]:
        metric = {"HitRate@20": "hit_rate", "MRR@20": "reciprocal_rank", "MAP@20": "average_precision"}.get(
            chart.title, chart.title.removesuffix("@20").lower()
        )
        wanted = {}
        for cell in record["cells"]:
            value = cell["predicted"] if cell["status"] == "not_available" else cell["value"]
            if cell["metric"] == metric and isinstance(value, float):
                wanted[f"{cell['library']} {cell['function']}"] = value
        found = {told(dot).rsplit(":", 1)[0]: float(dot.attrib["cx"]) for dot in circles(chart)}
        assert len(found) == len(circles(chart)) == len(wanted)
        by_place = sorted(found, key=found.__getitem__)
        titles = {one["title"]: one["name"] for one in record["libraries"]}
        values = [wanted[f"{titles[name.split()[0]]} {name.split()[-1]}"] for name in by_place]
        assert [round(value, 6) for value in values] == sorted(round(value, 6) for value in values)
        low, high = min(wanted.values()), max(wanted.values())
        if high - low > 1e-3:  # as far apart on the paper as in the record
            scale = (found[by_place[-1]] - found[by_place[0]]) / (high - low)
            for name, value in zip(by_place, values, strict=True):
                assert found[name] - found[by_place[0]] == pytest.approx((value - low) * scale, abs=0.2)


def test_dots_of_one_definition_have_one_colour_and_a_row_of_their_own() -> None:
    record = sample_record()
    known = variants(record)["average_precision"]
    (chart,) = [one for one in drawn(record)["spread"] if one.title == "MAP@20"]
    rows: dict[str, list[float]] = {}
    for dot in circles(chart):
        rows.setdefault(dot.attrib["stroke"], []).append(float(dot.attrib["cy"]))
    assert set(rows) == {f"var(--e{variant.colour})" for variant in known.values()}
    ranges = sorted((min(places), max(places)) for places in rows.values())
    assert all(before[1] + 5 < after[0] for before, after in pairwise(ranges))
    hollow = [told(dot) for dot in circles(chart) if dot.attrib["fill"] == "var(--paper)"]
    assert hollow == ["Elliot git fc27efed MAP: 0.07299"]


def test_definitions_that_users_agree_on_stand_beside_each_other() -> None:
    record = sample_record()
    metric = "average_precision"
    printed = list(variants(record)[metric])
    equal = {(0, 1): 10, (0, 2): 90, (0, 3): 20, (1, 2): 15, (1, 3): 80, (2, 3): 30}
    record["user_pairs"] = [
        {
            "metric": metric,
            "k": 20,
            "variants": [printed[one], printed[other]],
            "users": 100,
            "equal": same,
            "higher": 0,
            "lower": 100 - same,
            "mean": -0.1,
            "largest": -0.5,
        }
        for (one, other), same in equal.items()
    ]
    (chart,) = drawn(validate(record))["matrix"]
    texts = [text.text or "" for text in ET.fromstring(chart.svg).iter("{http://www.w3.org/2000/svg}text")]
    assert [text[0] for text in texts if " " in text and "@" not in text] == ["A", "C", "D", "B"]
    assert sorted(text for text in texts if text.isdigit()) == ["10", "15", "20", "30", "80", "90"]
    assert "Least alike: AP and AP over all relevant, equal for 10 of 100 users" in chart.caption


def test_speed_names_the_fastest_first() -> None:
    record = sample_record()
    for cell in record["cells"]:
        if cell["library"] == "recpack" and cell["seconds"]:
            cell["seconds"] = 0.5
    (chart,) = drawn(validate(record))["speed"]
    assert chart.rows[-1] == ("RecPack 0.3.6", "6", "0.500")
    assert "36 times as long" in chart.caption  # 0.5 / 0.0137
    assert len(circles(chart)) == sum(cell["seconds"] is not None for cell in record["cells"])


def test_pictures_take_their_colours_from_the_page_and_name_themselves() -> None:
    record = sample_record((5, 20))
    for chart in [one for group in drawn(record).values() for one in group]:
        root = ET.fromstring(chart.svg)
        assert root.attrib["role"] == "img"
        ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        assert root.attrib["aria-labelledby"].split() == ids
        tags = [element.tag.partition("}")[2] for element in root.iter()]
        assert tags[:3] == ["svg", "title", "desc"]
        assert set(tags) <= {"svg", "title", "desc", "g", "path", "text", "circle"}
        for element in root.iter():
            assert "style" not in element.attrib
            for name in ("fill", "stroke"):
                assert re.fullmatch(r"none|var\(--[a-z0-9]+\)", element.attrib.get(name, "none"))
    page = Page(render_html(record))
    assert len(page.all("figure", class_="chart")) == 2 * 7 + 2
    assert all(figure["text"].strip() for figure in page.all("figcaption"))


def test_hostile_names_stay_text_in_a_picture() -> None:
    record = sample_record()
    for library in record["libraries"]:
        library["title"] = HOSTILE
    for cell in record["cells"]:
        cell["function"] += HOSTILE
        cell["metric"] = f"x{HOSTILE}" if cell["metric"] == "recall" else cell["metric"]
    for chart in [one for group in drawn(record).values() for one in group]:
        assert "<script" not in chart.svg
        assert "\x1b" not in chart.svg
        assert chart.svg.count("</svg>") == 1
        texts = " ".join(text for text in ET.fromstring(chart.svg).itertext())
        assert "</svg>" in texts


def test_nothing_to_draw_is_no_picture() -> None:
    record = sample_record()
    record["cells"] = []
    assert drawn(record) == {}
    assert "Pictures" not in render_html(validate(record))


def test_every_formula_of_the_reference_is_set() -> None:
    formulas = {variant.metric.formula() for name in METRICS for variant in space(name)}
    assert len(formulas) > 100
    for latex in formulas:
        text = mathml(latex)
        assert text is not None, latex
        root = ET.fromstring(text)
        note = root.find("./semantics/annotation")
        assert note is not None
        assert note.text == latex


def test_a_fraction_is_a_fraction() -> None:
    root = ET.fromstring(mathml(r"\frac{1}{r} \sum_{j=1}^{k} \mathrm{rel}_j") or "")
    over, under = root.find(".//mfrac") or ()
    assert (over.text, under.text) == ("1", "r")
    total = root.find(".//munderover")
    assert total is not None
    assert ["".join(part.itertext()) for part in total] == ["∑", "j=1", "k"]
    word = root.find(".//msub/mi")
    assert word is not None
    assert word.text == "rel"


@pytest.mark.parametrize(
    "latex", [r"\text{<b>}", r"\text{<script>alert(1)</script>}", "{" * 3000, "x" * 5000, r"\begin{matrix}", "&"]
)
def test_what_is_no_formula_is_shown_as_it_is(latex: str) -> None:
    assert mathml(latex) is None
    record = sample_record()
    record["subjects"][0]["formula"] = latex
    page = Page(render_html(record))
    assert page.problems == []
    assert latex in [pre["text"] for pre in page.all("pre", class_="formula")]


def test_a_formula_runs_nothing() -> None:
    text = mathml(r"\href{javascript:alert(1)}{a} < b \color{red}{c}")
    assert isinstance(text, Markup)
    root = ET.fromstring(text)
    assert not any("href" in element.attrib or "mathcolor" in element.attrib for element in root.iter())


GAPS = {"source": "library", "standard": "ndcg", "users": 10, "lower": 4, "equal": 5, "higher": 1,
        "edges": [-0.2, -0.1, 0.0, 0.1], "counts": [1, 3, 1]}  # fmt: skip


def test_a_histogram_is_drawn_to_scale() -> None:
    shown = histogram(GAPS)
    bars = [
        tuple(map(float, bar))
        for bar in re.findall(r"M([\d.]+) [\d.]+v-([\d.]+)h([\d.]+)v", shown.lower + shown.higher)
    ]
    third = WIDTH / 3
    assert [x for x, _, _ in bars] == pytest.approx([0, third, 2 * third], abs=0.5)
    assert bars[1][1] == pytest.approx(3 * bars[0][1], abs=2)
    assert bars[1][1] < HEIGHT
    assert shown.zero == pytest.approx(2 * third, abs=0.1)
    assert shown.lower.count("M") == 2
    assert [row[2] for row in shown.rows] == ["1", "3", "1"]
    assert "5 equal, 4 lower (by up to 0.20) and 1 higher (by up to 0.10)" in shown.caption


def test_the_histogram_stands_in_the_section_of_its_function() -> None:
    record = sample_record()
    for cell in record["cells"][:2]:
        cell["difference_to_standard"] = GAPS if cell is record["cells"][0] else {
            **GAPS, "users": 5, "equal": 5, "lower": 0, "higher": 0, "edges": [], "counts": []
        }  # fmt: skip
    page = Page(render_html(validate(record)))
    one, two = page.all("figure", class_="gaps")
    assert "Of 10 users, 5 equal" in one["text"]
    assert "All equal: 5 users" in two["text"]
    assert len(page.all("path", class_="lower")) == 1


LIBRARY = {"repository": "https://github.com/a/b.git", "commit": "abc123"}


@pytest.mark.parametrize(
    ("library", "source", "address"),
    [
        (LIBRARY, {"file": "x y/m.py", "line": 7}, "https://github.com/a/b/blob/abc123/x%20y/m.py#L7"),
        ({**LIBRARY, "repository": "https://gitlab.com/a/b/"}, {"file": "m.py"}, "https://gitlab.com/a/b/-/blob/abc123/m.py"),
        ({**LIBRARY, "repository": "https://example.org/a/b"}, {"file": "m.py", "line": 7}, None),
        ({**LIBRARY, "repository": "javascript:alert(1)//github.com"}, {"file": "m.py"}, None),
        ({**LIBRARY, "commit": None}, {"file": "m.py"}, None),
        (LIBRARY, {}, None),
    ],
)  # fmt: skip
def test_the_line_behind_a_function_is_linked_where_its_address_is_known(
    library: dict[str, Any], source: dict[str, Any], address: str | None
) -> None:
    assert blob(library, source) == address


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb`` as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_contrast_is_enough_to_read(theme: int) -> None:
    css = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", re.findall(r":root \{(.*?)\}", css, re.S)[theme]))
    tints = [f"v{n}" for n in range(8)]
    pairs = [("ink", tint) for tint in [*tints, "paper", "panel", "alarm-paper"]]
    pairs += [(text, ground) for text in ("muted", "link", "alarm", "caution") for ground in ("paper", "panel")]
    pairs += [("alarm", "alarm-paper"), ("good", "paper"), ("focus", "paper")]
    low = {}
    for text, ground in pairs:
        lighter, darker = sorted((luminance(colours[text]), luminance(colours[ground])), reverse=True)
        if (ratio := (lighter + 0.05) / (darker + 0.05)) < 4.5:
            low[text, ground] = round(ratio, 2)
    assert low == {}
