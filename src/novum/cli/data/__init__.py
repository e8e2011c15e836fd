"""`novum data`: build data sets to train models on."""

from novum.cli.shell.group import CommandGroup, CommandRow

BUILD = CommandGroup(
    {
        "ideas": CommandRow(
            "novum.cli.data.ideas:ideas", "Build training data for an idea model from papers", long=True
        ),
        "preferences": CommandRow(
            "novum.cli.data.preferences:preferences", "Build pairs of a better and a worse idea on one topic", long=True
        ),
        "survey": CommandRow("novum.cli.data.survey:survey", "Build forms on which people compare ideas", long=True),
        "judge": CommandRow(
            "novum.cli.data.judge:judge", "Build training data for a reviewer model from real reviews", long=True
        ),
        "next-idea": CommandRow(
            "novum.cli.data.next_idea:next_idea", "Build tasks of next-idea prediction from target papers", long=True
        ),
    },
    "A data set is one folder with its tables, a card that describes them, and plots.",
)
SHOW = CommandGroup(
    {"next-idea": CommandRow("novum.cli.data.next_idea:show_record", "Show a task with its graph", long=True)},
    "Show one record of a data set.",
)
GROUP = CommandGroup(
    {
        "build": CommandRow("novum.cli.data:BUILD", "Build a data set"),
        "show": CommandRow("novum.cli.data:SHOW", "Show one record of a data set"),
    }
)
