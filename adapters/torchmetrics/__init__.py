"""How to ask TorchMetrics."""
