"""`novum opportunities`."""
