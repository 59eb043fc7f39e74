"""Planted mistakes in adapter.py, each named with its line and remedy, and what is none."""

from pathlib import Path

import pytest

from tests.harness.libraries.sound_folder import ADAPTER, checked, replaced, written

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
