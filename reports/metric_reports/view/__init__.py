"""What a record says, computed once for every format."""
