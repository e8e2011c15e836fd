"""Literature novelty as further metrics: how far a paper was from what the library holds from before its year."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from novum.benchmarks.metric_validation.measurement import Scorer
from novum.core import Paper, PartScore, Scorecard, Subject
from novum.idea_metrics.novelty import NoveltyMeter
from novum.literature import Library

NUMBERS = ("historical", "contemporary", "overall")


@dataclass(frozen=True)
class WithNovelty:
    """A model that says these beside its own numbers, some ten milliseconds a paper. Contemporary and overall novelty
    look at what came after a paper, too: they could not have been said on its day."""

    model: Scorer
    meter: NoveltyMeter

    @classmethod
    def of(cls, model: Scorer, library: Library) -> WithNovelty:
        """The library that papers are put beside."""
        return cls(model, NoveltyMeter(library))

    async def score(self, subjects: Sequence[Subject], *, explain: bool = True) -> list[Scorecard]:
        """A paper is not put beside itself."""
        cards = await self.model.score(subjects, explain=explain)
        return [await self._with_novelty(card) for card in cards]

    async def _with_novelty(self, card: Scorecard) -> Scorecard:
        subject = card.subject
        found = await self.meter.measure(subject, Paper(title=subject.title, year=subject.year).id)
        numbers = {f"novelty_{name}": getattr(found, name).value for name in NUMBERS}
        more = {name: PartScore(name=name, raw=value, why="") for name, value in numbers.items()}
        return card.model_copy(update={"parts": {**card.parts, **more}})
