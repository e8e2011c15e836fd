"""The options of `novum foresight`, and the task that they describe."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import ValidationError

from novum.benchmarks.arena.importing import read_entries
from novum.benchmarks.arena.task import parse_entrants
from novum.benchmarks.foresight.durable import find_topics
from novum.benchmarks.foresight.records import Cutoff
from novum.benchmarks.foresight.task import PLAIN, ForesightTask, cutoff_of
from novum.cli.arena.options import named_topics
from novum.cli.shell.arguments import comma_separated, print_import_log
from novum.cli.shell.options import A_DATE, A_PAIR, panel_option, read_date
from novum.cli.shell.terminal import print_message
from novum.core.comparison import ArenaEntry, ArenaTopic, Entrant
from novum.errors import BadInput
from novum.files.tables import ImportLog
from novum.lab import Workplace
from novum.reports.phrases import count
from novum.runs.idea_sources import ideation_of
from novum.settings import LoadedSettings, load_settings

STUDY, COMPARED = "Study", "Comparison"
_BEFORE = re.compile(r"[:,]\s*before\s*=")


@dataclass(frozen=True)
class ForesightOptions:
    """The options of `novum foresight run` that describe its task."""

    methods: Annotated[
        list[str] | None,
        panel_option(
            STUDY,
            "Generators, as METHOD or METHOD:option=value,name=…; repeatable, or with commas (`novum methods list`).",
            "--method", "-m", metavar="METHOD",
        ),
    ] = None  # fmt: skip
    ideas: Annotated[
        list[str] | None,
        panel_option(
            STUDY, "Existing ideas: a run, its report, or a table (JSONL, CSV); repeatable.", "--ideas",
            metavar="RUN|FILE",
        ),
    ] = None  # fmt: skip
    cutoffs: Annotated[
        list[str] | None,
        panel_option(
            STUDY, "Last year of the literature that methods read; repeatable, or with commas.", "--cutoff",
            metavar="YEAR",
        ),
    ] = None  # fmt: skip
    day: Annotated[
        str | None,
        panel_option(STUDY, "Instead of a year: the first day that is not read.", "--before", metavar=A_DATE),
    ] = None
    writers: Annotated[
        list[str] | None,
        panel_option(
            STUDY, "Model that writes the ideas up to a cut-off, such as one trained on the literature up to then "
            "(2019=server:upto-2019); repeatable. Default: --model.", "--model-of", metavar=A_PAIR,
        ),
    ] = None  # fmt: skip
    horizon: Annotated[int, panel_option(STUDY, "Years after each cut-off to compare with.")] = 3
    topics: Annotated[
        Path | None, panel_option(STUDY, "Topics: one a line, or CSV or JSONL with a column topic.", metavar="FILE")
    ] = None
    topic: Annotated[list[str] | None, panel_option(STUDY, "A topic; repeatable.", "--topic", metavar="TEXT")] = None
    sample: Annotated[
        int, panel_option(STUDY, "Topics to sample from the library if none is given.", "--sample", metavar="N")
    ] = 20
    plain: Annotated[
        bool | None,
        panel_option(
            STUDY, "Add the baseline of a prompt that reads nothing. Default: if methods are given.",
            "--plain/--no-plain",
        ),
    ] = None  # fmt: skip
    neighbours: Annotated[
        int, panel_option(COMPARED, "Nearest papers over which a similarity is averaged.", metavar="N")
    ] = 5
    pool: Annotated[int, panel_option(COMPARED, "Papers near a topic in each year, at most.", metavar="N")] = 50
    earlier: Annotated[
        int, panel_option(COMPARED, "Earlier papers of a topic that serve as a baseline.", metavar="N")
    ] = 10
    false_positives: Annotated[
        float, panel_option(COMPARED, "Share of random pairs of papers that may count as a hit.", metavar="N")
    ] = 0.01


_SIZES = ("horizon", "neighbours", "pool", "earlier", "false_positives")


def task_from(settings: LoadedSettings, options: ForesightOptions) -> ForesightTask:
    """The task that the options describe. Raises BadInput for options that cannot be used."""
    if any(_BEFORE.search(text) for text in options.methods or ()):
        raise BadInput(
            "--method: before follows from the cut-offs. Leave it out, and name them with --cutoff or --before."
        )
    methods = list(parse_entrants(options.methods or ()))
    if not methods and not options.ideas:
        raise BadInput("There are no ideas to compare: name methods with --method, or existing ideas with --ideas.")
    cutoffs = cutoffs_from(options.cutoffs or (), options.day)
    given, beware = _given(options.ideas or (), cutoffs)
    named = named_topics(options.topics, options.topic or (), given)
    plain = _plain(methods, options.plain)
    try:
        task = ForesightTask.model_validate(
            {
                "cutoffs": cutoffs,
                "topics": named or ({"topic": "sampled later"},),
                "methods": methods,
                "plain": plain,
                "writers": _writers(settings, options.writers or ()),
                "given": _on_topics(given, named),
                "beware": beware,
                **{name: getattr(options, name) for name in _SIZES},
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        what = next((f"--{part.replace('_', '-')}" for part in first["loc"] if part in _SIZES), "This study")
        message = first["msg"].removeprefix("Value error, ").removeprefix("Input ")
        raise BadInput(
            f"{what} cannot be used: {f'it {message}' if message.startswith('should') else message}."
        ) from error
    if named:
        return task
    return task.model_copy(update={"topics": _sampled_topics(settings, task, options.sample), "drawn": True})


def _writers(settings: LoadedSettings, texts: Sequence[str]) -> dict[str, str]:
    """Models by the label of a cut-off. Raises BadInput for text of another form, and for an unknown model."""
    found: dict[str, str] = {}
    for text in texts:
        label, sign, model = (part.strip() for part in text.partition("="))
        if not sign or not model:
            raise BadInput(
                f"--model-of {text[:60]!r} is not of the form YEAR=PROVIDER:MODEL, as 2019=server:upto-2019."
            )
        found[cutoff_of(label).label] = str(settings.model_named(model))
    return found


def cutoffs_from(texts: Sequence[str], day: str | None) -> tuple[Cutoff, ...]:
    """The cut-offs in order, each once. Raises BadInput for text that is no date, and where there is no cut-off."""
    first = read_date(day, "--before")
    cutoffs = [cutoff_of(text) for text in (*comma_separated(texts), *([first.isoformat()] if first else []))]
    if not cutoffs:
        raise BadInput(
            "Name the last year that methods read (--cutoff 2021), or the first day that they do not (--before DATE)."
        )
    return tuple({each.day: each for each in sorted(cutoffs, key=lambda each: each.day)}.values())


def _plain(methods: list[Entrant], wanted: bool | None) -> str:
    """The name of the method that reads nothing; it is added to `methods` if it is wanted and missing."""
    present = next((each.name for each in methods if each.method == PLAIN.method), "")
    if present or wanted is False or (wanted is None and not methods):
        return present
    methods.append(PLAIN)
    return PLAIN.name


def _sampled_topics(settings: LoadedSettings, task: ForesightTask, number: int) -> tuple[ArenaTopic, ...]:
    if number < 1:
        raise BadInput(f"--sample {number}: a study needs at least one topic.")

    async def sample() -> tuple[ArenaTopic, ...]:
        async with Workplace(settings) as place:
            return await find_topics(place, task.cutoffs, task.horizon, number)

    topics = asyncio.run(sample())
    if len(topics) < number:
        print_message(
            f"Only {count(len(topics), 'topic')} instead of {number:,}: the library has no more after every cut-off."
        )
    return topics


def _given(names: Sequence[str], cutoffs: Sequence[Cutoff]) -> tuple[list[ArenaEntry], list[str]]:
    """Ideas of runs and files, and remarks on what their authors may have read."""
    entries: list[ArenaEntry] = []
    beware: list[str] = []
    bounded = 0
    for name in names:
        if Path(name).is_file() and Path(name).suffix.lower() != ".json":
            entries += _of_table(Path(name))
            beware.append(f"It is not known what the authors of the ideas in {Path(name).name} had read.")
            continue
        of_run, warning = _of_run(name, min(each.day.isoformat() for each in cutoffs))
        entries += of_run
        bounded += not warning
        beware += [warning] if warning else []
    if bounded:
        beware.append(f"The ideas of {count(bounded, 'run')} were generated from literature before every cut-off.")
    return entries, beware


def _of_table(file: Path) -> list[ArenaEntry]:
    log = ImportLog()
    entries = [entry for entry in read_entries(file, log, file.stem, several=True) if entry.idea is not None]
    print_import_log(log)
    if not entries:
        raise BadInput(f"{file} has no ideas. It needs the columns topic and title, method or summary.")
    return entries


def _of_run(name: str, first_day: str) -> tuple[list[ArenaEntry], str]:
    """All ideas of a run or report, and a warning where it may have read papers from after the first cut-off."""
    ideation = ideation_of(name, load_settings())
    if not ideation.candidates:
        raise BadInput(f"{name} has no idea.")
    before = ideation.options.get("before")
    entries = [
        ArenaEntry(topic=ideation.topic, entrant=ideation.method, idea=each.idea) for each in ideation.candidates
    ]
    if isinstance(before, str) and before <= first_day:
        return entries, ""
    read = f"up to {before}" if before else "without a cut-off"
    return entries, f"The ideas of {ideation.method} on «{ideation.topic}» were generated from literature {read}."


def _on_topics(entries: Sequence[ArenaEntry], topics: Sequence[ArenaTopic]) -> tuple[ArenaEntry, ...]:
    """The ideas with the wording of the topics. Ideas on other topics are left out, with a message."""
    wording = {each.topic.casefold(): each.topic for each in topics}
    ideas = [
        each.model_copy(update={"topic": wording[each.topic.casefold()]})
        for each in entries
        if each.topic.casefold() in wording
    ]
    if left := len(entries) - len(ideas):
        print_message(f"{left:,} ideas are on other topics and were left out.")
    if entries and not ideas:
        raise BadInput(
            "None of the ideas is on one of the topics: leave out the topics, or use the wording of the ideas."
        )
    return tuple(ideas)
