"""`novum metrics`: fit metrics of ideas to a library, tune them to people, and validate them."""

from novum.cli.shell.group import CommandGroup, CommandRow

GROUP = CommandGroup(
    {
        "fit": CommandRow("novum.cli.metrics.fit:fit", "Fit a metrics model to a library", long=True),
        "list": CommandRow("novum.cli.metrics.cards:list_models", "List the fitted models"),
        "show": CommandRow("novum.cli.metrics.cards:show_model", "Show one fitted model and how good it is"),
        "tune": CommandRow(
            "novum.cli.metrics.tune:tune", "Fit the User Satisfaction Score to ratings by people", long=True
        ),
        "validate": CommandRow(
            "novum.cli.metrics.validate:validate", "Test whether metrics tell good papers from others", long=True
        ),
    },
    "A fitted model is one folder. It scores ideas in milliseconds (`novum score`) without a language model.",
)
