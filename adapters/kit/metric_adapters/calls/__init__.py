"""Calls: the ways in which metric functions take a case, and the ways in which they return values."""
