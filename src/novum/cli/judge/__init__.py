"""`novum judge`: judge ideas, and evaluate judges."""

from novum.cli.shell.group import CommandGroup, CommandRow

GROUP = CommandGroup(
    {
        "winrate": CommandRow(
            "novum.cli.judge.commands:winrate", "Measure how often ideas win against others", long=True
        ),
        "rubric": CommandRow("novum.cli.judge.commands:rubric", "Check ideas against a rubric of six items", long=True),
        "evaluate": CommandRow(
            "novum.cli.judge.evaluate:evaluate", "Evaluate reviewers against real reviews and decisions", long=True
        ),
        "validate": CommandRow(
            "novum.cli.judge.validate:validate", "Measure how far a judge agrees with people", long=True
        ),
        "report": CommandRow(
            "novum.cli.judge.evaluate:report", "Write the report of an evaluation of reviewers", long=True
        ),
    },
    "A panel decides by majority. Every answer is recorded, and a run that stopped continues with `novum runs resume`.",
)
