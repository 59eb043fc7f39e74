"""The static site, made from its index alone."""
