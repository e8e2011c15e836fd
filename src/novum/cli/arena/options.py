"""What `novum arena run` is told: read, checked, and made into what takes part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from novum.cli.liveidea.options import listed, text_of
from novum.cli.shell.options import A_DATE, A_MODEL, MODELS, panel_option
from novum.errors import BadInput

if TYPE_CHECKING:
    import datetime as dt

    from novum.benchmarks.arena.task import ArenaTask
    from novum.benchmarks.arena.topics import TopicList
    from novum.core.comparison import ArenaEntry, ArenaTopic
    from novum.settings import LoadedSettings

CONTEST = "Contest"
_TOLD = 20

TopicsFile = Annotated[
    Path | None,
    panel_option(CONTEST, "Topics: one a line, or CSV or JSONL with a column topic.", metavar="FILE"),
]
Topics = Annotated[
    list[str] | None, panel_option(CONTEST, "A topic, in your words; repeatable.", "--topic", metavar="TEXT")
]
Methods = Annotated[
    list[str] | None,
    panel_option(
        CONTEST,
        "Generators, as METHOD or METHOD:option=value,name=…; repeatable, or with commas (`novum methods list`).",
        "--method", "-m", metavar="METHOD",
    ),
]  # fmt: skip
IdeasFiles = Annotated[
    list[Path] | None,
    panel_option(CONTEST, "Ideas that others made, JSONL or CSV; repeatable.", "--ideas", metavar="FILE"),
]
Before = Annotated[
    str | None, panel_option(CONTEST, "No generator reads or cites what is from this day or later.", metavar=A_DATE)
]
Experiments = Annotated[
    bool, panel_option(CONTEST, "Have experiments designed too, and compare these as well.", "--experiments")
]
ScheduleName = Annotated[
    str,
    panel_option(CONTEST, "Which pairs meet: round-robin (all), swiss, or adaptive (where there is most to learn)."),
]
Level = Annotated[
    float, panel_option(CONTEST, "How sure of the ranking `adaptive` must be, as expected Kendall's tau.")
]
SureAbout = Annotated[
    list[str] | None,
    panel_option(
        CONTEST, "Criterion that swiss and adaptive go by; repeatable. Else the average of all.", "--sure-about",
        metavar="NAME",
    ),
]  # fmt: skip
MostPairs = Annotated[int | None, panel_option(CONTEST, "Pairs to judge at most.", "--max-pairs", metavar="N")]
JudgeNames = Annotated[
    list[str] | None,
    panel_option(
        MODELS, "Judge; repeatable, or with commas. Default: those of the settings.", "--judge", metavar=A_MODEL
    ),
]
Writer = Annotated[str | None, panel_option(MODELS, "Model that has the ideas.", "--model", metavar=A_MODEL)]


@dataclass(frozen=True)
class Chosen:
    """The options as they were given."""

    topics_file: Path | None
    topics: Sequence[str]
    methods: Sequence[str]
    ideas: Sequence[Path]
    judges: Sequence[str]
    before: dt.date | None
    experiments: bool
    protocol: dict[str, Any]
    """Schedule, level, what to be sure about, and the most pairs."""


def assignment_from(settings: LoadedSettings, chosen: Chosen) -> ArenaTask:
    """Who meets whom. Raises BadInput for whatever cannot be."""
    from pydantic import ValidationError

    from novum.benchmarks.arena.task import ArenaTask, entrants_in, kinds_of, parse_entrants

    made = parse_entrants(chosen.methods)
    if not made and not chosen.ideas:
        raise BadInput("Nobody takes part: name generators with --method, or a file of ideas by --ideas.")
    brought = _brought(chosen.ideas)
    topics = _topics(chosen, brought)
    given = _on_topics(brought, topics)
    judges = [settings.model_named(name) for name in listed(chosen.judges)] or list(settings.cast().judges)
    try:
        return ArenaTask.model_validate(
            {
                "topics": topics,
                "entrants": (*made, *entrants_in(given)),
                "judges": tuple(str(judge) for judge in dict.fromkeys(judges)),
                "kinds": kinds_of(experiments=chosen.experiments),
                "given": given,
                "before": chosen.before,
                **chosen.protocol,
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        told = first["msg"].removeprefix("Value error, ")
        raise BadInput(f"{where or 'This arena'} cannot be used: {told}.") from error


def topics_in(file: Path) -> TopicList:
    """The topics of a file; lines that are none are told."""
    from novum.benchmarks.arena.topics import read_topics

    found = read_topics(text_of(file, "--topics"), file.suffix)
    tell_refused(found, str(file))
    return found


def tell_refused(found: TopicList, source: str) -> None:
    """What gave no topic, on stderr."""
    from novum.cli.shell.terminal import one_line, print_message

    for each in found.refused[:_TOLD]:
        print_message(one_line(f"{source}, {each.where}: left out, {each.why}", 300))
    if len(found.refused) > _TOLD:
        print_message(f"… and {len(found.refused) - _TOLD:,} more were left out.")


def _topics(chosen: Chosen, brought: Sequence[ArenaEntry]) -> tuple[ArenaTopic, ...]:
    """Those of the file and of the command line; without either, those that ideas were brought on."""
    from novum.core.comparison import ArenaTopic
    from novum.runs.ideation import read_topic

    listed_ = topics_in(chosen.topics_file).topics if chosen.topics_file else ()
    typed = [ArenaTopic(topic=read_topic(text).text) for text in chosen.topics]
    found = [*listed_, *typed] or [ArenaTopic(topic=each.topic) for each in brought]
    if not found:
        raise BadInput("There is no topic: name a file by --topics, or a topic by --topic.")
    return tuple({each.topic.casefold(): each for each in reversed(found)}.values())[::-1]


def _brought(files: Sequence[Path]) -> list[ArenaEntry]:
    from novum.benchmarks.arena.exporting import ImportLog, read_entries
    from novum.cli.arena.lookup import tell_unread

    entries: list[ArenaEntry] = []
    for file in files:
        reading = ImportLog()
        found = read_entries(file, reading, file.stem)
        tell_unread(reading)
        if not found:
            raise BadInput(f"{file} holds no ideas. It needs the columns topic, entrant and title, method or summary.")
        entries += found
    return entries


def _on_topics(entries: Sequence[ArenaEntry], topics: Sequence[ArenaTopic]) -> tuple[ArenaEntry, ...]:
    """Entries under the wording of the arena's topics; those on other topics are left out, and told."""
    from novum.cli.shell.terminal import print_message

    wording = {each.topic.casefold(): each.topic for each in topics}
    found: dict[tuple[str, str], ArenaEntry] = {}
    for each in entries:
        if (topic := wording.get(each.topic.casefold())) is not None:
            found.setdefault((topic, each.entrant), each.model_copy(update={"topic": topic}))
    if left := len(entries) - len(found):
        print_message(f"{left:,} ideas are on other topics, or come second on one, and were left out.")
    return tuple(found.values())
