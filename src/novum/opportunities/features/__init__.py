"""Features of pairs of concepts for the forecast, computed from what was known at the end of one year."""
