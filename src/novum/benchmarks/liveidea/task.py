"""The task of a measurement: models, keywords, panel and protocol.

A run stores it beside its settings, and reads it again when it is resumed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Self

from pydantic import model_validator

from novum.benchmarks.liveidea.context_papers import MOST_PAPERS
from novum.benchmarks.liveidea.generation import MOST_IDEAS, MOST_TRIES
from novum.benchmarks.liveidea.panel import Panel, make_panel, maker_of
from novum.benchmarks.liveidea.ranking import RankedModel
from novum.benchmarks.liveidea.records import AnchorSet, Keyword, LiveIdeaProtocol
from novum.core.record import Value
from novum.errors import BadInput
from novum.llm import ModelName

ReadName = Callable[[str], ModelName]
_BOUNDS = {
    "ideas": (1, MOST_IDEAS),
    "judges": (1, 100),
    "tries": (1, MOST_TRIES),
    "most_words": (1, 10_000),
    "papers": (0, MOST_PAPERS),
}
HIGHEST_TEMPERATURE = 2
"""That providers accept."""


class LiveIdeaTask(Value):
    """What is measured. Models and judges have full names, `provider:model`, with an address or not.

    Raises ValueError for duplicates and for values out of bounds.
    """

    models: tuple[str, ...]
    keywords: tuple[Keyword, ...]
    panel: Panel
    addresses: dict[str, str] = {}
    """Full name of each judge by its short name in the panel."""
    protocol: LiveIdeaProtocol = LiveIdeaProtocol()
    keywords_dated: str = ""
    anchors: AnchorSet | None = None
    """Ideas that every judge scores too; the published protocol has none."""
    papers_before: dt.date | None = None
    """Of the papers shown to judges only those that were public before this day."""

    @model_validator(mode="after")
    def _usable(self) -> Self:
        for what, names in (("model", self.models), ("keyword", [each.keyword for each in self.keywords])):
            if not names:
                raise ValueError(f"no {what} is named")
            if twice := next((name for name in names if list(names).count(name) > 1), ""):
                raise ValueError(f"the {what} {twice!r} is named twice")
        for name, (least, most) in _BOUNDS.items():
            if not least <= (value := getattr(self.protocol, name)) <= most:
                raise ValueError(f"{name} must be from {least} to {most}, not {value}")
        if self.protocol.papers and self.protocol.prompts == "published":
            raise ValueError(
                "judgements with papers are by Novum's prompts and cannot be compared with published ones: leave out "
                "--papers, or --protocol published"
            )
        temperature = self.protocol.temperature
        if temperature is not None and not 0 <= temperature <= HIGHEST_TEMPERATURE:
            raise ValueError(f"temperature must be from 0 to {HIGHEST_TEMPERATURE}, not {temperature}")
        known = {ModelName.parse(name).short for name in self.models}
        if unknown := next((name for name in self.protocol.marked if name not in known), ""):
            raise ValueError(f"{unknown} is to mark its ideas and is not among the models")
        return self

    @property
    def judges(self) -> tuple[str, ...]:
        """Full names, in the order of the panel."""
        return tuple(self.addresses[judge.model] for judge in self.panel.judges)


def panel_of(names: Sequence[ModelName]) -> tuple[Panel, dict[str, str]]:
    """A panel of exactly these judges, and their full names by the short ones."""
    ranked = tuple(
        RankedModel(model=name.short, organisation=organisation_of(name), score=None, base=name.short) for name in names
    )
    return Panel(judges=ranked, wanted=len(ranked)), _addresses(names)


def panel_from(ranked: Sequence[RankedModel], read: ReadName, size: int) -> tuple[Panel, dict[str, str]]:
    """The panel made from a ranking. Raises BadInput for a judge whose name has no provider."""
    panel = make_panel(ranked, size=size)
    names = []
    for judge in panel.judges:
        try:
            names.append(read(judge.model))
        except BadInput as error:
            raise BadInput(
                f"The judge {judge.model!r} of the ranking cannot be used: {error} Write its models as provider:model."
            ) from None
    judges = tuple(
        judge.model_copy(update={"model": name.short}) for judge, name in zip(panel.judges, names, strict=True)
    )
    return panel.model_copy(update={"judges": judges}), _addresses(names)


def organisation_of(name: ModelName) -> str:
    """The organisation of a model by its name; empty for models that its provider only serves."""
    return maker_of(name.short)


def short_names(names: Sequence[ModelName]) -> dict[str, ModelName]:
    """Models by the names that records show. Raises BadInput when two of them have the same name."""
    found: dict[str, ModelName] = {}
    for name in names:
        if found.setdefault(name.short, name) != name:
            raise BadInput(
                f"Two models are called {name.short}, at {found[name.short].base_url or 'its provider'} and at "
                f"{name.base_url or 'its provider'}: a leaderboard could not distinguish them. Measure one of them, or "
                "give one another name at its server."
            )
    return found


def _addresses(names: Sequence[ModelName]) -> dict[str, str]:
    return {short: str(name) for short, name in short_names(names).items()}
