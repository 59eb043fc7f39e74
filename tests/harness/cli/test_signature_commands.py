"""cite, translate, find, verify on the command line, and the table of other tools' names."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from metric_harness.cli.app import app
from metric_harness.libraries.describe import find_libraries
from metric_harness.naming.identify import identify
from metric_harness.recordings.read import read_recording
from metric_harness.system.errors import HarnessError
from metric_reference.catalogue import by_variant
from metric_reference.registry import METRICS
from metric_reference.signatures.methods import bibtex, latex, sentence, symbols
from metric_reference.signatures.names import names_of, signature_of_name, systems, table
from metric_reference.signatures.read import parse
from metric_reference.signatures.signature import Signature
from metric_reference.variant import Variant, space
from metric_reference.vectors.build import FILE as VECTORS
from tests.reference.test_peers import OF_THE_LIST
from tests.support.command import run as asked

SHORT = "ndcg@20|rel:>=4|mh:1.0#d4676305"
DRAWN = "ndcg@20|cand:uniform99|mh:1.2#1a0e8170"
IN_CATALOGUE = {"trec_eval": "pytrec_eval", "ir_measures": "ir_measures", "ranx": "ranx", "scikit-learn": "sklearn"}
RECORDED = {"RecBole": "recbole", "torchmetrics": "torchmetrics", "RePlay": "replay"}


def run(*arguments: str) -> str:
    ran = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def test_cite_gives_sentence_formula_and_references() -> None:
    page = json.loads(run("signature", "cite", SHORT, "--json"))
    assert "at k = 20" in page["sentence"]
    assert "a gain of at least 4" in page["sentence"]
    assert page["latex"].startswith(r"\[ \frac{")
    assert r"\footnote{\texttt{ndcg@20\textbar\allowbreak{}rel:\textgreater{}=4" in page["latex"]
    assert page["bibtex"].startswith("@software{metric_harness,")
    assert page["sentence"] in run("signature", "cite", SHORT)


def test_a_signature_of_drawn_candidates() -> None:
    page = json.loads(run("signature", "cite", DRAWN, "--json"))
    assert "among 99 negatives drawn uniformly, no item twice, for each relevant item alone" in page["sentence"]
    assert run("signature", "find", DRAWN).startswith("Relevant items are ranked among 99 negatives")
    own = json.loads(run("signature", "find", DRAWN, "--json"))["functions"][0]["signature"]
    assert "|cand:uniform99|repl:without|per:item|" in own
    translated = run("signature", "translate", DRAWN, "--to", "RecBole")
    assert "no name says so" in translated
    assert "NDCG@20" in translated
    assert "cand" not in translated.splitlines()[-1]


@pytest.mark.parametrize("name", METRICS)
def test_every_variant_has_a_sentence_and_a_formula(name: str) -> None:
    for variant in space(name):
        signature = Signature(variant.at(10))
        assert sentence(signature).endswith(".")
        assert "|" not in bibtex(signature, "1").replace(r"\textbar", "")
        assert latex(signature).startswith(r"\[ ")


def test_symbols_are_those_of_the_formula() -> None:
    text = " ".join(symbols(Variant.parse("ndcg(gain=linear)").metric.formula()))
    assert "g_j" in text
    assert "mathrm" not in text
    assert "length of the list" in " ".join(symbols(Variant.parse("precision(divide_by=list)").metric.formula()))


def test_every_name_of_the_table_is_read_back_and_has_a_source() -> None:
    assert set(systems()) == {*IN_CATALOGUE, *RECORDED}
    for row in table():
        signature, found = signature_of_name(row.system, row.at(10))
        assert found == row
        assert row.source.startswith("https://")
        exact = [each for each in names_of(signature) if each.exact and each.system == row.system]
        assert row.at(10) in [each.name for each in exact] or not row.cuts
        assert parse(str(signature)) == signature


def test_the_table_agrees_with_the_catalogue_and_with_the_peers() -> None:
    """The rows of both are held against the tools themselves; ir_measures takes uncut measures from trec_eval."""
    known = by_variant()
    asked = {(peer, str(Variant.parse(text).at(1))) for peer, rows in OF_THE_LIST.items() for text in rows.values()}
    missing = []
    for row in (row for row in table() if row.system in IN_CATALOGUE):
        variant, peer = row.signature.variant, IN_CATALOGUE[row.system]
        entry = known.get(str(variant.canonical()))
        peers = {peer, "pytrec_eval"} if peer == "ir_measures" else {peer}
        if not ((entry and peers & set(entry.who)) or (peer, str(variant.at(1))) in asked):
            missing.append(f"{row.system} {row.name}")
    assert missing == []


def test_the_table_agrees_with_the_recordings() -> None:
    libraries = find_libraries([])
    for row in table():
        if row.system in RECORDED:
            library = libraries[RECORDED[row.system]]
            release = library.newest()
            recording = read_recording(library, release)
            function = row.name.partition("@")[0].partition("(")[0]
            info = library.subjects_of(release)[function]
            found = identify(info.metric, recording.answers[function])
            assert found.variant == row.signature.variant
            assert {
                name: getattr(row.signature, name) for name in ("no_relevant", "no_list", "duplicates", "ties")
            } == {name: getattr(found.edges, name) for name in ("no_relevant", "no_list", "duplicates", "ties")}


def test_translate_says_exact_or_what_differs() -> None:
    page = json.loads(run("signature", "translate", "map_cut.20", "--from", "trec_eval", "--json"))
    names = {each["system"]: each for each in page["names"]}
    assert names["trec_eval"]["sentence"] == "exact"
    assert names["ranx"]["name"] == "map@20"
    assert names["RecBole"]["sentence"].startswith("differs in divide_by (relevant, min(k,r))")
    assert "ndcg_cut.20" in run("signature", "translate", SHORT, "--to", "trec_eval")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["signature", "translate", "ndcg_ct.20", "--from", "trec_eval"], "the nearest is ndcg_cut.10"),
        (["signature", "translate", "x", "--from", "trec"], "is no tool of the table"),
        (["signature", "translate", SHORT, "--to", "trec"], "one of trec_eval"),
        (["signature", "cite", "ndgc@20"], "'ndgc' is no metric"),
        (["signature", "find", SHORT, "--library", "x"], "no such library"),
        (
            ["signature", "verify", SHORT, "--recommendations", "a.csv", "--truth", "b.csv", "--digits", "3"],
            "give --value too",
        ),
    ],
)
def test_what_is_wrong_is_named(arguments: list[str], said: str) -> None:
    with pytest.raises(HarnessError, match=said):
        CliRunner().invoke(app, arguments, catch_exceptions=False)


def test_find_lists_functions_with_their_edges_and_a_snippet() -> None:
    rows = json.loads(run("signature", "find", SHORT, "--json"))["functions"]
    named = {(row["library"], row["release"], row["function"]): row for row in rows}
    recbole = named["RecBole", "1.2.1", "NDCG"]
    assert recbole["compared"].startswith("differ only for users without relevant items")
    assert recbole["edges"]["no_relevant"] == "zero"
    compile(recbole["snippet"], "snippet", "exec")
    assert ("TorchMetrics", "1.9.0", "RetrievalNormalizedDCG") not in named
    verdicts = [row["verdict"] for row in rows]
    assert verdicts == sorted(verdicts, key=("same", "unknown", "differ").index)
    assert "from recbole.evaluator.metrics import NDCG" in run(
        "signature", "find", SHORT, "--library", "recbole", "--snippet"
    )


def test_a_snippet_has_the_cut_off_of_the_signature_or_one_within_its_example() -> None:
    for signature, k in ((SHORT, 20), (Signature(Variant.parse("ndcg")).short(), 3)):
        rows = json.loads(run("signature", "find", signature, "--library", "recbole", "--json"))["functions"]
        text = next(row["snippet"] for row in rows if row["function"] == "NDCG")
        assert f'"topk": [{k}]' in text
        assert text.startswith("# 5 items a user are an example: at k = 20") == (k == 20)


@pytest.mark.thorough
def test_vectors_are_written_and_checked(tmp_path):
    written = asked("vectors", "--out", tmp_path / "v.json")
    assert written.returncode == 0
    assert "definitions" in written.stdout
    assert "every number is right" in asked("vectors", "--check", tmp_path / "v.json").stdout
    text = (tmp_path / "v.json").read_text(encoding="utf-8")
    (tmp_path / "v.json").write_text(text.replace('["2/5",0.4]', '["2/5",0.5]', 1), encoding="utf-8")
    wrong = asked("vectors", "--check", tmp_path / "v.json")
    assert (wrong.returncode, wrong.stdout) == (1, "case plain: precision(divide_by=k) is 0.4, not 0.5\n")


def test_a_case_that_contradicts_itself_is_one_line(tmp_path):
    page = json.loads(VECTORS.read_text(encoding="utf-8"))
    page["cases"][-1]["users"][0]["list"].append(99999)
    (tmp_path / "v.json").write_text(json.dumps(page), encoding="utf-8")
    ended = asked("vectors", "--check", tmp_path / "v.json")
    said = f"error: {tmp_path / 'v.json'}: case {page['cases'][-1]['name']}: 1 ids are not among the items\n"
    assert (ended.returncode, ended.stderr) == (2, said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "this is no JSON"),
        ("[" * 100_000, "this is no JSON"),
        ("{}", "'title' is a required property"),
        ("[]", "is not of type 'object'"),
    ],
)
def test_a_file_that_holds_no_vectors_is_one_line(tmp_path, text, said):
    (tmp_path / "v.json").write_text(text, encoding="utf-8")
    ended = asked("vectors", "--check", tmp_path / "v.json")
    assert ended.returncode == 2
    assert said in ended.stderr
