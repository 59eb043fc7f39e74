"""Ratings: data sets, tables, splits."""
