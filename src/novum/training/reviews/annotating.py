"""Papers annotated: many at a time, each text once, what came of it counted."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable

from novum.concurrency import run_concurrently
from novum.core.record import Value
from novum.llm import Models, conduct
from novum.training.reviews.annotation import Annotation, Annotator, annotate
from novum.training.reviews.leaks import leaks_anything
from novum.training.reviews.object_file import ObjectFile
from novum.training.reviews.raw import RawPaper
from novum.training.reviews.stripping import idea_by_rules
from novum.training.reviews.tasks import IdeaTexts

_WORKERS = 64
"""Papers worked on at once; how many calls are in flight is the models' own affair."""
Done = Callable[[], None]
"""Hears of every paper that is done."""


class AnnotationRates(Value):
    """What came of asking for idea texts, of abstracts or of reviews."""

    asked: int = 0
    """Texts that an idea version was wanted of."""
    kept: int = 0
    at_once: int = 0
    """Kept as first answered."""
    silent: int = 0
    """Reviews that say nothing of the idea."""
    left_out: int = 0
    answers: int = 0
    turned_down: dict[str, int] = {}
    """Answers by why."""

    @property
    def rejected(self) -> float | None:
        """Share of answers that were turned down."""
        return sum(self.turned_down.values()) / self.answers if self.answers else None


class RateCounter:
    """Counts as texts come in."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._turned: Counter[str] = Counter()

    def add(self, done: Annotation) -> None:
        self._counts["asked"] += 1
        self._counts["kept"] += bool(done.text)
        self._counts["at_once"] += bool(done.text) and not done.turned
        self._counts["silent"] += done.silent
        self._counts["left_out"] += not done.text and not done.silent
        self._counts["answers"] += len(done.turned) + (bool(done.text) or done.silent)
        self._turned.update(done.turned)

    def told(self) -> AnnotationRates:
        return AnnotationRates(**self._counts, turned_down=dict(self._turned.most_common()))


class IdeaTextStore:
    """Idea texts of papers, by the number of the paper; they wait in a spool."""

    def __init__(self, spool: ObjectFile) -> None:
        self._spool = spool
        self._places: dict[int, int] = {}
        self.abstracts, self.reviews = RateCounter(), RateCounter()

    def get(self, paper: int) -> IdeaTexts | None:
        """None where nothing was made."""
        if paper not in self._places:
            return None
        found = self._spool.get(self._places[paper])
        return IdeaTexts(
            found["abstract"], {int(number): text for number, text in found["reviews"].items()}, found["title"]
        )

    def put(self, paper: int, title: str, abstract: Annotation, reviews: dict[int, Annotation]) -> None:
        self.abstracts.add(abstract)
        for each in reviews.values():
            self.reviews.add(each)
        if abstract.text:
            texts = {str(number): each.text for number, each in reviews.items() if each.text}
            told = {"title": "" if leaks_anything(title) else title, "abstract": abstract.text, "reviews": texts}
            self._places[paper] = self._spool.put(told)


async def annotate_papers(
    models: Models,
    papers: Iterable[tuple[int, RawPaper]],
    ideas: IdeaTextStore,
    who: Annotator,
    done: Done = lambda: None,
) -> None:
    """Asks for the idea texts of all papers; of a paper whose abstract is left out, the reviews are not asked for.

    Raises what `Models.ask` raises, except for answers that cannot be used.
    """
    waiting = iter(papers)

    async def work() -> None:
        for number, paper in waiting:
            abstract = await conduct(models, annotate(paper.abstract, "abstract", who))
            fit = [place for place, review in enumerate(paper.reviews) if not review.unfit] if abstract.text else []
            texts = (annotate(paper.reviews[place].text, "review", who) for place in fit)
            made = await run_concurrently(conduct(models, text) for text in texts)
            ideas.put(number, paper.title, abstract, dict(zip(fit, made, strict=True)))
            done()

    await run_concurrently(work() for _ in range(_WORKERS))


async def extract_ideas_by_rules(
    papers: Iterable[tuple[int, RawPaper]],
    ideas: IdeaTextStore,
    least_abstract: int,
    least_words: int,
    done: Done = lambda: None,
) -> None:
    """The same by the rules that drop sentences; what is left of a text must still be one."""
    for number, paper in papers:
        abstract = _stripped(paper.abstract, least_abstract)
        fit = [place for place, review in enumerate(paper.reviews) if not review.unfit] if abstract.text else []
        ideas.put(
            number, paper.title, abstract, {place: _stripped(paper.reviews[place].text, least_words) for place in fit}
        )
        done()
        await asyncio.sleep(0)


def _stripped(text: str, least: int) -> Annotation:
    kept = idea_by_rules(text)
    return Annotation(kept) if len(kept.split()) >= least else Annotation(turned=["shape"])
