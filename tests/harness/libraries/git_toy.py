"""A toy library whose releases are git commits."""

import subprocess
from pathlib import Path

from metric_harness.comparison.compare import Settings

PAGE = """
name = "Toy"
homepage = "https://example.org"
licence = "MIT"
summary = "Average precision, once over k and once over min(k, r)."
repository = "{repository}"
[[releases]]
version = "1.0"
python = ">=3.8"
commit = "{old}"
paths = ["pkg"]
paper = true
shims = ["nothing is put right"]
[[releases]]
version = "2.0"
python = ">=3.8"
commit = "{new}"
paths = ["pkg"]
[subjects.map]
metric = "average_precision"
claim = "Average precision over k."
claims = "average_precision(divide_by=k)"
quote = "the sum of the precisions, over k"
address = "https://example.org/map"
[subjects.compiled]
metric = "precision"
needs = ["compiled"]
claim = "Precision."
address = "https://example.org/precision"
"""

ADAPTER = """
from metric_adapters import checkout
from metric_adapters.subject import Answer, Subject
from metric_reference.variant import Variant
checkout.on_path("pkg")
import toy

def ask(case, k):
    lists = [case.list_of(user).tolist() for user in range(case.users)]
    return Answer(toy.map_at_k([set(case.relevant_of(user).tolist()) for user in range(case.users)], lists, k))

def compiled(case, k):
    return Answer(Variant.parse((checkout.compiled() / "name.txt").read_text()).value(case, k=k))

def version():
    return checkout.version()

SUBJECTS = {"map": Subject(ask, toy.map_at_k), "compiled": Subject(compiled)}
"""

TOY = """
def map_at_k(relevant, lists, k):
    total, users = 0.0, 0
    for r, ranked in zip(relevant, lists):
        if not r:
            continue
        users += 1
        hits = 0
        for rank, item in enumerate(ranked[:k], 1):
            if item in r:
                hits += 1
                total += hits / rank / {divisor}
    return total / users if users else 0.0
"""


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def settings(repository, **more) -> Settings:
    return Settings(ks=(5,), environment="current", sources={"toy": repository[0]}, **more)
