"""What `novum foresight` is told: read, checked, and made into what is to be found out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from novum.cli.liveidea.options import listed
from novum.cli.shell.options import A_DATE, panel_option
from novum.errors import BadInput
from novum.reports.phrases import count

if TYPE_CHECKING:
    from novum.benchmarks.foresight.records import Cutoff
    from novum.benchmarks.foresight.task import ForesightTask
    from novum.core.comparison import ArenaEntry, ArenaTopic, Entrant
    from novum.settings import LoadedSettings

STUDY, COMPARED = "Study", "What is compared"
_BEFORE = re.compile(r"[:,]\s*before\s*=")

Methods = Annotated[
    list[str] | None,
    panel_option(
        STUDY,
        "Generators, as METHOD or METHOD:option=value,name=…; repeatable, or with commas (`novum methods list`).",
        "--method", "-m", metavar="METHOD",
    ),
]  # fmt: skip
IdeasOf = Annotated[
    list[str] | None,
    panel_option(
        STUDY, "Ideas that were made before: a run, its report, or a table (JSONL, CSV); repeatable.", "--ideas",
        metavar="RUN|FILE",
    ),
]  # fmt: skip
TopicsFile = Annotated[
    Path | None, panel_option(STUDY, "Topics: one a line, or CSV or JSONL with a column topic.", metavar="FILE")
]
Topics = Annotated[
    list[str] | None, panel_option(STUDY, "A topic, in your words; repeatable.", "--topic", metavar="TEXT")
]
Cutoffs = Annotated[
    list[str] | None,
    panel_option(STUDY, "Last year that is read; repeatable, or with commas.", "--cutoff", metavar="YEAR"),
]
Day = Annotated[str | None, panel_option(STUDY, "Or the first day that is no longer read.", "--before", metavar=A_DATE)]
Horizon = Annotated[int, panel_option(STUDY, "Years after each cut-off that count as its future.")]
Draw = Annotated[int, panel_option(STUDY, "Topics sampled from the library where none is given.", "--sample", metavar="N")]
Plain = Annotated[
    bool | None,
    panel_option(
        STUDY, "Ideas of a prompt that reads nothing, to compare with. By default where methods are named.",
        "--plain/--no-plain",
    ),
]  # fmt: skip
Neighbours = Annotated[int, panel_option(COMPARED, "Nearest papers that a similarity is the mean of.", metavar="N")]
Pool = Annotated[int, panel_option(COMPARED, "Papers near a topic in each year, at most.", metavar="N")]
Earlier = Annotated[int, panel_option(COMPARED, "Earlier papers of a topic that stand in for ideas.", metavar="N")]
FalsePositives = Annotated[
    float, panel_option(COMPARED, "Share of random pairs of papers that may pass for a hit.", metavar="N")
]


@dataclass(frozen=True)
class Chosen:
    """The options as they were given."""

    methods: Sequence[str]
    ideas: Sequence[str]
    cutoffs: Sequence[str]
    day: str | None
    topics_file: Path | None
    topics: Sequence[str]
    draw: int
    plain: bool | None
    sizes: dict[str, Any]
    """Horizon, neighbours, pool, earlier papers, and the share of false positives."""


def task_from(settings: LoadedSettings, chosen: Chosen) -> ForesightTask:
    """What is to be found out. Raises BadInput for whatever cannot be."""
    from pydantic import ValidationError

    from novum.benchmarks.arena.task import parse_entrants
    from novum.benchmarks.foresight.task import ForesightTask

    if any(_BEFORE.search(text) for text in chosen.methods):
        raise BadInput("--method: before follows from the cut-offs. Leave it out, and name them with --cutoff or --before.")
    methods = list(parse_entrants(chosen.methods))
    if not methods and not chosen.ideas:
        raise BadInput("Nobody has ideas: name generators by --method, or ideas that were made before by --ideas.")
    cutoffs = cutoffs_from(chosen.cutoffs, chosen.day)
    given, beware = _given(chosen.ideas, cutoffs)
    named = _named_topics(chosen, given)
    plain = _plain(methods, chosen.plain)
    try:
        task = ForesightTask.model_validate(
            {
                "cutoffs": cutoffs,
                "topics": named or ({"topic": "drawn later"},),
                "methods": methods,
                "plain": plain,
                "given": _on_topics(given, named),
                "beware": beware,
                **chosen.sizes,
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        what = next((f"--{part.replace('_', '-')}" for part in first["loc"] if part in chosen.sizes), "This study")
        told = first["msg"].removeprefix("Value error, ").removeprefix("Input ")
        raise BadInput(f"{what} cannot be used: {f'it {told}' if told.startswith('should') else told}.") from error
    if named:
        return task
    return task.model_copy(update={"topics": _drawn(settings, task, chosen.draw), "drawn": True})


def cutoffs_from(texts: Sequence[str], day: str | None) -> tuple[Cutoff, ...]:
    """In the order of their days, each once. Raises BadInput for what is none, and where there is none."""
    from novum.benchmarks.foresight.task import cutoff_of
    from novum.cli.shell.days import day as read_day

    first = read_day(day, "--before")
    found = [cutoff_of(text) for text in (*listed(texts), *([first.isoformat()] if first else []))]
    if not found:
        raise BadInput("Name where reading ends: the last year that is read with --cutoff 2021, or a day with --before.")
    return tuple({each.day: each for each in sorted(found, key=lambda each: each.day)}.values())


def _plain(methods: list[Entrant], wanted: bool | None) -> str:
    """The name of the prompt that reads nothing, which is added where it is not among the methods."""
    from novum.benchmarks.foresight.task import PLAIN

    there = next((each.name for each in methods if each.method == PLAIN.method), "")
    if there or wanted is False or (wanted is None and not methods):
        return there
    methods.append(PLAIN)
    return PLAIN.name


def _named_topics(chosen: Chosen, given: Sequence[ArenaEntry]) -> tuple[ArenaTopic, ...]:
    """Those of the file and of the command line; without either, those of the ideas."""
    from novum.cli.arena.options import topics_in
    from novum.core.comparison import ArenaTopic
    from novum.runs.ideation import read_topic

    in_file = topics_in(chosen.topics_file).topics if chosen.topics_file else ()
    typed = [ArenaTopic(topic=read_topic(text).text) for text in chosen.topics]
    found = [*in_file, *typed] or [ArenaTopic(topic=each.topic) for each in given]
    return tuple({each.topic.casefold(): each for each in reversed(found)}.values())[::-1]


def _drawn(settings: LoadedSettings, task: ForesightTask, number: int) -> tuple[ArenaTopic, ...]:
    from novum.benchmarks.foresight.durable import find_topics
    from novum.cli.shell.terminal import print_message
    from novum.lab import Workplace

    if number < 1:
        raise BadInput(f"--sample {number}: a study needs at least one topic.")

    async def find() -> tuple[ArenaTopic, ...]:
        async with Workplace(settings) as place:
            return await find_topics(place, task.cutoffs, task.horizon, number)

    found = asyncio.run(find())
    if len(found) < number:
        print_message(
            f"Only {count(len(found), 'topic')}, not {number:,}: the library has no more that go on past every cut-off."
        )
    return found


def _given(names: Sequence[str], cutoffs: Sequence[Cutoff]) -> tuple[list[ArenaEntry], list[str]]:
    """Ideas of runs and files, and what a reader has to know of what their makers had read."""
    entries: list[ArenaEntry] = []
    beware: list[str] = []
    bounded = 0
    for name in names:
        if Path(name).is_file() and Path(name).suffix.lower() != ".json":
            entries += _of_table(Path(name))
            beware.append(f"What the makers of the ideas in {Path(name).name} had read is not known.")
            continue
        found, warning = _of_run(name, min(each.day.isoformat() for each in cutoffs))
        entries += found
        bounded += not warning
        beware += [warning] if warning else []
    if bounded:
        beware.append(f"The ideas of {count(bounded, 'run')} were made with literature from before every cut-off.")
    return entries, beware


def _of_table(file: Path) -> list[ArenaEntry]:
    from novum.benchmarks.arena.exporting import ImportLog, read_entries
    from novum.cli.arena.lookup import tell_unread

    reading = ImportLog()
    found = [entry for entry in read_entries(file, reading, file.stem) if entry.idea is not None]
    tell_unread(reading)
    if not found:
        raise BadInput(f"{file} holds no ideas. It needs the columns topic and title, method or summary.")
    return found


def _of_run(name: str, first_day: str) -> tuple[list[ArenaEntry], str]:
    """All ideas of a run or report, and a warning where it may have read what came after the first cut-off."""
    from novum.cli.judge.ideas import ideation_of
    from novum.core.comparison import ArenaEntry

    ideation = ideation_of(name)
    if not ideation.candidates:
        raise BadInput(f"{name} has no idea.")
    before = ideation.options.get("before")
    made = [ArenaEntry(topic=ideation.topic, entrant=ideation.method, idea=each.idea) for each in ideation.candidates]
    if isinstance(before, str) and before <= first_day:
        return made, ""
    read = f"up to {before}" if before else "without any bound"
    return made, f"The ideas of {ideation.method} on «{ideation.topic}» were made with literature {read}."


def _on_topics(entries: Sequence[ArenaEntry], topics: Sequence[ArenaTopic]) -> tuple[ArenaEntry, ...]:
    """Under the wording of the topics; those on other topics are left out, and told."""
    from novum.cli.shell.terminal import print_message

    wording = {each.topic.casefold(): each.topic for each in topics}
    found = [
        each.model_copy(update={"topic": wording[each.topic.casefold()]})
        for each in entries
        if each.topic.casefold() in wording
    ]
    if left := len(entries) - len(found):
        print_message(f"{left:,} ideas are on other topics, and were left out.")
    if entries and not found:
        raise BadInput("None of the ideas is on one of the topics: leave the topics out, or word them as the ideas do.")
    return tuple(found)
