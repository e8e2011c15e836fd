"""`novum library`."""
