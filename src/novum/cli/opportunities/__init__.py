"""`novum opportunities`: pairs of concepts that no paper links yet, and how likely papers will link them."""

from novum.cli.shell.group import CommandGroup, CommandRow

GROUP = CommandGroup(
    {
        "find": CommandRow("novum.cli.opportunities.find:find", "Find the best opportunities of a topic", long=True),
        "build": CommandRow(
            "novum.cli.opportunities.build:build", "Extract the library's concepts and fit the forecast", long=True
        ),
        "evaluate": CommandRow(
            "novum.cli.opportunities.evaluate:evaluate",
            "Test the forecast on the past, beside simpler scores",
            long=True,
        ),
    },
    "Concepts of a library, the papers in which they co-occur, and a forecast of which pairs will be linked next. No "
    'language model is used. `novum opportunities "topic"` is short for `novum opportunities find "topic"`.',
    default="find",
)
