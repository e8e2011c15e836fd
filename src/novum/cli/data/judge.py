"""`novum data build judge`: training data for a reviewer model from real peer reviews."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from novum.cli.shell.durable import run_durable
from novum.cli.shell.group import examples
from novum.cli.shell.interrupt import print_last_words, run_stoppable
from novum.cli.shell.option_groups import ModelOptions
from novum.cli.shell.options import A_DATE, A_MODEL, AsJson, Quiet, panel_option, read_date_or_year
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.terminal import print_json, print_line, print_message, print_table
from novum.errors import BadInput
from novum.lab import Workplace
from novum.ledger.run import Listener
from novum.settings import LoadedSettings
from novum.training.reviews.card import JudgeDataCard
from novum.training.reviews.durable import JudgeDataTask, make_judge_data
from novum.training.reviews.settings import TASKS, JudgeDataSettings

_STOPPED = "Stopped. Nothing was written; an earlier data set is unchanged."
_SET, _IDEAS = "Content", "Idea texts"
_EVERY = 10_000
"""Records between two lines of progress."""


@dataclass(frozen=True)
class ContentOptions:
    """What a data set contains. The names are those of `JudgeDataSettings`."""

    cutoff: Annotated[
        str | None,
        panel_option(
            _SET, "Test papers are of this year or date, or later. Default: the latest year that leaves a tenth.",
            metavar=A_DATE,
        ),
    ] = None  # fmt: skip
    tasks: Annotated[
        str | None,
        panel_option(
            _SET, "original-review, idea-review, original-abstract, idea-abstract. Default: all with texts.",
            metavar="NAMES",
        ),
    ] = None  # fmt: skip
    validation: Annotated[float, panel_option(_SET, "Share of earlier papers for validation.", min=0, max=0.5)] = 0.05
    undated: Annotated[str, panel_option(_SET, "What to do with papers without a year.", metavar="drop|train")] = "drop"
    withdrawn: Annotated[bool, panel_option(_SET, "Include reviews of withdrawn papers.")] = True
    rating_at: Annotated[
        str,
        panel_option(_SET, "Position of the rating (0 to 1) in a review.", "--rating", metavar="end|start|none"),
    ] = "end"
    least_words: Annotated[int, panel_option(_SET, "Skip review texts with fewer words.", "--min-words", min=1)] = 15
    most: Annotated[int | None, panel_option(_SET, "Use at most N papers, sampled by title.", "--limit", min=1)] = None
    seed: Annotated[int, panel_option(_SET, "Random seed of the validation papers.")] = 0
    tries: Annotated[int, panel_option(_IDEAS, "Attempts of the model for each text.", min=1, max=10)] = 3

    def settings(self, ideas: str) -> JudgeDataSettings:
        """`ideas`: none, rules or model. Raises BadInput for a value that the settings do not allow."""
        names = tuple(name.strip() for name in (self.tasks or "").split(",") if name.strip())
        fields = asdict(self) | {"cutoff": read_date_or_year(self.cutoff, "--cutoff"), "ideas": ideas}
        try:
            return JudgeDataSettings.model_validate(fields | {"tasks": names or TASKS})
        except ValidationError as error:
            wrong = error.errors()[0]
            name = str(wrong["loc"][0]).removesuffix("_at").replace("_", "-")
            raise BadInput(f"--{name} {wrong['input']!r}: {wrong['msg'].lower()}.") from error


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
    out: Annotated[Path, typer.Option(metavar="DIR", help="New folder for the data set.")],
    content: ContentOptions,
    tokenizer: Annotated[
        Path | None,
        panel_option(
            _SET, "Count tokens with this tokenizer.json, or its folder. Default: characters divided by 4.",
            metavar="FILE",
        ),
    ] = None,
    annotate: Annotated[
        bool,
        panel_option(
            _IDEAS, "Let a model write them: abstracts and reviews without results.", "--annotate/--no-annotate"
        ),
    ] = False,
    strip: Annotated[
        bool, panel_option(_IDEAS, "Without a model: drop sentences with results, by rules.", "--strip")
    ] = False,
    annotator: Annotated[
        str | None, panel_option(_IDEAS, "Model that writes them. Default: the reader.", metavar=A_MODEL)
    ] = None,
    checker: Annotated[
        str | None,
        panel_option(_IDEAS, "Model that checks that no result is left. Default: the first judge.", metavar=A_MODEL),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing data set.")] = False,
    models: ModelOptions, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Build training data for a reviewer model from real reviews: reviews from abstracts and abstracts from reviews, of
    whole papers and of their ideas alone.

    Without --annotate or --strip the two idea tasks are omitted. The same command resumes a run that stopped, and
    uses the recorded responses.
    """
    if annotate and strip:
        raise BadInput("Idea texts are written by a model (--annotate) or made by rules (--strip): choose one.")
    settings = models.settings()
    task = JudgeDataTask(
        sources=tuple(sources),
        folder=str(out),
        settings=content.settings("model" if annotate else "rules" if strip else "none"),
        annotator=_model(settings, annotator) if annotate else "",
        checker=_model(settings, checker) if annotate else "",
        tokenizer=str(tokenizer or ""),
        force=force,
    )
    show(_build(settings, task, fresh=models.fresh, quiet=quiet), as_json=as_json, quiet=quiet)


