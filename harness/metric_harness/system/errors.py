"""The error that a user can resolve; reports raise it too, so it is defined in metric_reports."""

from metric_reports.errors import HarnessError

__all__ = ["HarnessError"]
