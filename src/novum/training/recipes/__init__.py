"""Recipes: everything that a training is told, typed and in one file; presets as files to copy and change."""

from novum.training.recipes.reading import preset_names, preset_text, read_recipe, with_overrides
from novum.training.recipes.recipe import Recipe

__all__ = ["Recipe", "preset_names", "preset_text", "read_recipe", "with_overrides"]
