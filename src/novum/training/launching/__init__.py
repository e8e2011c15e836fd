"""Run a training in one process or many: check the options, build the command line, and follow the processes."""
