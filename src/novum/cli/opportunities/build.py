"""`novum opportunities build`: extracts the concepts of a library, and fits the forecast."""

from __future__ import annotations

from typing import Annotated

import typer

from novum.cli.opportunities.options import AsJson, LibraryNamed, SettingsOptions, print_steps, with_settings
from novum.cli.shell.group import examples
from novum.cli.shell.paper_source import add_and_embed_papers, paper_source
from novum.cli.shell.terminal import print_json, print_line, print_message
from novum.cli.shell.workplace import in_workplace
from novum.lab import Workplace
from novum.opportunities.building import build_concept_map
from novum.opportunities.folder import ConceptMapCard, map_folder
from novum.opportunities.synonym_list import FILE

_STOPPED = "Stopped. What was built before is unchanged."


@examples(
    "novum opportunities build",
    "novum opportunities build --library dblp_v14.jsonl --min-papers 10",
    "novum opportunities build --fresh",
)
@with_settings
def build(
    *,
    library: LibraryNamed = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Read every paper again.")] = False,
    options: SettingsOptions,
    as_json: AsJson = False,
) -> None:
    """Extract the concepts of a library, and fit the forecast of which pairs will be linked.

    Seconds for ten thousand papers, minutes for a hundred thousand.
    Only papers written since the last build are read again.
    You may edit the list of near-synonyms: the next build follows it.
    """
    source = paper_source(library)

    async def job(place: Workplace) -> tuple[ConceptMapCard, str]:
        await add_and_embed_papers(place, source)
        settings = options.settings(place.library.size().papers, place.settings.values.seed)
        with print_steps() as progress:
            card = await build_concept_map(place.library, settings, progress, fresh=fresh)
        return card, str(map_folder(place.library.folder))

    card, folder = in_workplace(job, _STOPPED, {"library": source.library})
    if as_json:
        print_json(card.model_dump(mode="json") | {"folder": folder})
    else:
        _print(card, folder)


def _print(card: ConceptMapCard, folder: str) -> None:
    papers = f"from {card.papers:,} papers to {card.year}"
    print_line(f"{card.concepts:,} concepts, {card.edges:,} pairs that papers link, {papers}.")
    if card.titles_only:
        print_line("Hardly any paper has an abstract, so only titles and keywords were read.")
    if card.undated:
        print_line(f"{card.undated:,} papers were left out, since they have no year or one in the future.")
    print_line(f"{card.synonyms:,} near-synonyms were merged. To change that, edit {folder}/{FILE} and build again.")
    if card.idle:
        print_message(f"{card.idle:,} lines of yours in that list merge nothing: they name no concept of the library.")
    if card.unlearnt:
        print_message(f"No forecast was fitted. {card.unlearnt}")
    else:
        attention = "" if card.attention else " Attention is not available: too few joint papers have citation counts."
        print_line(
            f"Fitted to {card.pairs_learnt:,} pairs, of which {card.joined_learnt:,} became linked within "
            f"{card.settings.horizon} years.{attention}"
        )
        print_line("To see how good it is: novum opportunities evaluate")
