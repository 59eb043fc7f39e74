"""One function or library audited."""
