"""A declaration of what a library's functions compute, and whether they still do."""
