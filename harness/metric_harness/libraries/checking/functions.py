"""Asks one function of a library a few probes, and checks that its answers are as an adapter's have to be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from metric_harness.libraries.adapter_text import AdapterText, line_of_function
from metric_harness.libraries.checking.outcome import FolderCheck
from metric_harness.libraries.describe import SubjectInfo
from metric_harness.libraries.mistake import Mistake
from metric_harness.system.errors import HarnessError
from metric_harness.worker.launch import PROBE_TIMEOUT
from metric_harness.worker.process import Worker
from metric_harness.worker.reply import NoAnswer, Place
from metric_reference.case import Case


class Asked(Protocol):
    """A tiny case that a function is asked."""

    @property
    def name(self) -> str:
        """Of the case, and of its folder."""

    @property
    def k(self) -> int:
        """The cut-off."""

    @property
    def case(self) -> Case:
        """Lists, relevant items and what else the function needs."""


def check_function(
    worker: Worker, info: SubjectInfo, probes: Sequence[Asked], root: Path, text: AdapterText, result: FolderCheck
) -> None:
    """Ask a function the probes; ``root`` holds their cases by name. Reports the first mistake of each kind."""
    function = info.function
    errors: dict[str, str] = {}
    error_place: Place | None = None
    changed = False

    def report(place: Place | None, what: str, remedy: str) -> None:
        file, line = (text.file.parent / place[0], place[1]) if place else (text.file, line_of_function(text, function))
        result.found(function, Mistake(file, line, function, what, remedy))

    for probe in probes:
        try:
            answer = worker.check(function, root / probe.name, probe.k, PROBE_TIMEOUT)
        except NoAnswer as error:
            if error.kind not in ("exception", "cannot_show"):
                remedy = f"ask for less at once; a function answers a probe within {PROBE_TIMEOUT:g} s"
                report(error.place, f"no answer to the probe {probe.name}: {error.line}", remedy)
                return
            errors[probe.name], error_place = error.line, error_place or error.place
            continue
        except HarnessError as error:  # the worker does not start again
            report(None, str(error), "let the module import each time that it is started")
            return
        place = (str(answer["place"][0]), int(answer["place"][1])) if answer["place"] else None
        if answer["mistake"]:
            report(place, f"{answer['mistake']['what']} (probe {probe.name})", answer["mistake"]["remedy"])
            return
        if answer["changed"] and not changed:
            changed = True
            arrays = ", ".join(f"case.{name}" for name in answer["changed"])
            report(place, f"it changes its input: {arrays}", "hand over a copy: numpy.array(...)")
    if len(errors) == len(probes):
        first = next(iter(errors.values()))
        what = f"it gives no number for any of {len(probes)} probes: {first}"
        report(error_place, what, "hand the function the input that it takes, in the type that it takes")
    elif not changed:
        raised = "".join(f"; {name}: {error}" for name, error in errors.items())
        result.add(function, "ok", f"a number for {len(probes) - len(errors)} of {len(probes)} probes{raised}")
