"""`novum runs`."""
