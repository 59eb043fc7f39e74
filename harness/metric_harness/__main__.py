"""The command line as a program: ``metric-harness`` and ``python -m metric_harness``.

Importing the commands takes most of a second; until they are there a signal ends the process without a traceback.
"""

from metric_harness.system import signals


def main() -> None:
    """Run the command line and end with its exit code."""
    signals.at_once()
    from metric_harness.cli import app

    signals.heed()
    app.main()


if __name__ == "__main__":
    main()
