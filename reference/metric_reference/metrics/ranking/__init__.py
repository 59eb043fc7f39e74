"""Metrics of a list cut at a rank."""
