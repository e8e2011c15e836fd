"""`novum foresight`: compare ideas from earlier literature with what was published later."""

from novum.cli.shell.group import CommandGroup, CommandRow

GROUP = CommandGroup(
    {
        "run": CommandRow(
            "novum.cli.foresight.commands:foresight", "Generate ideas and compare them with later papers", long=True
        ),
        "report": CommandRow("novum.cli.foresight.commands:report", "Write the report of a study", long=True),
    },
    "`novum foresight --method …` is short for `novum foresight run --method …`.",
    default="run",
)
