"""SPARK: ideas from open problems and concepts of explored literature, with a search for their weak points."""

from novum.methods.spark.generator import NAME, SparkOptions, spark

__all__ = ["NAME", "SparkOptions", "spark"]
