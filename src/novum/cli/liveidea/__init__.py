"""`novum liveidea`: measure models on scientific divergent thinking, from one keyword at a time."""

from novum.cli.shell.group import CommandGroup, CommandRow

KEYWORDS = CommandGroup(
    {
        "list": CommandRow("novum.cli.liveidea.keywords:list_keywords", "List the built-in keywords by discipline"),
        "refresh": CommandRow(
            "novum.cli.liveidea.keywords:refresh_keywords", "Make a new list from the library", long=True
        ),
    },
    "A list is a CSV file with the columns keyword and discipline.",
)
PROTOCOLS = CommandGroup(
    {
        "install": CommandRow("novum.cli.liveidea.protocols:install", "Take the published prompts from your copy"),
        "list": CommandRow("novum.cli.liveidea.protocols:list_protocols", "List the protocols"),
        "show": CommandRow("novum.cli.liveidea.protocols:show", "Show the prompts of a protocol"),
    },
    "The published prompts are the paper's and do not come with Novum: they are taken from your own copy of it.",
)
GROUP = CommandGroup(
    {
        "run": CommandRow("novum.cli.liveidea.commands:run_models", "Measure models and rank them", long=True),
        "plan": CommandRow(
            "novum.cli.liveidea.commands:plan_models", "Estimate calls, cost, time and CO2 of a run", long=True
        ),
        "score": CommandRow("novum.cli.liveidea.commands:score", "Show the leaderboard of a run", long=True),
        "report": CommandRow("novum.cli.liveidea.reports:report", "Write the report of a run", long=True),
        "agree": CommandRow(
            "novum.cli.liveidea.reports:agree",
            "Measure how well judges agree with people and with each other",
            long=True,
        ),
        "import": CommandRow(
            "novum.cli.liveidea.commands:import_file", "Rank models from a table of judged ideas", long=True
        ),
        "keywords": CommandRow("novum.cli.liveidea:KEYWORDS", "List or make keywords"),
        "protocol": CommandRow("novum.cli.liveidea:PROTOCOLS", "Choose between Novum's and the published prompts"),
    },
    "A model gets one keyword and proposes ideas; a panel of other models judges them. Every answer is recorded: a run "
    "that stopped continues with `novum runs resume`, and pays for nothing twice.",
)
