"""Workflows that bring papers of services into a library: bulk fetching, live searches, citations, full texts."""
