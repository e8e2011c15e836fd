"""Commands about the installation: doctor, config, models, methods, prompts."""

from novum.cli.shell.group import CommandGroup, CommandRow

MODELS = CommandGroup(
    {
        "list": CommandRow("novum.cli.setup.models:list_models", "List providers, their keys, and local models"),
        "install": CommandRow("novum.cli.setup.models:install_model", "Install a model that runs on this machine"),
        "remove": CommandRow("novum.cli.setup.models:remove_model", "Remove a model from this machine"),
    },
    "Providers with their keys, small models that run on this machine without a key, and models trained here.",
)
METHODS = CommandGroup(
    {
        "list": CommandRow("novum.cli.setup.methods:list_methods", "List all methods"),
        "show": CommandRow("novum.cli.setup.methods:show_method", "Show a method with its options and defaults"),
    }
)
PROMPTS = CommandGroup(
    {
        "list": CommandRow("novum.cli.setup.prompts:list_prompts", "List all prompts"),
        "show": CommandRow("novum.cli.setup.prompts:show_prompt", "Print the file of a prompt"),
    },
    "To change a prompt, copy it into a folder, edit it, and pass the folder with --prompts DIR.",
)
CONFIG = CommandGroup(
    {"show": CommandRow("novum.cli.setup.config:show_config", "Show every setting and where its value comes from")},
    "Later ones win: built-in values, novum.toml in NOVUM_HOME, novum.toml in this folder, NOVUM_… variables, options.",
)
