"""Errors, progress, caches and processes."""
