"""What stands before every page: who may ask, what may be changed, and a record of each change."""
