"""A distribution with thirteen releases on a shelf of wheels: two changes, one taken back, two that cannot be asked."""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import zipfile
from pathlib import Path

NAME = "toy-history"
VERSIONS = [f"1.{minor}" for minor in range(13)]
CHANGED, TAKEN_BACK, NOT_INSTALLED, NOT_IMPORTED = "1.5", "1.7", "1.2", "1.9"
"""Average precision is divided by min(k, r) from CHANGED on; precision by the list's length in TAKEN_BACK alone."""

CODE = """
def average_precision(relevant, lists, k):
    values = []
    for wanted, ranked in zip(relevant, lists):
        hits = found = 0
        for rank, item in enumerate(ranked[:k], 1):
            if item in wanted:
                hits += 1
                found += hits / rank
        values.append(found / {divisor} if wanted else 0.0)
    return sum(values) / len(values)

def precision(relevant, lists, k):
    values = [sum(item in wanted for item in ranked[:k]) / {length} for wanted, ranked in zip(relevant, lists)]
    return sum(values) / len(values)
"""

PAGE = f"""
name = "Toy"
distribution = "{NAME}"
homepage = "https://example.org"
licence = "MIT"
summary = "Average precision and precision."
[[releases]]
version = "1.12"
python = ">=3.11"
requirements = ["numpy=={importlib.metadata.version("numpy")}", "{NAME}==1.12"]
[subjects.average_precision]
metric = "average_precision"
claim = "Average precision."
address = "https://example.org/ap"
[subjects.precision]
metric = "precision"
claim = "Precision."
address = "https://example.org/precision"
"""

ADAPTER = f"""
from importlib.metadata import version as version_of
import toy_history
from metric_adapters.subject import Answer, Subject

def asking(function):
    def ask(case, k):
        lists = [case.list_of(user).tolist() for user in range(case.users)]
        return Answer(function([set(case.relevant_of(user).tolist()) for user in range(case.users)], lists, k))
    return ask

def version():
    return version_of("{NAME}")

SUBJECTS = {{name: Subject(asking(getattr(toy_history, name))) for name in ("average_precision", "precision")}}
"""


def code_of(version: str) -> str:
    """The module of a release."""
    if version == NOT_IMPORTED:
        return "raise RuntimeError('this release is broken')\n"
    new = VERSIONS.index(version) >= VERSIONS.index(CHANGED)
    return CODE.format(
        divisor="min(k, len(wanted))" if new else "k",
        length="len(ranked[:k])" if version == TAKEN_BACK else "k",
    )


OF_THE_INSTALLATION = ("RECORD", "INSTALLER", "REQUESTED")
"""Files beside an installed distribution that a wheel lacks or that are written anew."""


def digest_in_record(text: str) -> str:
    """The digest of a file as RECORD has it: base64 that is safe in addresses, without padding."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256={base64.urlsafe_b64encode(digest).decode().rstrip('=')}"


def shelf(folder: Path) -> Path:
    """A folder with a wheel of each release, and one of the numpy that runs here."""
    folder.mkdir(parents=True)
    for version in VERSIONS:
        needs = "Requires-Dist: nobody-has-this==9\n" if version == NOT_INSTALLED else ""
        about = f"toy_history-{version}.dist-info"
        with zipfile.ZipFile(folder / f"toy_history-{version}-py3-none-any.whl", "w") as wheel:
            files = {
                "toy_history.py": code_of(version),
                f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\n{needs}",
                f"{about}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            }
            for name, text in files.items():
                wheel.writestr(name, text)
            rows = [f"{name},{digest_in_record(text)},{len(text)}" for name, text in files.items()]
            wheel.writestr(f"{about}/RECORD", "\n".join([*rows, f"{about}/RECORD,,", ""]))
    numpy = importlib.metadata.distribution("numpy")
    tag = next(line for line in numpy.read_text("WHEEL").splitlines() if line.startswith("Tag: ")).removeprefix("Tag: ")
    with zipfile.ZipFile(folder / f"numpy-{numpy.version}-{tag}.whl", "w") as wheel:
        rows = []
        for file in numpy.files:
            if not {"..", "__pycache__", *OF_THE_INSTALLATION} & set(file.parts):
                wheel.write(file.locate(), str(file))
                rows.append(f"{file},{f'{file.hash.mode}={file.hash.value}' if file.hash else ''},{file.size or ''}")
        record = f"{numpy.name}-{numpy.version}.dist-info/RECORD"
        wheel.writestr(record, "\n".join([*rows, f"{record},,", ""]))
    return folder
