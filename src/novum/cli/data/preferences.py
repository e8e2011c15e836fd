"""`novum data build preferences`: pairs of ideas on one topic, the better one chosen, for learning by preference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from novum.cli.shell.fitted_models import DEFAULT, MetricsName
from novum.cli.shell.group import examples
from novum.cli.shell.papers import fill, source_named

if TYPE_CHECKING:
    from novum.core import Subject
    from novum.idea_metrics.metric import Vectors
    from novum.idea_metrics.model import FittedMetrics
    from novum.lab import Workplace
    from novum.literature import Filters
    from novum.training.preferences import Candidate, Preferences
    from novum.training.preferences.records import PreferenceCard, PreferenceSettings

_STOPPED = "Stopped. Nothing was written; a data set that was there before is as it was."
_FEW = 500
"""Pairs of which hardly anything can be learnt."""
_FROM, _PAIRS = "What it is made of", "How pairs are made"


@dataclass(frozen=True)
class _Order:
    """What was asked for."""

    folder: Path
    settings: PreferenceSettings
    metrics: str
    filters: Filters
    ideas: Sequence[Subject]
    ideas_only: bool
    parquet: bool
    force: bool


@examples(
    "novum data build preferences --out pairs",
    "novum data build preferences --library dblp_v14.jsonl --metrics dblp --since 2019-01-01 --out pairs",
    "novum data build preferences --ideas last --ideas more.jsonl --ideas-only --apart topic --out pairs",
    "novum data build preferences --margin 0.3 --most 20000 --parquet --out pairs --force",
)
def preferences(
    *,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder to write, which must not be there yet.")],
    library: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER|FILE", help="A library's folder, or a file of papers. Else the library of the workplace.",
            rich_help_panel=_FROM, show_default=False,
        ),
    ] = None,
    metrics: MetricsName = DEFAULT,
    ideas: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RUN|FILE", rich_help_panel=_FROM,
            help="Generated ideas, beside the papers: a run, a report.json, or a table; repeatable.",
        ),
    ] = None,
    ideas_only: Annotated[
        bool, typer.Option("--ideas-only", help="No papers: pairs of ideas on their own topics.", rich_help_panel=_FROM)
    ] = False,
    since: Annotated[
        str | None, typer.Option(metavar="DAY", help="Only papers of this year, day, or later.", rich_help_panel=_FROM)
    ] = None,
    before: Annotated[
        str | None, typer.Option(metavar="DAY", help="Only papers before this year, or day.", rich_help_panel=_FROM)
    ] = None,
    field: Annotated[
        list[str] | None, typer.Option(help="Only papers of this field; repeatable.", rich_help_panel=_FROM)
    ] = None,
    margin: Annotated[
        float,
        typer.Option(
            min=0.001, max=0.999, rich_help_panel=_PAIRS,
            help="How much lower the rejected one is in each score: the share of all ideas that lie between the two.",
        ),
    ] = 0.15,
    similarity_from: Annotated[
        float, typer.Option(min=-1, max=1, help="Cosine of the two, at least.", rich_help_panel=_PAIRS)
    ] = 0.5,
    similarity_to: Annotated[
        float, typer.Option(min=-1, max=1, help="Cosine of the two, at most.", rich_help_panel=_PAIRS)
    ] = 0.9,
    overlap: Annotated[
        float,
        typer.Option(min=0, max=1, help="Share of what they say of their topic that both say.", rich_help_panel=_PAIRS),
    ] = 0.25,
    length_ratio: Annotated[
        float, typer.Option(min=1, help="Words of the longer for one of the shorter, at most.", rich_help_panel=_PAIRS)
    ] = 1.5,
    uses: Annotated[int, typer.Option(min=1, help="Pairs of one idea, at most.", rich_help_panel=_PAIRS)] = 3,
    per_topic: Annotated[int, typer.Option(min=1, help="Pairs of one topic, at most.", rich_help_panel=_PAIRS)] = 50,
    most: Annotated[
        int | None, typer.Option(min=10, help="Pairs altogether, at most.", rich_help_panel=_PAIRS)
    ] = None,
    apart: Annotated[
        Literal["time-and-topic", "topic"],
        typer.Option(help="What sets the splits apart. By time, test is later than training.", rich_help_panel=_PAIRS),
    ] = "time-and-topic",
    originality: Annotated[
        Literal["fitted", "published", "corrected"],
        typer.Option(help="Which one the Creativity Index takes.", rich_help_panel=_PAIRS),
    ] = "fitted",
    seed: Annotated[int | None, typer.Option(min=0, help="Of every draw; else the setting `seed`.")] = None,
    parquet: Annotated[bool, typer.Option("--parquet", help="Parquet beside JSONL (needs 'novum\\[data]').")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a data set that is there already.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The card, for programs.")] = False,
) -> None:  # fmt: skip
    """Make pairs of ideas on one topic: one that scores high in creativity and in satisfaction is chosen, and a near
    one that is lower in both is rejected.

    They come in train, validation and test, 80/10/10, apart in time and in topic, as conversations that TRL reads, with
    a card. No model is asked; nothing is written unless all is.
    """
    from novum.cli.shell.days import day_or_year
    from novum.cli.shell.terminal import print_json
    from novum.cli.shell.workplace import in_workplace
    from novum.errors import BadInput
    from novum.literature import Filters
    from novum.training.preferences.files import check_place
    from novum.training.preferences.records import PreferenceSettings

    check_place(out, force=force, parquet=parquet)
    if ideas_only and not ideas:
        raise BadInput("--ideas-only needs ideas: name a run or a table of them by --ideas.")
    filters = Filters(
        since=day_or_year(since, "--since"), before=day_or_year(before, "--before"), fields=tuple(field or ())
    )
    source = source_named(library)

    async def job(place: Workplace) -> PreferenceCard:
        settings = PreferenceSettings(
            margin=margin, similarity_from=similarity_from, similarity_to=similarity_to, overlap=overlap,
            length_ratio=length_ratio, uses=uses, per_topic=per_topic, most=most, apart=apart, originality=originality,
            seed=place.settings.values.seed if seed is None else seed,
        )  # fmt: skip
        if not ideas_only:
            await fill(place, source)
        order = _Order(out, settings, metrics, filters, _read(ideas), ideas_only, parquet, force)
        return await _built(place, order)

    card = in_workplace(job, _STOPPED, {"library": source.library})
    if as_json:
        print_json(card.model_dump(mode="json") | {"folder": str(out)})
    else:
        _say(card, out)


def _read(names: Sequence[str] | None) -> Sequence[Subject]:
    """Ideas of runs and files; what cannot be read is told."""
    from novum.cli.ideas.scored_ideas import read_ideas, tell_left_out

    if not names:
        return ()
    found = read_ideas(names)
    tell_left_out(found)
    return found.subjects


async def _built(place: Workplace, order: _Order) -> PreferenceCard:
    """Reads, scores, pairs and writes."""
    from novum.cli.shell import fitted_models as fitted
    from novum.cli.shell.library_progress import Rate, library_progress
    from novum.idea_metrics.coherence import Coherence
    from novum.training.preferences import build_preferences
    from novum.training.preferences.files import write_preferences
    from novum.training.preferences.rows import PROMPT

    model = fitted.load(order.metrics, place)
    coherence = model.parts.get(Coherence.name)
    with library_progress() as shown:
        candidates, vectors = await _candidates(place, order, model)
        rates = {what: Rate(noun, shown) for what, noun in _NOUNS.items()}
        made = await build_preferences(
            candidates, vectors, model, order.settings, lambda what, done, of: rates[what](what, done, of),
            topic_model=coherence.model if isinstance(coherence, Coherence) else None,
        )  # fmt: skip
        prompt = place.prompts.get(PROMPT)
        card = _card(place, order, made, model)
        await write_preferences(made, prompt, card, _pages(card), order.folder, force=order.force)
    return card


_NOUNS = {"topics": "topics found", "scores": "ideas", "pairs": "topics"}


async def _candidates(place: Workplace, order: _Order, model: FittedMetrics) -> tuple[list[Candidate], Vectors]:
    """Papers and ideas, each with its vector."""
    import datetime as dt

    import numpy as np

    from novum.idea_metrics.corpus import read_corpus
    from novum.idea_metrics.model import embedded
    from novum.training.preferences import of_ideas, of_papers

    cited = {each for subject in order.ideas for each in subject.references}
    years = {paper.id: paper.year for paper in place.library.get_many(sorted(cited))}
    ideas = of_ideas(order.ideas, years.get, dt.datetime.now(dt.UTC).year)
    of_theirs = await embedded([one.subject.whole for one in ideas], model.embedder)
    if order.ideas_only:
        return ideas, of_theirs
    corpus = await read_corpus(place.library, order.filters)
    return [*of_papers(corpus), *ideas], np.concatenate([corpus.vectors, of_theirs]) if ideas else corpus.vectors


def _card(place: Workplace, order: _Order, made: Preferences, model: FittedMetrics) -> PreferenceCard:
    import datetime as dt

    from novum import __version__
    from novum.reports.phrases import count
    from novum.training.preferences.counting import card_of
    from novum.training.preferences.files import names_of_files
    from novum.training.preferences.rows import PROMPT

    held, prompt, filters = place.library.size(), place.prompts.get(PROMPT), order.filters
    asked = filters.model_dump(mode="json", exclude_defaults=True)
    library = [] if order.ideas_only else [f"a library of {count(held.papers, 'paper')}"]
    library += [f"{name} {value if isinstance(value, str) else ', '.join(value)}" for name, value in asked.items()]
    library += [count(len(order.ideas), "generated idea")] if order.ideas else []
    return card_of(
        made, name=f"Preferences between research ideas: {order.folder.name}",
        made_on=dt.datetime.now(dt.UTC).date().isoformat(), novum=__version__, library="; ".join(library),
        model=_facts(model), prompt=f"{prompt.name}, version {prompt.version}, {prompt.digest}",
        files=names_of_files(parquet=order.parquet),
    )  # fmt: skip


def _facts(model: FittedMetrics) -> dict[str, str]:
    """What scored the ideas."""
    card = model.card
    of, years = card.learnt_from, f"{card.learnt_from.first_year} to {card.learnt_from.last_year}"
    return {
        "Fitted model": f"{card.name}, of {card.made.date().isoformat()}, seed {card.settings.seed}",
        "Learnt from": f"{of.papers:,} papers" + (f", {years}" if of.first_year else ""),
        "Embedder": f"{card.embedder}, {card.dimensions} dimensions",
        "Originality": card.settings.originality,
        "Creativity Index": _weights(card.creativity_weights),
        "User Satisfaction Score": _weights(card.satisfaction_weights),
    }


def _weights(weights: object) -> str:
    from collections.abc import Mapping

    assert isinstance(weights, Mapping)
    return " + ".join(f"{weight:g} {name.replace('_', ' ')}" for name, weight in weights.items())


def _pages(card: PreferenceCard) -> dict[str, str | bytes]:
    """The card for people, with its plots."""
    from novum.reports.charts.drawing import png, svg
    from novum.training.preferences.card import CHARTS, render_data_card, score_plots
    from novum.training.preferences.files import README

    pages: dict[str, str | bytes] = {README: render_data_card(card)}
    for plot in score_plots(card):
        drawn = svg(plot)
        pages |= {f"{CHARTS}/{plot.name}.svg": drawn, f"{CHARTS}/{plot.name}.png": png(drawn)}
    return pages


def _say(card: PreferenceCard, folder: Path) -> None:
    from novum.cli.shell.terminal import print_line, print_table
    from novum.reports.phrases import percent
    from novum.training.preferences.files import README

    heads = ("split", "pairs", "topics", "years", "chosen longer", "chosen newer", "similarity")
    rows = (
        (
            split.name, f"{split.pairs:,}", f"{split.topics:,}",
            f"{split.first_year or '?'} to {split.last_year or '?'}",
            percent(split.longer_chosen), percent(split.newer_chosen), f"{split.similarity or 0:.2f}",
        )
        for split in card.splits
    )  # fmt: skip
    print_table(heads, rows)
    for each in card.dropped:
        print_line(f"Left out: {each.number:,} {each.what}: {each.why}")
    if sum(split.pairs for split in card.splits) < _FEW:
        by_topic = "" if card.settings.apart == "topic" else ", or --apart topic,"
        print_line(f"Few to learn from: a larger library, a lower --margin or --similarity-from{by_topic} make more.")
    print_line(str(folder / README))
