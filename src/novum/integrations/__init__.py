"""Other programs that results go to, one folder each."""
