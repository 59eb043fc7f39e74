"""``python -m harness`` is ``metric-harness``."""

from harness.cli import main

main()
