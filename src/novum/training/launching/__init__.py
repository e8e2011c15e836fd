"""Training in one process or many: checks of the options, the command line, and the processes."""
