"""The command line as a program: ``metric-harness`` and ``python -m metric_harness``.

Importing the commands takes most of a second; until they are there a signal ends the process without a traceback.
"""

from __future__ import annotations

import os
import signal


def end_at_once(number: int, frame: object) -> None:
    """End this process, which has started nothing yet."""
    os.write(2, b"Interrupted.\n")
    os._exit(128 + number)


def main() -> None:
    """Run the command line and end with its exit code."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end_at_once)
    from metric_harness.cli import app
    from metric_harness.system import signals

    signals.heed()
    try:
        app.main()
    finally:
        signals.end_if_one_came()


if __name__ == "__main__":
    main()
