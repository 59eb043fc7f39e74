"""The commands that read a signature."""
