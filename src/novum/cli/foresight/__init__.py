"""`novum foresight`."""
