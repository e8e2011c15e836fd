"""`novum arena`: compare idea generators on the same topics before the same judges."""

from novum.cli.shell.group import CommandGroup, CommandRow

PROTOCOLS = CommandGroup(
    {
        "install": CommandRow("novum.cli.arena.protocols:install", "Take the published prompts from your copy"),
        "list": CommandRow("novum.cli.arena.protocols:list_protocols", "List the judging protocols"),
        "show": CommandRow("novum.cli.arena.protocols:show", "Show the prompts of a judging protocol"),
    },
    "The published prompts are the paper's and do not come with Novum: they are taken from your own copy of it.",
)
STUDIES = CommandGroup(
    {
        "ablation": CommandRow(
            "novum.cli.arena.study:study_ablation", "Leave out parts of Chain of Ideas, one by one", long=True
        ),
        "length": CommandRow("novum.cli.arena.study:study_length", "Vary the length of chains", long=True),
        "width": CommandRow("novum.cli.arena.study:study_width", "Vary the number of chains", long=True),
        "quality": CommandRow(
            "novum.cli.arena.study:study_quality", "Compare methods with a plain prompt, blind", long=True
        ),
        "report": CommandRow("novum.cli.arena.study:report", "Write the report of a study", long=True),
        "export": CommandRow(
            "novum.cli.arena.study:export", "Write the evidence of a study, with every idea and judgement", long=True
        ),
    },
    "A study is an arena whose entrants come from a table. It is stored, and continues with `novum arena resume`; "
    "--dry-run says what it takes before anything is sent.",
)
GROUP = CommandGroup(
    {
        "run": CommandRow(
            "novum.cli.arena.commands:run_arena", "Compare idea generators on the same topics", long=True
        ),
        "resume": CommandRow("novum.cli.arena.commands:resume", "Continue an arena that stopped", long=True),
        "score": CommandRow("novum.cli.arena.commands:score", "Show the leaderboards of an arena", long=True),
        "report": CommandRow("novum.cli.arena.reports:report", "Write the report of an arena", long=True),
        "study": CommandRow("novum.cli.arena:STUDIES", "Repeat published studies, or compare methods on quality"),
        "agree": CommandRow(
            "novum.cli.arena.reports:agree", "Measure how well judges agree with people and with each other", long=True
        ),
        "export": CommandRow("novum.cli.arena.commands:export", "Write matches and entries as tables"),
        "import": CommandRow("novum.cli.arena.commands:import_matches", "Rate matches that others judged", long=True),
        "protocol": CommandRow("novum.cli.arena:PROTOCOLS", "Choose between Novum's and the published judging"),
        "topics": CommandRow(
            "novum.cli.arena.commands:topics_from_papers", "Derive topics from the library's newest papers", long=True
        ),
    },
    "Every generator proposes an idea on every topic; judges compare the ideas in pairs, each pair in both orders. "
    "Every answer is recorded: an arena that stopped continues with `novum arena resume`, and pays for nothing twice.",
)
