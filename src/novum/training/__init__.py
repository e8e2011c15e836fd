"""Models that learn to have better ideas: the data that they learn from. Stands on scoring, beside the benchmarks."""
