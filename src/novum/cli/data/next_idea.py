"""`novum data build next-idea` and `novum data show next-idea`: tasks of next-idea prediction."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer
from pydantic import ValidationError

from novum.cli.shell.durable import start_run
from novum.cli.shell.group import examples
from novum.cli.shell.option_groups import ModelOptions
from novum.cli.shell.options import (
    A_DATE,
    A_MODEL,
    PAPERS,
    AsJson,
    Quiet,
    panel_option,
    read_date_or_year,
)
from novum.cli.shell.output import OutputOptions, report_folder
from novum.cli.shell.terminal import print_json, print_line, print_table
from novum.errors import BadInput
from novum.training.next_idea.data.card import NextIdeaCard, cost_text, empty_split_notes
from novum.training.next_idea.data.durable import NEXT_IDEA_DATA, NextIdeaTask
from novum.training.next_idea.data.files import open_next_ideas
from novum.training.next_idea.data.settings import NextIdeaSettings
from novum.training.next_idea.report.record_page import record_lines, write_record

_TARGETS, _CONTEXT = "Targets", "Contexts and splits"


@dataclass(frozen=True)
class TargetOptions:
    """Which papers become targets. The names are those of `NextIdeaSettings`."""

    since: Annotated[
        str | None,
        panel_option(
            _TARGETS, "Only targets of this year or day, or later: after the models' own training data.",
            metavar=A_DATE,
        ),
    ] = None  # fmt: skip
    before: Annotated[str | None, panel_option(_TARGETS, "Only targets before this year or day.", metavar=A_DATE)] = (
        None
    )
    categories: Annotated[
        list[str] | None, panel_option(_TARGETS, "Only targets of this field; repeatable.", "--category")
    ] = None
    targets: Annotated[
        list[str] | None,
        panel_option(_TARGETS, "A paper of the library by its id; repeatable.", "--target", metavar="NAME"),
    ] = None
    most: Annotated[int, panel_option(_TARGETS, "At most N targets.", "--limit", min=1)] = 1000
    least_references: Annotated[
        int, panel_option(_TARGETS, "Skip targets with fewer usable references.", "--min-references", min=1)
    ] = 5
    most_references: Annotated[
        int, panel_option(_TARGETS, "Use at most N references, the latest.", "--max-references", min=1, max=200)
    ] = 40


@dataclass(frozen=True)
class ContextOptions:
    """How contexts are made and split. The names are those of `NextIdeaSettings`."""

    tokens: Annotated[int, panel_option(_CONTEXT, "Limit of a context in tokens.", min=256)] = 8192
    split: Annotated[
        Literal["time", "row"],
        panel_option(
            _CONTEXT, "time: validation and test targets are later than training targets. row: rows are drawn, as in "
            "the released code; variants of a target then lie in several splits.",
        ),
    ] = "time"  # fmt: skip
    validation: Annotated[float, panel_option(_CONTEXT, "Share of validation targets.", min=0, max=0.5)] = 0.1
    test: Annotated[float, panel_option(_CONTEXT, "Share of test targets.", min=0, max=0.5)] = 0.1
    variants: Annotated[
        int, panel_option(_CONTEXT, "Contexts for each target; all but the first lack relations.", min=1, max=50)
    ] = 1
    dropout: Annotated[float, panel_option(_CONTEXT, "Share of relations that a variant lacks.", min=0)] = 0.2
    leak_similarity: Annotated[
        float, panel_option(_CONTEXT, "Remove references whose idea has this cosine with the truth.", min=0, max=1)
    ] = 0.95
    seed: Annotated[int, panel_option(_CONTEXT, "Random seed of variants and drawn splits.", min=0)] = 0


@examples(
    "novum data build next-idea --since 2025-03-01 --out tasks",
    "novum data build next-idea --category cs.LG --since 2025-03-01 --limit 1000 --budget-usd 50 --out tasks",
    "novum data build next-idea --target paper-0123456789abcdef --reader deepseek:deepseek-chat --out tasks --force",
    "novum data show next-idea task-0123 --data tasks",
)
def next_idea(
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="New folder for the data set.")],
    targets: TargetOptions,
    contexts: ContextOptions,
    source: Annotated[
        list[str] | None,
        panel_option(PAPERS, "Fetch missing references from this service; repeatable.", metavar="NAME"),
    ] = None,
    reader: Annotated[
        str | None, panel_option("Models", "Model that reads papers and builds contexts.", metavar=A_MODEL)
    ] = None,
    tokenizer: Annotated[
        Path | None,
        panel_option(_CONTEXT, "Count tokens with this tokenizer.json. Default: characters / 4.", metavar="FILE"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing data set.")] = False,
    models: ModelOptions, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Build tasks of next-idea prediction: the context is made from a target paper's references, the hidden truth is
    its idea.

    A model extracts the idea of each paper, groups the ideas, relates them, and draws insights, trends and unexpected
    links. What would tell the truth is removed. A stopped run resumes with `novum runs resume`.
    """
    given = asdict(targets) | asdict(contexts)
    given |= {
        "since": read_date_or_year(targets.since, "--since"),
        "before": read_date_or_year(targets.before, "--before"),
        "categories": tuple(targets.categories or ()),
        "targets": tuple(targets.targets or ()),
    }
    try:
        settings = NextIdeaSettings.model_validate(given)
    except ValidationError as error:
        wrong = error.errors()[0]
        raise BadInput(f"{'.'.join(map(str, wrong['loc'])) or 'options'}: {wrong['msg']}.") from error
    task = NextIdeaTask(folder=str(out), settings=settings, tokenizer=str(tokenizer or ""), force=force)
    loaded = models.settings(reader=reader, sources=",".join(source or ()))
    card = start_run(NEXT_IDEA_DATA, loaded, task, quiet=quiet, fresh=models.fresh)
    show_stored(card, OutputOptions(as_json=as_json, quiet=quiet))


def show_stored(card: NextIdeaCard, output: OutputOptions) -> None:
    """Prints a data set in numbers."""
    if output.as_json:
        print_json(card.model_dump(mode="json"))
        return
    print_table(
        ("split", "targets", "records", "first day", "last day"),
        ((each.name, str(each.targets), str(each.records), each.first, each.last) for each in card.splits),
    )
    mean = card.contexts
    print_line(
        f"A context has {mean.ideas:.1f} ideas, {mean.groups:.1f} groups, {mean.relations:.1f} relations, "
        f"{mean.signals:.1f} signals and {mean.tokens:,.0f} tokens on average."
    )
    print_line(cost_text(card))
    for why, number in card.skipped.items():
        output.note(f"Skipped: {number:,} targets: {why}")
    for why, number in card.leaks.items():
        output.note(f"Removed as a leak: {number:,}: {why}")
    for line in empty_split_notes(card):
        output.note(line)
    print_line(f"Written to {card.folder}: see its README.md.")


@examples("novum data show next-idea task-0123 --data tasks", "novum data show next-idea task-0123 --data tasks --json")
def show_record(
    record: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="Id of a record or of its target; its beginning is enough.", show_default=False
        ),
    ],
    *,
    data: Annotated[Path, typer.Option(metavar="DIR", help="A data set of `novum data build next-idea`.")],
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of the page.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show one task: its context stage by stage, the hidden truth, and what was removed as a leak. A page draws the
    graph of ideas.
    """
    found = open_next_ideas(data).record(record)
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    for line in record_lines(found):
        print_line(line)
    files = write_record(found, report_folder(out, found.id))
    print_line(f"Page: {files}")
