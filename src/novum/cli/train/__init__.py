"""`novum train`: train models on data sets of this machine."""

from novum.cli.shell.group import CommandGroup, CommandRow

GROUP = CommandGroup(
    {
        "sft": CommandRow("novum.cli.train.sft:sft", "Train an idea model on papers", long=True),
        "dpo": CommandRow("novum.cli.train.dpo:dpo", "Train an idea model on preferences", long=True),
        "iterate": CommandRow(
            "novum.cli.train.iterate:iterate", "Train an idea model on the ranks of its own ideas, in rounds", long=True
        ),
        "compare": CommandRow(
            "novum.cli.train.compare:compare_models", "Compare tuning, phases, fields, examples, data, years", long=True
        ),
        "study": CommandRow(
            "novum.cli.train.study:study", "Train through all three phases and compare them, on one page", long=True
        ),
        "judge": CommandRow("novum.cli.train.judge:judge", "Train a reviewer model on real reviews", long=True),
        "next-idea": CommandRow(
            "novum.cli.train.next_idea:next_idea", "Train a policy to have and refine ideas (GRPO)", long=True
        ),
        "check-reward": CommandRow(
            "novum.cli.train.check_reward:check_reward", "Check whether a model can be a reward model", long=True
        ),
        "recipes": CommandRow("novum.cli.train.recipes:recipes", "List the recipes, or print one"),
        "list": CommandRow("novum.cli.train.export:list_models", "List the models that were trained here"),
        "export": CommandRow(
            "novum.cli.train.export:export", "Merge an adapter into its base and export it", long=True
        ),
        "upload": CommandRow(
            "novum.cli.train.upload:upload", "Share a trained model on the Hugging Face Hub", long=True
        ),
    },
    "A recipe describes how (`novum train recipes`), a data set on what (`novum data build`). Needs the extra "
    "`novum\\[train]`.",
)
