"""`novum train`."""
