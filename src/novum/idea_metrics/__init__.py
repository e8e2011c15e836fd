"""Ideas scored by what a library teaches, without asking any model: the Creativity Index, the User Satisfaction Score
and what goes beyond them."""
