"""Studies: ideas judged by people, blind and in balanced random order, with the agreement of their answers."""
