"""`novum runs`: list, show, resume and export runs; check and salvage their ledger."""

from novum.cli.shell.group import CommandGroup, CommandRow

GROUP = CommandGroup(
    {
        "list": CommandRow("novum.cli.runs.commands:list_runs", "List runs, newest first, with state and cost"),
        "show": CommandRow("novum.cli.runs.commands:show_run", "Show the steps, cost and failures of a run"),
        "resume": CommandRow("novum.cli.runs.resume:resume_run", "Continue a run that stopped", long=True),
        "export": CommandRow(
            "novum.cli.runs.resume:export_run", "Write the report of a run again, or all requests and responses"
        ),
        "check": CommandRow("novum.cli.runs.damage:check_ledger", "Check the file of the ledger for damage"),
        "salvage": CommandRow(
            "novum.cli.runs.damage:salvage_ledger", "Copy what is readable in a damaged ledger into a new one"
        ),
    },
    "Every request and response is recorded. A run is named by its id, the beginning of its id, or `last`.",
)
