"""`novum data build judge`: real peer reviews made into what a reviewer model learns from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.options import (
    A_MODEL,
    AsJson,
    BaseUrl,
    BudgetCalls,
    BudgetTokens,
    BudgetUsd,
    Fresh,
    Prompts,
    Quiet,
)
from novum.cli.shell.output import OutputOptions
from novum.errors import BadInput

if TYPE_CHECKING:
    from novum.lab import Workplace
    from novum.ledger.run import Listener
    from novum.settings import LoadedSettings
    from novum.training.reviews.card import JudgeDataCard
    from novum.training.reviews.durable import JudgeDataTask
    from novum.training.reviews.settings import JudgeDataSettings

_STOPPED = "Stopped. Nothing was written; a data set that was there before is as it was."
_SET, _IDEAS = "What is in it", "Idea texts"


@examples(
    "novum data build judge reviews.jsonl.gz --out judge",
    'novum data build judge PeerRead/data "openreview:ICLR 2024" --cutoff 2024-10-01 --out judge',
    "novum data build judge reviews.jsonl --annotate --annotator deepseek:deepseek-chat --budget-usd 5 --out judge",
    "novum data build judge reviews.jsonl --strip --rating start --limit 2000 --out judge --force",
)
def judge(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE", show_default=False,
            help="Files or folders of reviews (JSONL, JSON, Parquet; of any known layout), or openreview:VENUE.",
        ),
    ],
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write, which must not be there yet.")],
    cutoff: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", rich_help_panel=_SET, show_default=False,
            help="Papers of this year, day, or later are for testing; else the latest year that leaves a tenth.",
        ),
    ] = None,
    tasks: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", rich_help_panel=_SET, show_default=False,
            help="original-review, idea-review, original-abstract, idea-abstract; else all that there are texts for.",
        ),
    ] = None,
    validation: Annotated[
        float, typer.Option(min=0, max=0.5, help="Share of earlier papers set apart.", rich_help_panel=_SET)
    ] = 0.05,
    undated: Annotated[
        str, typer.Option(metavar="drop|train", help="Papers without any year.", rich_help_panel=_SET)
    ] = "drop",
    withdrawn: Annotated[
        bool, typer.Option(help="Learn from reviews of withdrawn papers too.", rich_help_panel=_SET)
    ] = True,
    rating: Annotated[
        str,
        typer.Option(metavar="end|start|none", help="Where a review's rating, 0 to 1, stands.", rich_help_panel=_SET),
    ] = "end",
    least_words: Annotated[
        int, typer.Option("--min-words", min=1, help="Words of a review that is learnt from.", rich_help_panel=_SET)
    ] = 15,
    most: Annotated[
        int | None, typer.Option("--limit", min=1, help="Papers at most, drawn by title.", rich_help_panel=_SET)
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the draw of validation papers.", rich_help_panel=_SET)] = 0,
    tokenizer: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", rich_help_panel=_SET, show_default=False,
            help="Count tokens by this tokenizer.json, or its folder; else characters divided by 4.",
        ),
    ] = None,
    annotate: Annotated[
        bool, typer.Option("--annotate/--no-annotate", help="Have a model write idea texts.", rich_help_panel=_IDEAS)
    ] = False,
    strip: Annotated[
        bool,
        typer.Option("--strip", help="No model: drop sentences that tell results, by rules.", rich_help_panel=_IDEAS),
    ] = False,
    annotator: Annotated[
        str | None,
        typer.Option(metavar=A_MODEL, help="Who writes them; else the reader.", rich_help_panel=_IDEAS),
    ] = None,
    checker: Annotated[
        str | None,
        typer.Option(metavar=A_MODEL, help="Who looks for leaks; else the first judge.", rich_help_panel=_IDEAS),
    ] = None,
    tries: Annotated[
        int, typer.Option(min=1, max=10, help="Times that a text is asked for.", rich_help_panel=_IDEAS)
    ] = 3,
    force: Annotated[bool, typer.Option("--force", help="Replace a set that is there.")] = False,
    base_url: BaseUrl = None, prompts: Prompts = None, fresh: Fresh = False,
    budget_usd: BudgetUsd = None, budget_tokens: BudgetTokens = None, budget_calls: BudgetCalls = None,
    as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Build data for a reviewer model from real reviews: reviews from abstracts and abstracts from reviews, of papers
    as they stand and of their ideas alone.

    Without --annotate or --strip the two idea tasks are left out. A run that stopped goes on by the same command: what
    was answered is used.
    """
    from novum.settings import load_settings
    from novum.training.reviews.durable import JudgeDataTask

    if annotate and strip:
        raise BadInput("Idea texts are written by a model (--annotate) or left by rules (--strip): choose one.")
    settings = load_settings({
        "base_url": base_url, "prompts": prompts, "budget_usd": budget_usd, "budget_tokens": budget_tokens,
        "budget_calls": budget_calls,
    })  # fmt: skip
    chosen = _settings({
        "tasks": tasks, "cutoff": cutoff, "validation": validation, "undated": undated, "withdrawn": withdrawn,
        "rating_at": rating, "least_words": least_words, "most": most, "seed": seed, "tries": tries,
        "ideas": "model" if annotate else "rules" if strip else "none",
    })  # fmt: skip
    task = JudgeDataTask(
        sources=tuple(sources),
        folder=str(out),
        settings=chosen,
        annotator=_model(settings, annotator) if annotate else "",
        checker=_model(settings, checker) if annotate else "",
        tokenizer=str(tokenizer or ""),
        force=force,
    )
    show(_made(settings, task, fresh=fresh, quiet=quiet), as_json=as_json, quiet=quiet)


