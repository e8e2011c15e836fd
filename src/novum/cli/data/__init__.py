"""`novum data`."""
