"""`novum arena`."""
