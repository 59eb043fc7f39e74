"""A record as an HTML page."""
