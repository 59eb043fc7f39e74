"""The error that a user can mend; reports raise it too, so it is defined beside the record."""

from metric_reports.errors import HarnessError

__all__ = ["HarnessError"]
