"""Stored answers of libraries."""
