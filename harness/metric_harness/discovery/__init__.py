"""Functions that look like metrics, found in source code without importing it."""