def show_stored(card: JudgeDataCard, output: OutputOptions) -> None:
    """Shows the card of a data set, which lies in the folder that the run was started with."""
    show(card, as_json=output.as_json, quiet=output.quiet)


def _model(settings: LoadedSettings, named: str | None) -> str:
    return str(settings.model_named(named)) if named else ""


def _settings(given: dict[str, object]) -> JudgeDataSettings:
    """Raises BadInput for what cannot be."""
    from pydantic import ValidationError

    from novum.cli.shell.days import day_or_year
    from novum.training.reviews.settings import JudgeDataSettings

    tasks, cutoff = given.pop("tasks"), given.pop("cutoff")
    named = tuple(name.strip() for name in str(tasks).split(",") if name.strip()) if tasks else None
    day = day_or_year(str(cutoff), "--cutoff") if cutoff else None
    try:
        return JudgeDataSettings.model_validate({**given, "cutoff": day, **({"tasks": named} if named else {})})
    except ValidationError as error:
        wrong = error.errors()[0]
        name = str(wrong["loc"][0]).removesuffix("_at").replace("_", "-")
        raise BadInput(f"--{name} {wrong['input']!r}: {wrong['msg'].lower()}.") from error


def _made(settings: LoadedSettings, task: JudgeDataTask, *, fresh: bool, quiet: bool) -> JudgeDataCard:
    """A run where models are asked; else at once."""
    from novum.cli.shell.durable import run_durable
    from novum.cli.shell.interrupt import print_last_words, run_stoppable
    from novum.lab import Workplace
    from novum.training.reviews.durable import make_judge_data

    if task.settings.ideas == "model":

        async def job(workplace: Workplace, listeners: Sequence[Listener]) -> JudgeDataCard:
            return await make_judge_data(workplace, task, listeners, fresh=fresh)

        return run_durable(settings, job, quiet=quiet)

    async def work() -> JudgeDataCard:
        async with Workplace(settings) as place:
            return await make_judge_data(place, task, told=_Teller(quiet=quiet))

    return run_stoppable(work(), lambda: _STOPPED, lambda: print_last_words(_STOPPED))


class _Teller:
    """Says how far the work is, now and then."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._next: dict[str, int] = {}

    def __call__(self, what: str, done: int, of: int) -> None:
        from novum.cli.shell.terminal import print_message

        if self._quiet or done < self._next.get(what, _TOLD_EVERY):
            return
        self._next[what] = done + _TOLD_EVERY
        doing = {"read": "records read", "ideas": "papers stripped of results", "write": "papers written"}[what]
        print_message(f"{done:,}{f' of {of:,}' if of else ''} {doing}")


_TOLD_EVERY = 10_000


def show(card: JudgeDataCard, *, as_json: bool, quiet: bool) -> None:
    """What was made, in numbers."""
    from novum.cli.shell.terminal import print_json, print_line, print_message, print_table

    if as_json:
        print_json(card.model_dump(mode="json"))
        return
    tasks = list(card.lengths)
    print_table(
        ("split", "papers", "reviews", *tasks),
        (
            (each.name, f"{each.papers:,}", f"{each.reviews:,}", *(f"{each.rows.get(task, 0):,}" for task in tasks))
            for each in card.splits
        ),
    )
    print_line(f"For testing: papers of {card.cutoff} or later. Idea texts: {card.ideas_by}.")
    for name, rates in (("Idea abstracts", card.abstracts), ("Idea reviews", card.idea_reviews)):
        if rates.asked:
            print_line(f"{name}: {rates.kept:,} of {rates.asked:,} kept; {_turned(rates.turned_down)}")
    print_line(f"Written to {card.folder}: its README.md tells the rest.")
    if not any(card.splits[0].rows.values()):
        why = "no review before the cut-off has a text" if card.splits[0].papers else "no paper is before the cut-off"
        print_line(f"There is nothing to train on: {why}.")
    if not quiet:
        for what, found in (("papers", card.papers_left_out), ("reviews", card.reviews_left_out)):
            for why, number in found.items():
                print_message(f"Left out: {number:,} {what}: {why}")
        for why, number in card.notes.items():
            print_message(f"Remark: {number:,} reviews: {why}")
        for reject in card.rejects[:5]:
            print_message(f"Not usable: {reject}")


def _turned(turned: dict[str, int]) -> str:
    told = ", ".join(f"{number:,} by {why}" for why, number in turned.items())
    return f"answers turned down: {told}" if told else "no answer was turned down"
