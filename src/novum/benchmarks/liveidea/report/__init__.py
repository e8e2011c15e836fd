"""What people read of a LiveIdeaBench run: charts, a page, and how people and panel agree; from records alone."""
