"""``python -m harness`` is ``metric-harness``."""

from metric_harness.cli.app import main

main()
