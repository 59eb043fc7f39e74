"""What a case becomes when it is handed to a function: its arguments."""
