"""`novum serve`: the workbench in the browser."""
