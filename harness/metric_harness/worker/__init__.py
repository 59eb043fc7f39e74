"""The process that a library or function runs in."""
