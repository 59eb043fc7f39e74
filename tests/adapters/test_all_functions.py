"""Every public metric function of a library is asked or listed with the reason why not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from metric_harness.libraries.describe import Library
from tests.support.live import LIBRARIES, made_ready

FILES = {
    "beta_rec": {"beta_rec/utils/evaluation.py": "", "beta_rec/utils/seq_evaluation.py": "seq:"},
    "daisyrec": {"daisy/utils/metrics.py": ""},
    "dl_rs_evaluation": {"Base/Evaluation/Evaluator.py": ""},
    "elliot": {"elliot/evaluation/metrics/__init__.py": ""},
    "lenskit": {"lenskit/metrics/__init__.py": "", "lenskit/metrics/ranking/__init__.py": ""},
    "neurec": {"evaluator/backend/python/metric.py": "python:"},
    "openrec": {"openrec/tf1/utils/evaluators/__init__.py": "tf1:", "openrec/tf2/metrics/ranking_metrics.py": "tf2:"},
    "recbole": {"recbole/evaluator/metrics.py": ""},
    "reclist": {"reclist/metrics/standard_metrics.py": ""},
    "recommenders": {"recommenders/evaluation/python_evaluation.py": ""},
    "recpack": {"recpack/metrics/__init__.py": ""},
    "recsys_pytorch": {
        "evaluation/backend/python/holdout.py": "",
        "evaluation/backend/python/loo.py": "",
        "evaluation/backend/cython/holdout.py": "cython:",
        "evaluation/backend/cython/loo.py": "cython:",
    },
    "recsys_metrics": {"recsys_metrics/__init__.py": ""},
    "rectools": {"rectools/metrics/__init__.py": ""},
    "replay": {"replay/metrics/__init__.py": ""},
    "rexmex": {"rexmex/metrics/ranking.py": ""},
    "rs_metrics": {"rs_metrics/__init__.py": ""},
    "torchmetrics": {"torchmetrics/retrieval/__init__.py": ""},
}
"""The files in which a library has its metrics, each with the prefix of their names in its library.toml."""
TABLES = {"dl_rs_evaluation": "EvaluatorMetrics", "elliot": "_metric_dictionary"}
"""Where a library has a table of its metrics, that table alone counts."""


def names(tree: ast.Module, file: str) -> Iterator[str]:
    """What a module defines at its top; of a package, what it imports from its own modules."""
    package = file.removesuffix("/__init__.py").replace("/", ".") if file.endswith("__init__.py") else None
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and package is None:
            yield node.name
        elif isinstance(node, ast.ImportFrom) and package and (node.level or str(node.module).startswith(package)):
            yield from (one.asname or one.name for one in node.names)


def of_table(tree: ast.Module, table: str) -> Iterator[str]:
    """The keys of a dict, or the members of an enumeration."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == table:
            assigned = [one for one in node.body if isinstance(one, ast.Assign)]
            yield from (one.targets[0].id for one in assigned if isinstance(one.targets[0], ast.Name))
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict) and table in ast.unparse(node.targets[0]):
            yield from (str(ast.literal_eval(key)) for key in node.value.keys if key is not None)


def root_of(library: Library) -> Path:
    """The folder below which a library's newest release lies."""
    asked = made_ready(library, library.newest())
    if "--source" in asked.arguments:
        return Path(asked.arguments[asked.arguments.index("--source") + 1])
    return next((asked.python.parent.parent / "lib").glob("python*/site-packages"))


@pytest.mark.slow
@pytest.mark.live
@pytest.mark.parametrize("key", FILES)
def test_every_public_function_is_asked_or_listed(key: str) -> None:
    library = LIBRARIES[key]
    root = root_of(library)
    public: set[str] = set()
    for file, prefix in FILES[key].items():
        tree = ast.parse((root / file).read_text(encoding="utf-8"))
        found = of_table(tree, TABLES[key]) if key in TABLES else names(tree, file)
        public |= {f"{prefix}{name}" for name in found if not name.startswith("_") and not name.endswith("Error")}
    assert len(public) > 2
    asked = {name.partition("[")[0] for name in library.subjects_of(library.newest())}
    missing = sorted(public - asked - set(library.not_asked))
    assert not missing, f"{library.folder / 'library.toml'}: ask them, or say why not in [not_asked]: {missing}"


def test_the_files_of_every_library_of_recommenders_are_known() -> None:
    assert {key for key, library in LIBRARIES.items() if library.of_paper() or library.live} <= set(FILES)


def test_a_reason_stands_for_every_function_that_is_not_asked() -> None:
    for library in LIBRARIES.values():
        assert not set(library.not_asked) & set(library.subjects)
        assert all(len(reason) > 8 for reason in library.not_asked.values())
