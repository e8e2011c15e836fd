"""LiveIdeaBench: scientific divergent thinking, measured from one keyword at a time (Ruan et al. 2024)."""
