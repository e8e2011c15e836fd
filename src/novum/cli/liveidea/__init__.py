"""`novum liveidea`."""
