"""Third-party libraries: what they are, and environments that run them."""
