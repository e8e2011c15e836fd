"""`novum opportunities build`: a library in, its concepts, their graph and a forecast out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from novum.cli.opportunities.options import AsJson, LibraryNamed, SettingsOptions, shown_steps, with_settings
from novum.cli.shell.group import examples

if TYPE_CHECKING:
    from novum.lab import Workplace
    from novum.opportunities.folder import ConceptMapCard

_STOPPED = "Stopped. What was built before is as it was."


@examples(
    "novum opportunities build",
    "novum opportunities build --library dblp_v14.jsonl --min-papers 10",
    "novum opportunities build --fresh",
)
@with_settings
def build(
    *,
    library: LibraryNamed = None,
    anew: Annotated[bool, typer.Option("--fresh", help="Read every paper again.")] = False,
    asked: SettingsOptions,
    as_json: AsJson = False,
) -> None:
    """Find the concepts of a library, and learn which of them will be joined.

    Seconds for ten thousand papers, minutes for a hundred thousand.
    Only papers written since the last build are read again.
    The list of near-synonyms beside it may be edited: the next build holds to it.
    """
    from novum.cli.shell.papers import fill, source_named
    from novum.cli.shell.terminal import print_json
    from novum.cli.shell.workplace import in_workplace
    from novum.opportunities.building import build_concept_map as make
    from novum.opportunities.folder import map_folder as place_of

    source = source_named(library)

    async def job(place: Workplace) -> tuple[ConceptMapCard, str]:
        await fill(place, source)
        settings = asked.settings(place.library.size().papers, place.settings.values.seed)
        with shown_steps() as progress:
            card = await make(place.library, settings, progress, anew=anew)
        return card, str(place_of(place.library.folder))

    card, folder = in_workplace(job, _STOPPED, {"library": source.library})
    if as_json:
        print_json(card.model_dump(mode="json") | {"folder": folder})
    else:
        _say(card, folder)


def _say(card: ConceptMapCard, folder: str) -> None:
    from novum.cli.shell.terminal import print_line, print_message
    from novum.opportunities.synonym_list import FILE

    papers = f"from {card.papers:,} papers to {card.year}"
    print_line(f"{card.concepts:,} concepts, {card.edges:,} pairs that papers join, {papers}.")
    if card.titles_only:
        print_line("Hardly any paper has an abstract, so titles and keywords alone were read.")
    if card.undated:
        print_line(f"{card.undated:,} papers without a year that has come were left out: they belong to no time.")
    print_line(f"{card.synonyms:,} near-synonyms were merged; edit the list and build again: {folder}/{FILE}")
    if card.idle:
        print_message(
            f"Your lines in it that merge nothing, as a name there is none of the library's concepts: {card.idle:,}."
        )
    if card.unlearnt:
        print_message(f"No forecast was learnt. {card.unlearnt}")
    else:
        attention = "" if card.attention else " Nothing was learnt of attention: too few joint papers have counts."
        print_line(
            f"Learnt from {card.pairs_learnt:,} pairs, {card.joined_learnt:,} of them joined within "
            f"{card.settings.horizon} years.{attention}"
        )
        print_line("How good it is: novum opportunities evaluate")
