"""``python -m metric_harness`` is ``metric-harness``."""

from metric_harness.cli.app import main

main()
