"""Ideas from open problems and concepts of explored literature, mended where they name a weak point."""

from novum.methods.spark.generator import NAME, SparkOptions, spark

__all__ = ["NAME", "SparkOptions", "spark"]
