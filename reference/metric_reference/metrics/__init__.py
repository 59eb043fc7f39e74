"""The metrics: one file each, every formula once."""
