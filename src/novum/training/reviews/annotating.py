"""Make the idea texts of papers, many at a time, and count the results."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterable

from novum.core.concurrency import run_concurrently
from novum.core.record import Value
from novum.llm import Models, conduct
from novum.training.reviews.annotation import Annotation, Annotator, annotate
from novum.training.reviews.leaks import leaks_anything, sentence_spans
from novum.training.reviews.object_file import ObjectFile
from novum.training.reviews.raw import RawPaper
from novum.training.reviews.tasks import IdeaTexts

_BLANK_LINES = re.compile(r"\n{3,}")
_WORKERS = 64
"""Papers processed at once; the rate limits of models bound the calls in flight."""
Done = Callable[[], None]
"""Called after every paper."""


class AnnotationRates(Value):
    """Results of annotating abstracts, or reviews."""

    asked: int = 0
    """Texts to annotate."""
    kept: int = 0
    at_once: int = 0
    """Accepted at the first attempt."""
    silent: int = 0
    """Reviews that say nothing about the idea."""
    left_out: int = 0
    answers: int = 0
    turned_down: dict[str, int] = {}
    """Rejected responses by reason."""

    @property
    def rejected(self) -> float | None:
        """Share of rejected responses."""
        return sum(self.turned_down.values()) / self.answers if self.answers else None


class RateCounter:
    """Counts annotations."""

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

    def rates(self) -> AnnotationRates:
        return AnnotationRates(**self._counts, turned_down=dict(self._turned.most_common()))


class IdeaTextStore:
    """Idea texts by paper number, stored in an object file."""

    def __init__(self, spool: ObjectFile) -> None:
        self._spool = spool
        self._places: dict[int, int] = {}
        self.abstracts, self.reviews = RateCounter(), RateCounter()

    def get(self, paper: int) -> IdeaTexts | None:
        """The idea texts of a paper; None if there are none."""
        if paper not in self._places:
            return None
        stored = self._spool.get(self._places[paper])
        return IdeaTexts(
            stored["abstract"], {int(number): text for number, text in stored["reviews"].items()}, stored["title"]
        )

    def put(self, paper: int, title: str, abstract: Annotation, reviews: dict[int, Annotation]) -> None:
        self.abstracts.add(abstract)
        for each in reviews.values():
            self.reviews.add(each)
        if abstract.text:
            texts = {str(number): each.text for number, each in reviews.items() if each.text}
            stored = {"title": "" if leaks_anything(title) else title, "abstract": abstract.text, "reviews": texts}
            self._places[paper] = self._spool.put(stored)


async def annotate_papers(
    models: Models, papers: Iterable[tuple[int, RawPaper]], ideas: IdeaTextStore, who: Annotator,
    done: Done = lambda: None,
) -> None:  # fmt: skip
    """Requests the idea texts of all papers. If an abstract is rejected for good, its reviews are not requested.

    Raises as `Models.ask` does, except for unusable responses.
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
    papers: Iterable[tuple[int, RawPaper]], ideas: IdeaTextStore, least_abstract: int, least_words: int,
    done: Done = lambda: None,
) -> None:  # fmt: skip
    """Makes idea texts by dropping sentences with leaks. A text that becomes too short is omitted."""
    for number, paper in papers:
        abstract = _without_leaks(paper.abstract, least_abstract)
        fit = [place for place, review in enumerate(paper.reviews) if not review.unfit] if abstract.text else []
        ideas.put(
            number,
            paper.title,
            abstract,
            {place: _without_leaks(paper.reviews[place].text, least_words) for place in fit},
        )
        done()
        await asyncio.sleep(0)


def _without_leaks(text: str, least: int) -> Annotation:
    idea = idea_by_rules(text)
    return Annotation(idea) if len(idea.split()) >= least else Annotation(turned=["shape"])


def idea_by_rules(text: str) -> str:
    """The sentences of `text` without those that contain a leak, in their order and with their paragraph breaks.

    The method is extractive: remaining sentences may refer to one that was removed.
    """
    parts: list[str] = []
    end = 0
    for start, stop in sentence_spans(text):
        if not leaks_anything(text[start:stop]):
            gap = text[end:start]
            parts.append(("\n\n" if gap.count("\n") > 1 else "\n" if "\n" in gap else " ") + text[start:stop])
        end = stop
    return _BLANK_LINES.sub("\n\n", "".join(parts)).strip()
