"""Compares many libraries on one split, and makes the record of the run."""
