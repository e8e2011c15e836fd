"""`novum data build ideas`: papers as answers to the request for an idea on a topic."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer
from pydantic import ValidationError

from novum.cli.shell.group import examples
from novum.cli.shell.library_progress import library_progress
from novum.cli.shell.options import panel_option
from novum.cli.shell.paper_source import add_papers, paper_source
from novum.cli.shell.terminal import print_json, print_line, print_table
from novum.cli.shell.workplace import in_workplace
from novum.errors import BadInput
from novum.lab import Workplace
from novum.runs.library import Rate
from novum.training.ideas.card import IdeaDataCard, IdeaDataSettings
from novum.training.ideas.data_set import IdeaDataTask, check_place, make_idea_set
from novum.training.preferences.files import README

_STOPPED = "Stopped. Nothing was written; an earlier data set is unchanged."
_CONTENT, _TOPICS = "Papers", "Topics"
_FEW = 1000
"""Rows below which training hardly learns anything."""


@dataclass(frozen=True)
class IdeaOptions:
    """What a data set contains."""

    since: Annotated[int, panel_option(_CONTENT, "First year of the papers.", metavar="YEAR")] = 2019
    before: Annotated[int, panel_option(_CONTENT, "Year after the last one.", metavar="YEAR")] = 2024
    field: Annotated[list[str] | None, panel_option(_CONTENT, "Only papers of this field; repeatable.")] = None
    split: Annotated[
        Literal["by-time", "by-chance"],
        panel_option(_CONTENT, "How papers are divided into train, validation and test (80/10/10)."),
    ] = "by-time"
    most: Annotated[int | None, panel_option(_CONTENT, "At most N papers, sampled by title.", "--limit", min=30)] = None
    topics: Annotated[
        str, panel_option(_TOPICS, "Numbers of topics to try; the most coherent is used.", metavar="N")
    ] = "10,20,40,80"
    topic_words: Annotated[int, panel_option(_TOPICS, "Words in the name of a topic.", min=1, max=30)] = 6
    sample: Annotated[int, panel_option(_TOPICS, "Papers that topics are fitted to.", min=30)] = 20_000

    def settings(self, seed: int) -> IdeaDataSettings:
        """Raises BadInput for a value that the settings do not allow."""
        try:
            numbers = tuple(int(each) for each in self.topics.split(",") if each.strip())
            if not numbers or min(numbers) < 2:
                raise ValueError
        except ValueError as error:
            raise BadInput(f"--topics {self.topics!r}: write numbers of at least 2, such as 10,20,40.") from error
        if self.since >= self.before:
            raise BadInput(f"--since {self.since} is not before --before {self.before}: no year lies between them.")
        fields = {
            "since": self.since, "before": self.before, "fields": tuple(self.field or ()), "split": self.split,
            "most": self.most, "topics": numbers, "topic_words": self.topic_words, "sample": self.sample, "seed": seed,
        }  # fmt: skip
        try:
            return IdeaDataSettings.model_validate(fields)
        except ValidationError as error:
            wrong = error.errors()[0]
            raise BadInput(f"{wrong['loc'][0]}: {wrong['msg'].lower()}.") from error


@examples(
    "novum data build ideas --out ideas",
    "novum data build ideas --library dblp_v14.jsonl --out ideas",
    'novum data build ideas --field "computer vision" --topics 20,40 --out vision',
    "novum data build ideas --since 2019 --before 2022 --limit 100000 --out until-2021",
)
def ideas(
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="New folder for the data set.")],
    library: Annotated[
        str | None,
        panel_option(
            _CONTENT, "A library folder, or a file of papers. Default: your library.", metavar="DIR|FILE"
        ),
    ] = None,
    content: IdeaOptions,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Random seed. Default: the setting `seed`.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing data set.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the card as JSON.")] = False,
) -> None:  # fmt: skip
    """Make training data for an idea model: a request for an idea on a topic, and a paper's title and abstract.

    Topics are found by Latent Dirichlet Allocation; their number is the one with the largest coherence. No language
    model is used. The data set is written whole or not at all, with a data card.
    """
    check_place(out, force=force)
    content.settings(0)
    source = paper_source(library)

    async def job(workplace: Workplace) -> IdeaDataCard:
        own_seed = workplace.settings.values.seed if seed is None else seed
        add_papers(workplace, source)
        task = IdeaDataTask(out, content.settings(own_seed), force)
        with library_progress() as progress:
            rates = {"papers": Rate("papers read", progress), "topics": Rate("topic models", progress),
                     "rows": Rate("rows", progress)}  # fmt: skip
            return await make_idea_set(
                workplace, task, lambda step, done, total: rates[step](step, done, total or None)
            )

    card = in_workplace(job, _STOPPED, {"library": source.library})
    if as_json:
        print_json(card.model_dump(mode="json") | {"folder": str(out)})
    else:
        _print(card, out)


def _print(card: IdeaDataCard, folder: Path) -> None:
    best = max(card.tried, key=lambda each: (each.coherence, -each.topics))
    print_table(
        ("topics", "coherence", ""),
        ((f"{each.topics}", f"{each.coherence:.3f}", "used" if each == best else "") for each in card.tried),
    )
    heads = ("split", "rows", "topics", "years", "tokens")
    print_table(
        heads,
        (
            (each.name, f"{each.rows:,}", f"{each.topics:,}", f"{each.first_year or '?'} to {each.last_year or '?'}",
             f"about {each.tokens:,}")
            for each in card.splits
        ),
    )  # fmt: skip
    for why, number in card.left_out.items():
        print_line(f"Left out: {number:,} papers: {why}")
    for note in card.notes:
        print_line(note)
    if sum(each.rows for each in card.splits) < _FEW:
        print_line("These are few rows: good for a demonstration. A larger library gives more.")
    print_line(str(folder / README))
