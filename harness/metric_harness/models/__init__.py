"""Models that make recommendations."""
