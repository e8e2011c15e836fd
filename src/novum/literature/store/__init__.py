"""The rows: papers, their names, citations, full texts and vectors, in SQLite or PostgreSQL. They are the truth."""
