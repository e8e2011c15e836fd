"""`novum study`: blind studies in which people judge ideas."""

from novum.cli.shell.group import CommandGroup, CommandRow

_MODULE = "novum.cli.study.commands"
GROUP = CommandGroup(
    {
        "create": CommandRow(f"{_MODULE}:create", "Set up a study of ideas from runs and files"),
        "list": CommandRow(f"{_MODULE}:list_studies", "List the studies"),
        "invite": CommandRow(f"{_MODULE}:invite", "Make personal links for participants"),
        "results": CommandRow(f"{_MODULE}:results", "Show agreement and scores"),
        "export": CommandRow(f"{_MODULE}:export", "Write the answers as CSV"),
        "close": CommandRow(f"{_MODULE}:close", "Take no more answers"),
        "forms": CommandRow(f"{_MODULE}:forms", "List the forms"),
    },
    "Participants answer in the browser: `novum serve` shows their pages.",
)
