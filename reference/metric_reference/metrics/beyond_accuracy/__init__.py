"""Metrics of what is recommended, not of whether it is relevant."""
