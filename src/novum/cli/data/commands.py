"""`novum data`: what models learn from."""

from __future__ import annotations

from novum.cli.data import judge as data_judge
from novum.cli.data import preferences as data_preferences
from novum.cli.shell.group import group

app = group("Build data that models learn from.")
build = group(
    "Build a data set.", "A data set is one folder with its tables, a card that tells what is in it, and plots."
)
app.add_typer(build, name="build")
build.command("preferences", epilog=data_preferences.EPILOG)(data_preferences.preferences)
build.command("judge", epilog=data_judge.EPILOG)(data_judge.judge)
