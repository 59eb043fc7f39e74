"""From a function to its name: it is asked, identified, verified and described."""
