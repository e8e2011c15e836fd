"""Recipes: all settings of a training in one typed file, with presets to copy and change."""

from novum.training.recipes.reading import preset_names, preset_text, read_recipe
from novum.training.recipes.recipe import Recipe

__all__ = ["Recipe", "preset_names", "preset_text", "read_recipe"]
