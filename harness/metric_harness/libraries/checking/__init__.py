"""Checking a library's folder: its library.toml, its adapter, and what its functions answer to a few probes."""
