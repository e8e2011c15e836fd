"""Charts of a LiveIdeaBench run: pure functions from records to Altair charts."""
