"""The routes of the workbench, one file for each page: they read a request, call one function, and render."""
