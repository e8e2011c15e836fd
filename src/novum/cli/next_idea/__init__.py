"""`novum next-idea`: evaluate models on next-idea tasks."""

from novum.cli.shell.group import CommandGroup, CommandRow

GROUP = CommandGroup(
    {
        "evaluate": CommandRow(
            "novum.cli.next_idea.commands:evaluate", "Compare models that have and refine ideas", long=True
        ),
    },
    "Tasks come from `novum data build next-idea`, trained policies from `novum train next-idea`.",
)
