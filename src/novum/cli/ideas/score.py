"""`novum score`: scores ideas with a fitted model, in milliseconds, without a language model."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from novum.cli.shell.arguments import print_import_log, print_report_files
from novum.cli.shell.group import examples
from novum.cli.shell.options import DEFAULT_METRICS, OUTPUT, MetricsName, PrintFormat, panel_option, read_date_or_year
from novum.cli.shell.output import check_writable
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import one_line, print_heading, print_json_line, print_line, print_message, print_table
from novum.cli.shell.workplace import in_workplace
from novum.core import Subject
from novum.errors import BadInput
from novum.idea_metrics.card import ModelCard
from novum.idea_metrics.novelty import literature_novelty
from novum.idea_metrics.reference_combinations import atypical_where_known
from novum.idea_metrics.report import phrases as words
from novum.idea_metrics.report.novelty import atypicality_lines
from novum.idea_metrics.report.numbers import scoring_report
from novum.idea_metrics.report.records import WHOLES, MeasureInfo, ScoredIdea, ScoringReport
from novum.idea_metrics.saved_models import load_model
from novum.lab import Workplace
from novum.literature import Library
from novum.reports.phrases import percent
from novum.runs.idea_sources import IdeaReader
from novum.settings import load_settings

EXPLAINED = 3
"""Most ideas for which each number is explained by default."""
MOST = 100_000
"""Ideas scored at once: what fits into memory with their explanations."""
_STOPPED = "Stopped. Nothing was written."
_MOST_LISTED = 1_000
"""Ideas that the terminal lists."""
_SOURCES = "Name a run, a report.json, a table of ideas (JSONL, CSV) or a text file"
_TEXT = "pass a text with --text, or pipe it to `-`."


@dataclass(frozen=True)
class ScoreOutput:
    """How the scores are printed and written. `form`: `text`, `csv` or `json`."""

    explain: bool | None
    sort: str
    form: str
    out: Path | None

    def explains(self, ideas: int) -> bool:
        """Whether so many ideas are explained one by one."""
        return ideas <= EXPLAINED if self.explain is None else self.explain


@with_pdf
@examples(
    "novum score last",
    "novum score ideas.jsonl --by creativity --out scores",
    'novum score --text "Graph networks that predict their own errors" --topic "drug discovery"',
    "cat abstract.txt | novum score - --novelty",
    "novum score mine.csv --json > scores.jsonl",
)
def score(
    ideas: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="IDEAS",
            help="A run, a report, a table of ideas (JSONL, CSV), a text file, or `-` for a text on stdin.",
            show_default=False,
        ),
    ] = None,
    *,
    text: Annotated[str | None, typer.Option(metavar="TEXT", help="Text of one idea.", show_default=False)] = None,
    topic: Annotated[str, typer.Option(metavar="TEXT", help="Topic of ideas that have none.")] = "",
    metrics: MetricsName = DEFAULT_METRICS,
    novelty: Annotated[
        bool,
        typer.Option(
            "--novelty",
            help="Also the distance to earlier and later papers of the library, and how unusual the combination of "
            "cited papers is.",
        ),
    ] = False,
    before: Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="With --novelty: date that separates earlier from later papers. Default: the newest paper.",
        ),
    ] = None,
    explain: Annotated[
        bool | None,
        panel_option(OUTPUT, "Explain each number. Default: for up to 3 ideas.", "--explain/--no-explain"),
    ] = None,
    sort: Annotated[
        str, panel_option(OUTPUT, "Sort by this number, such as creativity; the best first.", "--by", metavar="NAME")
    ] = "",
    out: Annotated[
        Path | None, panel_option(OUTPUT, "Folder for a report: a page, the data and the charts.", metavar="DIR")
    ] = None,
    as_json: Annotated[bool, panel_option(OUTPUT, "Print one line of JSON for each idea.", "--json")] = False,
    form: PrintFormat = "text",
) -> None:
    """Score ideas: the rating that reviewers would give, Creativity Index, User Satisfaction Score, each explained.

    Only the predicted rating agrees with reviewers, and it knows machine learning alone; see `novum metrics validate`.
    Uses the model of `novum metrics fit`, no language model; hundreds of ideas per second.
    """
    if as_json and form != "text":
        raise BadInput(f"Choose one of --json and --format {form}: stdout holds one of them.")
    if before and not novelty:
        raise BadInput("--before needs --novelty: add it, or omit --before.")
    day = read_date_or_year(before, "--before")
    reader = IdeaReader(load_settings(), " ".join(topic.split()))
    subjects = _subjects(reader, ideas or (), text)
    if out is not None:
        check_writable(out)
    print_import_log(reader.log)
    output = ScoreOutput(explain, sort, "json" if as_json else form, out)

    async def job(place: Workplace) -> ScoringReport:
        return await _scored(place, metrics, subjects, reader.log.why, output, novelty=novelty, before=day)

    _print(in_workplace(job, _STOPPED), output)


def _subjects(reader: IdeaReader, names: Sequence[str], text: str | None) -> list[Subject]:
    """Raises BadInput where nothing can be read, or nothing that was read can be scored."""
    if not names and text is None:
        raise BadInput(f"Name ideas to score. {_SOURCES}; {_TEXT}")
    subjects: list[Subject] = []
    try:
        given = reader.text(text, "The text after --text") if text is not None else ()
        for each in chain(reader.read(names), given):
            subjects.append(each.subject)
            if len(subjects) > MOST:
                raise BadInput(f"There are more than {MOST:,} ideas at once: split them, and score each part.")
    except BadInput as problem:
        problem.add_note(f"Or {_TEXT}")
        raise
    if not subjects:
        why = f"{reader.log.why[0]}. Put the idea in words, a sentence or an abstract." if reader.log.why else _SOURCES
        raise BadInput(f"There is no idea to score. {why}")
    return subjects


async def _scored(
    place: Workplace, metrics: str, subjects: Sequence[Subject], left_out: Sequence[str], output: ScoreOutput, *,
    novelty: bool, before: dt.date | None,
) -> ScoringReport:  # fmt: skip
    model = load_model(metrics, place.settings.metrics_folder, place.library.embedder)
    _check_sort(output.sort, [*model.parts, "originality_corrected", "reliability"])
    cards = await model.score(subjects, explain=output.explains(len(subjects)) or output.out is not None)
    ideas = [ScoredIdea(card=card) for card in cards]
    if novelty:
        ideas = await _with_novelty(place.library, ideas, before)
    return scoring_report(_measure(model.card), ideas, sort=output.sort, left_out=left_out)


async def _with_novelty(library: Library, ideas: Sequence[ScoredIdea], before: dt.date | None) -> list[ScoredIdea]:
    """The ideas with their distances from the library's papers, and how unusual their combinations of references
    are."""
    subjects = [each.card.subject for each in ideas]
    novelties = await literature_novelty(library, subjects, before)
    combinations = await atypical_where_known(library, subjects, before)
    return [
        idea.model_copy(update={"novelty": novelty, "atypicality": atypicality})
        for idea, novelty, atypicality in zip(ideas, novelties, combinations, strict=True)
    ]


def _check_sort(name: str, parts: Sequence[str]) -> None:
    known = (*WHOLES, *parts)
    if name and name not in known:
        raise BadInput(f"--by {name[:40]!r} is not a score. Scores: {', '.join(known)}.")


def _measure(card: ModelCard) -> MeasureInfo:
    """What the report says about the fitted model."""
    of = card.learnt_from
    years = None if of.first_year is None or of.last_year is None else (of.first_year, of.last_year)
    return MeasureInfo(
        name=card.name, made=card.made.isoformat(), papers=of.papers, years=years, embedder=card.embedder,
        originality=card.settings.originality,
    )  # fmt: skip


def _print(report: ScoringReport, output: ScoreOutput) -> None:
    if output.form == "json":
        for each in report.ideas:
            print_json_line(each.card.model_dump(mode="json") | _novelty_fields(each))
    elif output.form == "csv":
        from novum.idea_metrics.report.files import scores_csv  # noqa: PLC0415  # loads what draws charts

        sys.stdout.write(scores_csv(report.ideas))
    elif output.explains(len(report.ideas)):
        for each in report.ideas[:_MOST_LISTED]:
            _print_one(each)
    else:
        _print_scores(report)
    if len(report.ideas) > 1 and output.form == "text":
        print_line(one_line(words.headline(report)))
    if output.out is not None:
        from novum.idea_metrics.report.files import write_scoring_report  # noqa: PLC0415  # draws charts

        write = print_line if output.form == "text" else print_message
        print_report_files(write_scoring_report(report, output.out), write)


def _novelty_fields(idea: ScoredIdea) -> dict[str, Any]:
    """Empty without --novelty."""
    novelty, atypicality = idea.novelty, idea.atypicality
    return ({"novelty": novelty.model_dump(mode="json", exclude={"subject"})} if novelty else {}) | (
        {"atypicality": atypicality.model_dump(mode="json")} if atypicality else {}
    )


def _print_one(idea: ScoredIdea) -> None:
    card = idea.card
    print_heading(one_line(words.label(card), 200))
    print_line(f"{'rating':<12} {words.rating(card)}  {words.rating_range(card)}")
    if words.rating_aspects(card):
        print_line(f"{'':<12} {words.rating_aspects(card)} (shares of reviewed papers with a lower prediction)")
    for name, of in (("creativity", card.creativity), ("satisfaction", card.satisfaction)):
        left = f"; {words.missing(of)}" if words.missing(of) else ""
        print_line(f"{name:<12} {words.index_value(of)}; {words.weights(of)}{left}")
    print_line(f"{'combined':<12} {words.number(card.combined, 3)}  {words.meaning('combined')}")
    print_line()
    rows = [
        (
            words.heading(name),
            words.raw(part),
            percent(part.scaled) if part.scaled is not None else words.NONE,
            part.why,
        )
        for name, part in card.parts.items()
    ]
    print_table(("part", "number", "better than", "explanation"), rows)
    if idea.novelty is not None:
        print_line()
        share = f"among {idea.novelty.compared_with}" if idea.novelty.compared_with else "among papers"
        print_table(("against the literature", "number", share, "meaning"), words.novelty_rows(idea.novelty))
        for note in idea.novelty.notes:
            print_line(f"Note: {one_line(note)}")
    if idea.atypicality is not None:
        print_line()
        for line in atypicality_lines(idea.atypicality):
            print_line(f"{'  ' if line.startswith(' ') else ''}{one_line(line, 400)}")
    print_line()


def _print_scores(report: ScoringReport) -> None:
    novel = any(each.novelty for each in report.ideas)
    heads = (
        "rating",
        "creativity",
        "satisfaction",
        "combined",
        *(words.heading(name).lower() for name in report.known),
    )
    rows = []
    for each in report.ideas[:_MOST_LISTED]:
        card = each.card
        scaled = [card.parts[name].scaled for name in report.known]
        cells = [words.NONE if share is None else percent(share) for share in scaled]
        past = [words.number(each.novelty.historical.value, 3) if each.novelty else words.NONE] if novel else []
        wholes = (
            words.rating(card),
            words.share_or_value(card.creativity),
            words.share_or_value(card.satisfaction),
            words.number(card.combined, 3),
        )
        rows.append((*wholes, *cells, *past, one_line(words.label(card), 100)))
    print_table((*heads, *(["distance from the past"] if novel else []), "idea"), rows)
    if words.not_available(report):
        print_line(words.not_available(report))
    if len(report.ideas) > _MOST_LISTED:
        print_line(f"… and {len(report.ideas) - _MOST_LISTED:,} more: --format csv, --json or --out has all.")
