"""`novum metrics`."""
