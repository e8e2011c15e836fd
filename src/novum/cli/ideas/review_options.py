"""The options of `novum review` and `novum filter`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from novum.cli.shell.arguments import comma_separated
from novum.cli.shell.options import A_MODEL, MODELS, PAPERS, panel_option
from novum.cli.shell.terminal import print_message
from novum.llm import ModelName
from novum.runs.review import ReviewProtocol, review_protocol
from novum.settings import LoadedSettings

REVIEWERS = "Reviewers"

Ideas = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="IDEAS", help="Runs, reports, tables of ideas (JSONL, CSV), text files; - for stdin.",
        show_default=False,
    ),
]  # fmt: skip
Reports = Annotated[int, panel_option(REVIEWERS, "Reports on each idea.", "--reviews", min=1, max=12)]
Stances = Annotated[
    str | None,
    panel_option(
        REVIEWERS,
        "Focus of each reviewer in turn, separated by commas: methods, novelty, significance, feasibility, sceptic. "
        "Default: the first three. Models named judge:NAME have none.",
        metavar="NAMES",
    ),
]
Rounds = Annotated[
    int,
    panel_option(REVIEWERS, "Revise and review the idea again, at most N times.", "--rounds", min=0, max=10),
]
WithPapers = Annotated[bool, panel_option(PAPERS, "Show reviewers the nearest papers of the library.", "--with-papers")]
Judges = Annotated[
    list[str] | None,
    panel_option(MODELS, "Reviewer; repeatable, or with commas. Reports are spread over them. judge:NAME is "
                 "a model trained here.", "--judge", metavar=A_MODEL),
]  # fmt: skip
Decider = Annotated[
    str | None,
    panel_option(MODELS, "Model that decides. Default: the first judge that is not judge:NAME.", metavar=A_MODEL),
]
Writer = Annotated[str | None, panel_option(MODELS, "Model that revises the ideas.", "--model", metavar=A_MODEL)]


@dataclass(frozen=True)
class ReviewOptions:
    """How ideas are reviewed, and by which models."""

    reviews: Reports = 3
    stances: Stances = None
    rounds: Rounds = 0
    with_papers: WithPapers = False
    judges: Judges = None
    decider: Decider = None
    model: Writer = None

    def protocol(self, settings: LoadedSettings) -> ReviewProtocol:
        """Uses the models of the settings where the command line names none. Raises BadInput."""
        judges = [settings.model_named(name) for name in comma_separated(self.judges)] or list(
            settings.model_roles().judges
        )
        protocol = review_protocol(
            settings, judges=judges, decider=self.decider or "", reports=self.reviews, rounds=self.rounds,
            stances=comma_separated([self.stances] if self.stances else None), with_papers=self.with_papers,
        )  # fmt: skip
        for line in self._ignored(judges, settings.model_named(protocol.decider)):
            print_message(line)
        return protocol

    def _ignored(self, judges: Sequence[ModelName], decider: ModelName) -> Iterator[str]:
        """Messages about options that have no effect, because reviewer models cannot do what they say."""
        writing = [each for each in judges if each.provider.writes_reports]
        if not self.decider and judges[0] in writing:
            yield f"{judges[0].short} writes reports: {decider.short} decides on them (--decider names another)."
        for given, what in ((self.stances, "takes no stance"), (self.with_papers, "is shown no papers")):
            if given and writing:
                yield f"{writing[0].short} {what}: it reads title and abstract, and writes as it was trained."
