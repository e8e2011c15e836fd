"""Options of `novum arena run`, and the task that they describe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from novum.benchmarks.arena.importing import read_entries
from novum.benchmarks.arena.task import ArenaTask, entrants_in, parse_entrants
from novum.benchmarks.arena.topics import TopicList, read_topics
from novum.cli.shell.arguments import comma_separated, print_import_log, print_skipped, text_of_file
from novum.cli.shell.options import A_DATE, A_MODEL, MODELS, panel_option, read_date
from novum.cli.shell.terminal import print_message
from novum.core.comparison import ArenaEntry, ArenaTopic, Entrant
from novum.core.record import first_error
from novum.errors import BadInput
from novum.files.tables import ImportLog
from novum.judges.judging_protocol import NEWEST_PROTOCOL
from novum.runs.ideation import read_topic
from novum.settings import LoadedSettings

ARENA_PANEL = "Arena"

RunOrFile = Annotated[
    str, typer.Argument(metavar="RUN|FILE", help="A run, or a file or folder of matches.", show_default=False)
]
Writer = Annotated[str | None, panel_option(MODELS, "Model that generates ideas.", "--model", metavar=A_MODEL)]

TopicsFile = Annotated[
    Path | None,
    panel_option(ARENA_PANEL, "Topics: one per line, or CSV or JSONL with a column topic.", metavar="FILE"),
]
TopicTexts = Annotated[list[str] | None, panel_option(ARENA_PANEL, "One topic; repeatable.", "--topic", metavar="TEXT")]
PublishedBefore = Annotated[
    str | None,
    panel_option(ARENA_PANEL, "Generators read and cite only papers published before this day.", metavar=A_DATE),
]
ArenaJudges = Annotated[
    list[str] | None,
    panel_option(
        MODELS, "Judge; repeatable, or with commas. Default: those of the settings.", "--judge", metavar=A_MODEL
    ),
]


@dataclass(frozen=True)
class ArenaOptions:
    """The options of `novum arena run` that describe its task."""

    topics: TopicsFile = None
    topic: TopicTexts = None
    methods: Annotated[
        list[str] | None,
        panel_option(
            ARENA_PANEL,
            "Generator, as METHOD or METHOD:option=value,name=…; repeatable, or with commas (`novum methods list`).",
            "--method", "-m", metavar="METHOD",
        ),
    ] = None  # fmt: skip
    ideas: Annotated[
        list[Path] | None,
        panel_option(ARENA_PANEL, "Ideas made elsewhere, JSONL or CSV; repeatable.", "--ideas", metavar="FILE"),
    ] = None
    before: PublishedBefore = None
    experiments: Annotated[bool, panel_option(ARENA_PANEL, "Design and compare experiments too.", "--experiments")] = (
        False
    )
    schedule: Annotated[
        str,
        panel_option(
            ARENA_PANEL,
            "Which pairs are judged: round-robin (all), reference (the first entrant with each other one), swiss, or "
            "adaptive (the most informative).",
            "--schedule", metavar="NAME",
        ),
    ] = "round-robin"  # fmt: skip
    level: Annotated[
        float,
        panel_option(ARENA_PANEL, "Expected Kendall's tau of the ranking at which `adaptive` stops.", metavar="N"),
    ] = 0.95
    sure_about: Annotated[
        list[str] | None,
        panel_option(
            ARENA_PANEL,
            "Criterion that swiss and adaptive use; repeatable. Default: the average of all.",
            "--sure-about", metavar="NAME",
        ),
    ] = None  # fmt: skip
    max_pairs: Annotated[
        int | None, panel_option(ARENA_PANEL, "Judge at most N pairs.", "--max-pairs", metavar="N")
    ] = None
    protocol: Annotated[
        str,
        panel_option(
            ARENA_PANEL,
            "How judges compare: novum-2, novum-1, or published (the paper's prompts; first `novum arena protocol "
            "install`).", "--protocol", metavar="NAME",
        ),
    ] = NEWEST_PROTOCOL  # fmt: skip
    judges: ArenaJudges = None


def arena_task(
    settings: LoadedSettings,
    options: ArenaOptions,
    entrants: Sequence[Entrant] = (),
    own: Mapping[str, object] | None = None,
) -> ArenaTask:
    """The task that the options describe. `entrants`: in addition to those of the options. `own`: fields of the task
    that no option sets. Raises BadInput when they do not make an arena."""
    generators = (*entrants, *parse_entrants(options.methods or ()))
    if not generators and not options.ideas:
        raise BadInput("Nobody takes part: name generators with --method, or a file of ideas with --ideas.")
    imported = _entries_in(options.ideas or ())
    topics = _topics(options, imported)
    given = _on_topics(imported, topics)
    judges = [settings.model_named(name) for name in comma_separated(options.judges)] or list(
        settings.model_roles().judges
    )
    try:
        return ArenaTask.model_validate(
            {
                "topics": topics,
                "entrants": (*generators, *entrants_in(given)),
                "judges": tuple(str(judge) for judge in dict.fromkeys(judges)),
                "kinds": ("idea", "experiment") if options.experiments else ("idea",),
                "given": given,
                "before": read_date(options.before, "--before"),
                "schedule": options.schedule,
                "level": options.level,
                "sure_about": comma_separated(options.sure_about),
                "most_pairs": options.max_pairs,
                "protocol": options.protocol,
                **(own or {}),
            }
        )
    except ValidationError as error:
        raise BadInput(f"This arena cannot be used: {first_error(error)}.") from error


def topics_in(file: Path) -> TopicList:
    """The topics of a file; lines that are none are printed."""
    topics = read_topics(text_of_file(file, "--topics"), file.suffix)
    print_skipped(topics.refused, file)
    return topics


def _topics(options: ArenaOptions, imported: Sequence[ArenaEntry]) -> tuple[ArenaTopic, ...]:
    topics = named_topics(options.topics, options.topic or (), imported)
    if not topics:
        raise BadInput("There is no topic: name a file by --topics, or a topic by --topic.")
    return topics


def named_topics(file: Path | None, typed: Sequence[str], imported: Sequence[ArenaEntry]) -> tuple[ArenaTopic, ...]:
    """The topics of a file and of the command line, each once; without either, those of imported ideas."""
    in_file = topics_in(file).topics if file else ()
    topics = [*in_file, *(ArenaTopic(topic=read_topic(text).text) for text in typed)]
    every = topics or [ArenaTopic(topic=each.topic) for each in imported]
    return tuple({each.topic.casefold(): each for each in reversed(every)}.values())[::-1]


def _entries_in(files: Sequence[Path]) -> list[ArenaEntry]:
    entries: list[ArenaEntry] = []
    for file in files:
        log = ImportLog()
        found = read_entries(file, log, file.stem)
        print_import_log(log)
        if not found:
            raise BadInput(f"{file} holds no ideas. It needs the columns topic, entrant and title, method or summary.")
        entries += found
    return entries


def _on_topics(entries: Sequence[ArenaEntry], topics: Sequence[ArenaTopic]) -> tuple[ArenaEntry, ...]:
    """Entries under the wording of the arena's topics; the number of those on other topics is printed."""
    wording = {each.topic.casefold(): each.topic for each in topics}
    found: dict[tuple[str, str], ArenaEntry] = {}
    for each in entries:
        if (topic := wording.get(each.topic.casefold())) is not None:
            found.setdefault((topic, each.entrant), each.model_copy(update={"topic": topic}))
    if left := len(entries) - len(found):
        print_message(f"{left:,} ideas are on other topics, or come second on one, and were left out.")
    return tuple(found.values())
