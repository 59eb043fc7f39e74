"""A library's folder without mistakes, written and checked, and what is replaced in it to plant one."""

from pathlib import Path

from metric_harness.libraries.checking.folder import check_folder
from metric_harness.naming.probes.ask import probes_to_check
from metric_harness.system.progress import Reporter

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


def written(folder: Path, page: str = PAGE, adapter: str = ADAPTER) -> Path:
    folder.mkdir(parents=True)
    (folder / "library.toml").write_text(page, encoding="utf-8")
    (folder / "adapter.py").write_text(adapter, encoding="utf-8")
    return folder


def checked(folder: Path, version: str | None = None, environment: str = "current"):
    return check_folder(folder, environment, version, {}, probes_to_check, Reporter())


def replaced(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)
