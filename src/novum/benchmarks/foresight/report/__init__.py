"""The report on a study of foresight."""
