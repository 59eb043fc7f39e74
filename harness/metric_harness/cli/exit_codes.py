"""The exit codes of all commands."""

FINDINGS, FAILED, INTERRUPTED = 1, 2, 130
"""Something was found; the command could not do its work; the user or a signal ended it."""
