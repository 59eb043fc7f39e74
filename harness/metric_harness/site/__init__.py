"""The facts of the site, gathered from recordings, reference and rules into one index."""
