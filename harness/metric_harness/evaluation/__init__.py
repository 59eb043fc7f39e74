"""Metrics of files of any size."""
