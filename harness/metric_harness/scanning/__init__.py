"""Every metric function of a file, package or repository."""
