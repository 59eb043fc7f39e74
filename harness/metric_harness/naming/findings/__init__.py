"""What diverges, and the smallest case that shows it."""
