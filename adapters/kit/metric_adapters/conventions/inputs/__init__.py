"""An old name."""
