"""`novum review`: writes reviews of ideas and decides on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from novum.cli.ideas.review_options import Ideas, ReviewOptions
from novum.cli.ideas.sources import pooled_ideas
from novum.cli.shell.durable import start_run
from novum.cli.shell.group import examples
from novum.cli.shell.option_groups import ModelOptions
from novum.cli.shell.options import AsJson, Out, Quiet, panel_option
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.phrases import bill
from novum.cli.shell.terminal import one_line, print_json, print_line, print_table
from novum.core import Idea
from novum.core.reviewing import Reviews
from novum.errors import BadInput
from novum.reports.reviews import write_reviews
from novum.reports.reviews.phrases import demonstration, missing, overview
from novum.reports.reviews.text import review_lines
from novum.runs.idea_sources import idea_of_text
from novum.runs.review import REVIEW, ReviewTask

MOST = 200
"""Ideas in one review at most; `novum filter` takes any number."""
Text = Annotated[str | None, panel_option("Ideas", "Text of an idea, its title on the first line.", "--text")]
Topic = Annotated[str, panel_option("Ideas", "Topic of ideas that have none.", "--topic")]


@with_pdf
@examples(
    "novum review last",
    "novum review idea.txt --judge openai:gpt-5.5,google:gemini-3.8-flash --with-papers",
    'novum review --text "Title\\nWhat is proposed, and why." --reviews 5',
    "novum review last --rounds 3",
)
def review(
    ideas: Ideas = None, *, text: Text = None, topic: Topic = "", reviewing: ReviewOptions, models: ModelOptions,
    out: Out = None, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Review ideas: several reports with different focus, then ACCEPT or REJECT and a utility from 0 to 1.

    Every criticism quotes the sentence that it is about; quotations that are not in the idea are marked. With --rounds
    the idea is revised and reviewed again, as long as its utility rises.
    """
    settings = models.settings(writer=reviewing.model)
    protocol = reviewing.protocol(settings)
    task = ReviewTask(ideas=tuple(_ideas(ideas or [], text, topic)), refereeing=protocol)

    show(start_run(REVIEW, settings, task, quiet=quiet, fresh=models.fresh), OutputOptions(out, as_json, quiet))


def show(done: Reviews, output: OutputOptions) -> None:
    """Shows the outcome of a run and writes its report."""
    if output.as_json:
        print_json(done.model_dump(mode="json"))
    else:
        _print_table(done)
        for line in review_lines(done) if len(done.ideas) == 1 else ():
            print_line(line)
    files = write_reviews(done, output.folder(done.account.run_id))
    for file in (files.html, files.json, *files.others):
        output.note(str(file))
    output.note(f"Cost: {bill(done.account.spend)}")


def _print_table(done: Reviews) -> None:
    heads = ("decision", "utility", "mean score", "reports", "rounds", "idea")
    print_table(heads, [(*overview(each), one_line(each.best.idea.title, 120)) for each in done.ideas])
    if done.account.demonstration:
        print_line(demonstration(done.account))
    if done.failures:
        print_line(missing(done.failures))


def _ideas(names: Sequence[str], text: str | None, topic: str) -> list[Idea]:
    """Raises BadInput where there is no idea, or more than can be shown at once."""
    ideas = [one.idea for one in pooled_ideas(names, topic)]
    given = idea_of_text(text.replace("\\n", "\n"), "", topic) if text is not None else None
    ideas += [given.idea] if given else []
    if not ideas:
        raise BadInput("There is no idea to review. Name a run, a table of ideas or a text file, or use --text.")
    if len(ideas) > MOST:
        raise BadInput(f"{len(ideas):,} ideas are too many for one review: `novum filter` takes any number.")
    return [each if each.topic.strip() else each.but(topic=topic) for each in ideas]
