"""No command writes over what it reads, over another of its outputs, or over a file that no run wrote."""

import pytest

from tests.support.command import run

INPUTS = {
    "pred.csv": "user,item,score\n1,1,3\n1,2,2\n2,3,1\n",
    "truth.csv": "user,item\n1,1\n2,3\n",
    "own.py": "def recall(recommended, relevant, k):\n    return 1.0\n",
    "run.json": "{}\n",
    "other.json": "{}\n",
}
LISTS = ("evaluate", "--recommendations", "pred.csv", "--truth", "truth.csv", "-q")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*LISTS, "--json", "pred.csv"), "--json pred.csv: --recommendations names this file too"),
        ((*LISTS, "--json", "./truth.csv"), "--json truth.csv: --truth names this file too"),
        ((*LISTS, "--by-user", "pred.csv"), "--by-user pred.csv: --recommendations names"),
        ((*LISTS, "--json", "new", "--by-user", "new"), "new: --by-user names this file too"),
        (("audit", "own.py:recall", "--out", "own.py"), "--out own.py: target names this file too"),
        (("audit", "own.py:recall", "--out", "link.py"), "--out link.py: target names this file too"),
        (("audit", "x.py:f", "--compare", "own.py:recall", "--out", "own.py"), "--compare names this file too"),
        (("scan", "own.py", "-y", "--json", "own.py"), "names this file too"),
        (("scan", "own.py", "-y", "--json", "a", "--sarif", "a"), "names this file too"),
        (("report", "run.json", "--out", "run.json"), "names this file too"),
        (("report", "diff", "run.json", "other.json", "--out", "other.json"), "names this file too"),
        (("library", "conform", "--declare", "own.py:recall", "--out", "own.py"), "names this file too"),
        (("compare", "--out", "mine", "-q"), "no comparison wrote it"),
        (("paper", "--out", "mine", "-q"), "no comparison wrote it"),
    ],
)
def test_an_output_is_no_input(words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in INPUTS.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "link.py").symlink_to("own.py")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "results.csv").write_text("mine\n")
    done = run(*words)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert {name: (tmp_path / name).read_text() for name in INPUTS} == INPUTS
    assert (tmp_path / "mine" / "results.csv").read_text() == "mine\n"
