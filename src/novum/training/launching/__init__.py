"""A training carried out by one process or many: what goes together, the command line, the child and what it tells."""