def show_stored(card: JudgeDataCard, output: OutputOptions) -> None:
    """Shows the card of a data set. It is in the folder that the run was started with."""
    show(card, as_json=output.as_json, quiet=output.quiet)


def _model(settings: LoadedSettings, named: str | None) -> str:
    return str(settings.model_named(named)) if named else ""


def _build(settings: LoadedSettings, task: JudgeDataTask, *, fresh: bool, quiet: bool) -> JudgeDataCard:
    """Builds the data set, as a durable run if models write idea texts."""
    if task.settings.ideas == "model":

        async def job(workplace: Workplace, listeners: Sequence[Listener]) -> JudgeDataCard:
            return await make_judge_data(workplace, task, listeners, fresh=fresh)

        return run_durable(settings, job, quiet=quiet)

    async def work() -> JudgeDataCard:
        async with Workplace(settings) as place:
            return await make_judge_data(place, task, progress=_ReportProgress(quiet=quiet))

    return run_stoppable(work(), lambda: _STOPPED, lambda: print_last_words(_STOPPED))


class _ReportProgress:
    """Prints a line of progress now and then."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._next: dict[str, int] = {}

    def __call__(self, what: str, done: int, of: int) -> None:
        if self._quiet or done < self._next.get(what, _EVERY):
            return
        self._next[what] = done + _EVERY
        doing = {"read": "records read", "ideas": "papers stripped of results", "write": "papers written"}[what]
        print_message(f"{done:,}{f' of {of:,}' if of else ''} {doing}")


def show(card: JudgeDataCard, *, as_json: bool, quiet: bool) -> None:
    """Prints the data set in numbers."""
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
    print_line(f"Test papers: {card.cutoff} or later. Idea texts: {card.ideas_by}.")
    for name, rates in (("Idea abstracts", card.abstracts), ("Idea reviews", card.idea_reviews)):
        if rates.asked:
            print_line(f"{name}: {rates.kept:,} of {rates.asked:,} accepted; {_rejections(rates.turned_down)}")
    print_line(f"Written to {card.folder}: see its README.md.")
    if not any(card.splits[0].rows.values()):
        why = "no review before the cut-off has a text" if card.splits[0].papers else "no paper is before the cut-off"
        print_line(f"There are no rows to train on: {why}.")
    if not quiet:
        for what, reasons in (("papers", card.papers_left_out), ("reviews", card.reviews_left_out)):
            for why, number in reasons.items():
                print_message(f"Skipped: {number:,} {what}: {why}")
        for why, number in card.notes.items():
            print_message(f"Note: {number:,} reviews: {why}")
        for reject in card.rejects[:5]:
            print_message(f"Not usable: {reject}")


def _rejections(rejected: dict[str, int]) -> str:
    listed = ", ".join(f"{number:,} by {why}" for why, number in rejected.items())
    return f"rejected responses: {listed}" if listed else "no response was rejected"
