"""`novum train`: models that learn from what was measured."""

from __future__ import annotations

from novum.cli.shell.group import group
from novum.cli.train import judge as train_judge
from novum.cli.train import recipes as train_recipes
from novum.cli.train.export import EXPORT_EXAMPLES, LIST_EXAMPLES, export, listed

app = group(
    "Train models of one's own.",
    "A recipe says how (`novum train recipes`), a data set what from (`novum data build`). Needs `novum\\[train]`.",
)
app.command("judge", epilog=train_judge.EPILOG)(train_judge.judge)
app.command("recipes", epilog=train_recipes.EPILOG)(train_recipes.recipes)
app.command("list", epilog=LIST_EXAMPLES)(listed)
app.command("export", epilog=EXPORT_EXAMPLES)(export)
