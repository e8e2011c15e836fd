"""The records of one arena, under one name: they live in `core`, so that reports can render them."""

from novum.core.arena import (
    CRITERIA,
    EXPERIMENT_CRITERIA,
    IDEA_CRITERIA,
    ArenaRun,
    Entrant,
    Entry,
    JudgedPair,
    Kind,
    Schedule,
)

__all__ = [
    "CRITERIA",
    "EXPERIMENT_CRITERIA",
    "IDEA_CRITERIA",
    "ArenaRun",
    "Entrant",
    "Entry",
    "JudgedPair",
    "Kind",
    "Schedule",
]
