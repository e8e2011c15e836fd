"""`novum judge`."""
