"""A concept map of a library: as it is kept, or built where there is none or the library was written to since."""

from __future__ import annotations

from novum.errors import BadInput
from novum.literature import Library
from novum.opportunities import folder as kept
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.folder import ConceptMapCard
from novum.opportunities.paper_columns import Progress, ignore_progress
from novum.opportunities.settings import default_settings


async def ensure_concept_map(library: Library, told: Progress = ignore_progress) -> ConceptMap:
    """In step with the library, with the settings of the last build, if there was one. Raises BadInput where the
    library holds no concepts, or another process is building."""
    card = kept.read_card(kept.map_folder(library.folder))
    if card is None:
        return await _built(library, None, told)
    try:
        found = ConceptMap.open(library)
    except BadInput:
        return await _built(library, card, told, anew=True)
    return await _built(library, card, told) if found.behind else found


async def _built(library: Library, card: ConceptMapCard | None, told: Progress, *, anew: bool = False) -> ConceptMap:
    from novum.opportunities.building import build_concept_map  # noqa: PLC0415  what only builds is not loaded to answer

    await build_concept_map(
        library, card.settings if card else default_settings(library.size().papers), told, anew=anew
    )
    return ConceptMap.open(library)
