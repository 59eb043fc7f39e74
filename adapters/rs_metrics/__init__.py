"""How to ask rs_metrics."""
