"""`novum metrics`: what a library teaches about good ideas, learnt, looked at, tuned to people, and put to the test."""

from __future__ import annotations

from novum.cli.metrics import cards as metrics_cards
from novum.cli.metrics import fit as metrics_fit
from novum.cli.metrics import tune as metrics_tune
from novum.cli.metrics import validate as metrics_validate
from novum.cli.shell.group import group

app = group(
    "Learn from a library what good ideas look like there.",
    "What was learnt is one folder, which scores ideas in milliseconds (`novum score`) without asking any model.",
)
app.command("fit", epilog=metrics_fit.EPILOG)(metrics_fit.fit)
app.command("list", epilog=metrics_cards.LIST_EPILOG)(metrics_cards.list_models)
app.command("show", epilog=metrics_cards.SHOW_EPILOG)(metrics_cards.show_model)
app.command("tune", epilog=metrics_tune.EPILOG)(metrics_tune.tune)
app.command("validate", epilog=metrics_validate.EPILOG)(metrics_validate.validate)
