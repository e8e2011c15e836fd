"""The command line: thin commands over the rooms below. Nothing heavy is imported before a command needs it."""
