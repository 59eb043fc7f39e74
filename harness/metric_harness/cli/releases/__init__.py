"""The commands about the releases of a library."""
