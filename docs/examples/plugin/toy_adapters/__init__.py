"""Holds folders of libraries as data: each has a library.toml and an adapter.py."""
