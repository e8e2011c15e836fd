"""A concept map of a library: as it is kept, or built where there is none or the library was written to since."""

from __future__ import annotations

from novum.errors import BadInput
from novum.literature import Library
from novum.opportunities import folder as kept
from novum.opportunities.building import build
from novum.opportunities.concept_map import ConceptMap
from novum.opportunities.reading import Told, silent
from novum.opportunities.settings import usual


async def ensured(library: Library, told: Told = silent) -> ConceptMap:
    """In step with the library, with the settings of the last build, if there was one. Raises BadInput where the
    library holds no concepts, or another process is building."""
    card = kept.read_card(kept.place(library.folder))
    if card is None:
        await build(library, usual(library.size().papers), told)
        return ConceptMap.open(library)
    try:
        found = ConceptMap.open(library)
    except BadInput:
        await build(library, card.settings, told, anew=True)
        return ConceptMap.open(library)
    if found.behind:
        await build(library, card.settings, told)
        return ConceptMap.open(library)
    return found
