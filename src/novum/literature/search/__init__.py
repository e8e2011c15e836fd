"""Search indexes, derived from the rows of the database: they can be deleted at any time and are rebuilt when
needed."""
