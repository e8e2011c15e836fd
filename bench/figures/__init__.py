"""The figures of the benchmarks, one file each, and what they share."""
