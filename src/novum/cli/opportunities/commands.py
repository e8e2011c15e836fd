"""`novum opportunities`: the concepts of a library, and which of them papers will bring together."""

from __future__ import annotations

from novum.cli.opportunities.build import EPILOG as BUILD_EPILOG
from novum.cli.opportunities.build import build
from novum.cli.opportunities.evaluate import EPILOG as EVALUATE_EPILOG
from novum.cli.opportunities.evaluate import evaluate
from novum.cli.opportunities.find import EPILOG as FIND_EPILOG
from novum.cli.opportunities.find import find
from novum.cli.shell.group import group

app = group(
    "What has the literature not joined yet?",
    "Concepts of a library, the papers that join them, and a forecast of which pairs will be joined next. No language "
    'model is asked. `novum opportunities "topic"` is short for `novum opportunities find "topic"`.',
    default="find",
)
app.command("find", epilog=FIND_EPILOG)(find)
app.command("build", epilog=BUILD_EPILOG)(build)
app.command("evaluate", epilog=EVALUATE_EPILOG)(evaluate)
