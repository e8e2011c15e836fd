"""`novum metrics list` and `novum metrics show`: the fitted models of this machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from novum.cli.shell.group import examples
from novum.cli.shell.options import DEFAULT_METRICS
from novum.cli.shell.terminal import one_line, print_heading, print_json, print_line, print_message, print_table
from novum.cli.shell.workplace import in_workplace
from novum.errors import BadInput
from novum.idea_metrics.card import ModelCard
from novum.idea_metrics.folder import read_card
from novum.idea_metrics.model import FittedMetrics
from novum.idea_metrics.saved_models import find_model_folder, model_names
from novum.lab import Workplace
from novum.reports.phrases import count, moment
from novum.settings import load_settings

AsJson = Annotated[bool, typer.Option("--json", help="The result as JSON on stdout.")]


@examples("novum metrics list", "novum metrics list --json")
def list_models(as_json: AsJson = False) -> None:
    """List the models that were fitted here."""
    settings = load_settings()
    cards: dict[str, ModelCard] = {}
    for name in model_names(settings.metrics_folder):
        try:
            cards[name] = read_card(settings.metrics_folder / name)
        except BadInput as problem:
            print_message(one_line(str(problem)))
    if as_json:
        print_json([{"name": name} | card.model_dump(mode="json") for name, card in cards.items()])
    elif cards:
        heads = ("name", "papers", "years", "clusters", "originality", "embedder", "made")
        print_table(heads, (_row(name, card) for name, card in cards.items()))
    else:
        print_line("No metrics are fitted yet. Fit them to your library: novum metrics fit")


@examples("novum metrics show", "novum metrics show mine --json")
def show_model(
    name: Annotated[
        str, typer.Argument(metavar="NAME|DIR", help="The fitted model: its name, or its folder.")
    ] = DEFAULT_METRICS,
    as_json: AsJson = False,
) -> None:
    """Show what a model was fitted to, how good it is, and the weights of its metrics."""

    async def loaded(place: Workplace) -> tuple[ModelCard, Path]:
        folder = find_model_folder(name, place.settings.metrics_folder)
        return FittedMetrics.load(folder, place.library.embedder).card, folder

    card, folder = in_workplace(loaded, "Stopped. Nothing was changed.")
    if as_json:
        print_json({"folder": str(folder)} | card.model_dump(mode="json"))
    else:
        print_card(card, folder)


def print_card(card: ModelCard, folder: Path) -> None:
    """Prints the card of a model."""
    for name, value in (*_facts(card), ("folder", str(folder))):
        print_line(f"{name:<12} {one_line(value)}")
    for metric, quality in card.quality.items():
        _print_quality(metric.replace("_", " "), quality)


def _print_quality(metric: str, quality: JsonValue) -> None:
    """Prints what was measured of one metric at the fit: plain facts in a line, compared variants in a table."""
    facts = quality if isinstance(quality, dict) else {"is": quality}
    plain = {name: value for name, value in facts.items() if not isinstance(value, dict | list)}
    variants = {name: variant for name, variant in facts.items() if isinstance(variant, dict)}
    print_line()
    print_heading(f"How good is {one_line(metric, 80)}?")
    if plain:
        print_line(one_line("; ".join(f"{name.replace('_', ' ')}: {_number(value)}" for name, value in plain.items())))
    if variants:
        heads = list(dict.fromkeys(name for variant in variants.values() for name in variant))
        rows = [
            (name.replace("_", " "), *(_number(variant.get(head)) for head in heads))
            for name, variant in variants.items()
        ]
        print_table(("", *(head.replace("_", " ") for head in heads)), rows)


def _facts(card: ModelCard) -> Iterator[tuple[str, str]]:
    of, how = card.learnt_from, card.settings
    filters = [f"before {of.before}"] if of.before else []
    filters += [", ".join((*of.fields, *of.venues))] if of.fields or of.venues else []
    yield "model", f"{card.name}, of {moment(card.made.isoformat())}"
    yield (
        "papers",
        f"{of.papers:,} with an abstract or a summary{_years(card)}"
        + (f"; only {'; '.join(filters)}" if filters else ""),
    )
    yield "citations", f"known for {count(of.with_citations, 'paper')}"
    yield "embedder", f"{card.embedder}, {card.dimensions} dimensions"
    yield "originality", f"{how.originality}, with {_sized(card, 'clusters', how.clusters, 'cluster')}"
    cited = _sized(card, "cited_papers", how.top_cited, "cited paper")
    yield "feasibility", f"by {cited}, weighted by {_BY[how.citation_weights]}"
    if "impact_papers" in card.sizes:
        yield "impact", f"from {count(card.sizes['impact_papers'], 'paper')}, by {card.sizes.get('trees', 0):,} trees"
    if "authors" in card.sizes:
        dated = count(card.sizes.get("dated_citations", 0), "dated citation")
        yield "reliability", f"{count(card.sizes['authors'], 'author')}, {dated} between the papers"
    yield "coherence", f"with {_sized(card, 'topics', how.topics, 'topic')}{_topics_of(card)}"
    yield "Creativity Index", _weights(card.creativity_weights)
    yield "User Satisfaction Score", _weights(card.satisfaction_weights)
    yield "seed", str(how.seed)


_BY = {"log": "the logarithm of their citations", "count": "their citations", "equal": "nothing (all are equal)"}


def _sized(card: ModelCard, name: str, requested: int, noun: str) -> str:
    """Such as `513 cited papers (1,000 requested)`."""
    size = card.sizes.get(name, 0)
    return count(size, noun) if size == requested else f"{count(size, noun)} ({requested:,} requested)"


def _topics_of(card: ModelCard) -> str:
    sizes = card.sizes
    if "topic_words" not in sizes:
        return ""
    return f" of {sizes['topic_words']:,} words, from {sizes.get('topic_papers', 0):,} papers"


def _weights(weights: Mapping[str, float]) -> str:
    return " + ".join(f"{weight:.3g} {name.replace('_', ' ')}" for name, weight in weights.items())


def _number(value: JsonValue) -> str:
    if value is None:
        return "unknown"
    return f"{value:.3f}".replace("-", "−") if isinstance(value, float) else str(value)


def _years(card: ModelCard) -> str:
    of = card.learnt_from
    return "" if of.first_year is None else f", of {of.first_year} to {of.last_year}"


def _row(name: str, card: ModelCard) -> tuple[str, ...]:
    of = card.learnt_from
    years = "" if of.first_year is None else f"{of.first_year}-{of.last_year}"
    made = card.made.isoformat(sep=" ", timespec="minutes")[:16]
    return (
        name,
        f"{of.papers:,}",
        years,
        f"{card.sizes.get('clusters', 0):,}",
        card.settings.originality,
        card.embedder,
        made,
    )
