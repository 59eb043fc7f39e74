"""Functions of a source file that look like a metric, found without running them."""
