"""Names the variant that a subject computes from its answers to probes, and derives findings."""
