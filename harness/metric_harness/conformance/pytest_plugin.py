"""The pytest plugin: ``pytest --metrics metrics.toml`` holds each declared function against its declaration."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from metric_harness.conformance.declaration import Declaration, Verdict


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options; nothing of the harness is imported without them."""
    group = parser.getgroup("metric-harness")
    group.addoption("--metrics", metavar="FILE", help="hold the functions of this metrics.toml against it")
    group.addoption("--metrics-programs", action="store_true", help="run the programs that it names (exec:PROGRAM)")
    group.addoption("--metrics-environment", default="current", help="current (usual), isolated, or a Python")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect the file that ``--metrics`` names."""
    metrics = parent.config.getoption("--metrics")
    if metrics is None or Path(metrics).resolve() != file_path.resolve():
        return None
    return DeclarationFile.from_parent(parent, path=file_path)


def pytest_configure(config: pytest.Config) -> None:
    """Make the declaration an argument, so that it is always collected."""
    metrics = config.getoption("--metrics")
    if metrics is not None and str(metrics) not in config.args:
        config.args.append(str(metrics))


class DeclarationFile(pytest.File):
    """A metrics.toml: one test for each function; all are asked once, when the first one runs."""

    verdicts: dict[str, Verdict]

    def collect(self) -> Iterator[pytest.Item]:
        """A test for each declared function."""
        from metric_harness.conformance.declaration import read_declaration

        declaration = read_declaration(self.path)
        for declared in declaration.functions:
            yield DeclaredFunction.from_parent(self, name=declared.function, declaration=declaration)


class DeclaredFunction(pytest.Item):
    """One declared function."""

    def __init__(self, declaration: Declaration, **settings: Any) -> None:
        super().__init__(**settings)
        self.declaration = declaration

    def runtest(self) -> None:
        """Fail with what the function computes instead."""
        from metric_harness.conformance.check import conformance
        from metric_harness.naming.options import Options
        from metric_harness.system.progress import Reporter

        file = self.parent
        assert isinstance(file, DeclarationFile)
        if not hasattr(file, "verdicts"):
            options = Options(environment=self.config.getoption("--metrics-environment"))
            programs = self.config.getoption("--metrics-programs")
            verdicts = conformance(self.declaration, "", options, Reporter(quiet=True), programs).verdicts
            file.verdicts = {verdict.declared.function: verdict for verdict in verdicts}
        verdict = file.verdicts[self.name]
        if not verdict.within:
            raise NotAsDeclared(f"{self.name}: {verdict.sentence}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """For a function that is not as declared, its sentence without a traceback; else the usual text."""
        if isinstance(excinfo.value, NotAsDeclared):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """The file and the name of the test."""
        return self.path, None, f"{self.path.name}: {self.name}"


class NotAsDeclared(Exception):
    """A function that does not compute what is declared."""
