"""The command line run in this process: as a user types it, without a second start of Python."""

from __future__ import annotations

import contextlib
import io
import signal
import sys
from pathlib import Path
from subprocess import CompletedProcess

from metric_harness.cli.app import main


def run(*arguments: str, cwd: Path | None = None) -> CompletedProcess[str]:
    """Run ``metric-harness ARGUMENTS``; its exit code, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    before, code = signal.getsignal(signal.SIGTERM), 0
    command, words = ["metric-harness", *map(str, arguments)], sys.argv
    try:
        sys.argv = command
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.chdir(cwd or Path.cwd()):
            main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    finally:
        sys.argv = words
        signal.signal(signal.SIGTERM, before)
    return CompletedProcess(command, code, out.getvalue(), err.getvalue())
