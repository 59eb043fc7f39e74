"""An audit as text."""
