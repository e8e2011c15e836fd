"""How far a judge agrees with people, on reviewed papers and on ideas that people scored."""
