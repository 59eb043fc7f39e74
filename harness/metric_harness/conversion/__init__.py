"""From the value of one definition to that of another: exactly where that is possible, else between bounds."""
