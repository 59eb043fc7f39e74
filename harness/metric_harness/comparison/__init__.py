"""Many libraries on one split: the record of a run."""
