"""Estimates of the metric among all items from ranks among drawn negatives alone."""
