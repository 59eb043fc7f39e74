"""Metrics of scores and labels: areas under curves, and errors of predicted values."""
