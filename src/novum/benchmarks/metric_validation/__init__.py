"""Do numbers about papers mean anything? Held against reviews, decisions, people's scores and later citations."""
