"""From answers to probes to the name of a variant, and to findings."""
