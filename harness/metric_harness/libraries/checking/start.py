"""Why an adapter does not start: the faulty line and the remedy, or that a module is not installed."""

from __future__ import annotations

import sys

from metric_harness.libraries.adapter_text import AdapterText
from metric_harness.libraries.describe import Library
from metric_harness.libraries.mistake import Mistake
from metric_harness.libraries.toml_page import FILE
from metric_harness.worker.reply import StartFailure


def mistake_of_start(failure: StartFailure, library: Library, text: AdapterText, environment: str) -> Mistake | str:
    """The mistake that keeps an adapter from starting; a text if a module is only not installed here."""
    cause = failure.cause
    if cause.mistake is not None:
        what, remedy, about = cause.mistake
        line = text.version if about == "version" else text.names.get(about, text.subjects)
        return Mistake(text.file, line, "version" if about == "version" else "SUBJECTS", what, remedy)
    file, line = (library.folder / cause.place[0], cause.place[1]) if cause.place else (text.file, 1)
    if cause.missing is not None:
        mistake = Mistake(file, line, "", f"it does not import: {cause.line}", "")
        return _missing(cause.missing, mistake, library, environment)
    if cause.kind == "exception":
        remedy = "mend this line, or what it calls"
    else:
        remedy = "import only the files that hold the metrics"
    return Mistake(file, line, "", f"it does not start: {cause.line}", remedy)


def _missing(module: str, mistake: Mistake, library: Library, environment: str) -> Mistake | str:
    """What to do about a missing module."""
    top = module.partition(".")[0]
    if (library.folder / f"{top}.py").is_file():
        remedy = f"write from .{top} import ...: the files of the folder import one another relatively"
    elif module.startswith("metric_library."):
        remedy = "write the name of a file of this folder"
    elif environment == "isolated":
        remedy = f"add the distribution that holds {top} to the requirements of the release in {FILE}"
    else:
        python = sys.executable if environment == "current" else environment
        return (
            f"{mistake.file}:{mistake.line}: {top} is not installed in {python}; install it, or leave out --environment"
        )
    return Mistake(mistake.file, mistake.line, mistake.where, mistake.what, remedy)
