"""What ideas start from: open problems and concepts of an exploration, and the passages that show them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novum.core import Paper
from novum.core.evidence import Concept, Exploration, OpenProblem, Snippet
from novum.literature.search.ranking.concepts import concepts as concepts_in
from novum.methods.starting_points import StartingPoint
from novum.reading import Bibliography

_PASSAGES = 8
"""Passages put before the writer of one idea."""
_FIELDS = 3
_WORD_GROUPS = 12
"""Concepts taken from titles and abstracts, where the exploration named none."""

Hand = tuple[int, ...]
"""Places of the concepts of one start."""


@dataclass(frozen=True)
class SparkStart:
    """One problem with some concepts of an exploration, and the passages that show both. `number` counts the starts
    from 1.
    """

    number: int
    exploration: Exploration
    problem: OpenProblem
    concepts: tuple[Concept, ...]
    passages: tuple[Snippet, ...]
    papers: tuple[Paper, ...]
    """Those of the passages, in the order of their labels; then those of the opportunity."""
    point: StartingPoint | None = None
    """The opportunity from which it starts, instead of random concepts."""

    @property
    def taken(self) -> tuple[OpenProblem | Concept, ...]:
        """What it takes from the exploration."""
        return (self.problem, *self.concepts)

    @property
    def needs(self) -> dict[str, object]:
        """Problem and concepts as prompts show them, each with the labels of the papers that show it."""
        return {
            "problem": self.named(self.problem),
            "concepts": [] if self.point else [self.named(each) for each in self.concepts],
            "sources": sources_with_passages(self.papers, self.passages),
            "opening": self.point.variables(Bibliography(self.papers)) if self.point else None,
        }

    def named(self, each: OpenProblem | Concept) -> dict[str, object]:
        """The fields of a problem or a concept, and the labels of the papers whose passages, as shown, show it."""
        shown_by = {self.passages[place - 1].paper_id for place in _places(each, self.exploration, self.passages)}
        labels = [entry.label for entry in Bibliography(self.papers).entries if entry.paper.id in shown_by]
        return {**each.model_dump(), "labels": labels}


@dataclass(frozen=True)
class DrawnStarts:
    """The starts that were drawn, and the number of missing ones when there are no more different ones."""

    starts: tuple[SparkStart, ...]
    lacking: int


def with_fallback_starts(exploration: Exploration, notes: list[str]) -> Exploration:
    """The exploration with something to start from in any case: passages in the place of problems, word groups of its
    papers in the place of concepts. A note says so.
    """
    if not exploration.problems:
        notes.append("No open problem was found: ideas start from single passages.")
        exploration = exploration.but(problems=_one_for_each_paper(exploration))
    if not exploration.concepts:
        notes.append("No concept was found: word groups of the papers take their place.")
        exploration = exploration.but(concepts=_word_groups(exploration))
    return exploration


def _one_for_each_paper(exploration: Exploration) -> tuple[OpenProblem, ...]:
    """The best passage of each paper as a problem."""
    first: dict[str, OpenProblem] = {}
    for place, snippet in enumerate(exploration.evidence, 1):
        text = snippet.summary or snippet.passage
        first.setdefault(snippet.paper_id, OpenProblem(text=text, cites=(place,)))
    return tuple(first.values())


def _word_groups(exploration: Exploration) -> tuple[Concept, ...]:
    """Concepts in the papers that evidence is from, one of each paper in turn, groups of several words before single
    ones.
    """
    place: dict[str, int] = {}
    for number, snippet in enumerate(exploration.evidence, 1):
        place.setdefault(snippet.paper_id, number)
    papers = [paper for paper in exploration.papers if paper.id in place]
    rank: dict[str, tuple[bool, int, int]] = {}
    for paper, names in zip(papers, concepts_in(papers, 1), strict=True):
        for turn, name in enumerate(sorted(names, key=lambda each: (" " not in each, each))):
            rank.setdefault(name, (" " not in name, turn, place[paper.id]))
    named = sorted(rank, key=lambda name: (*rank[name], name))[:_WORD_GROUPS]
    return tuple(Concept(name=name, description="", cites=(rank[name][2],)) for name in named)


def draw_starts(exploration: Exploration, count: int, hand: int, rng: random.Random) -> DrawnStarts:
    """At most `count` different starts: each problem, the most worthwhile first, before any comes again; `hand`
    concepts by lot, each of them before any comes again. No problem meets the same concepts twice.
    """
    cards, hand = len(exploration.concepts), min(hand, len(exploration.concepts))
    hands, every_hand = _dealt_hands(cards, hand, rng), list(combinations(range(cards), hand))
    taken: dict[tuple[int, Hand], None] = {}
    for turn in range(count):
        problem = turn % len(exploration.problems)
        dealt = next(hands)
        if (problem, dealt) in taken:
            left = [other for other in every_hand if (problem, other) not in taken]
            dealt = rng.choice(left) if left else dealt
        taken[problem, dealt] = None
    starts = [_start(number, exploration, problem, concepts) for number, (problem, concepts) in enumerate(taken, 1)]
    return DrawnStarts(tuple(starts), count - len(starts))


def nearest_problems(likeness: NDArray[np.float32]) -> list[int]:
    """A problem for each opportunity: the most similar one that no earlier opportunity has, as long as any is left.

    `likeness`: shape (opportunities, problems).
    """
    chosen: list[int] = []
    for number, row in enumerate(likeness):
        used = set(chosen[number - number % len(row) :])
        chosen.append(max((place for place in range(len(row)) if place not in used), key=lambda place: row[place]))
    return chosen


def starts_from_opportunities(
    exploration: Exploration, points: Sequence[StartingPoint], problems: Sequence[int]
) -> tuple[SparkStart, ...]:
    """A start for each opportunity: its two concepts with the problem of that place."""
    starts = []
    for number, (point, problem) in enumerate(zip(points, problems, strict=True), 1):
        plain = _start(number, exploration, problem, ())
        concepts = tuple(Concept(name=name, description="", cites=()) for name in point.opening.pair)
        papers = tuple({paper.id: paper for paper in (*plain.papers, *point.papers)}.values())
        starts.append(replace(plain, concepts=concepts, papers=papers, point=point))
    return tuple(starts)


def _dealt_hands(cards: int, hand: int, rng: random.Random) -> Iterator[Hand]:
    """Endless hands of distinct cards; the deck is reshuffled when it is used up."""
    deck: list[int] = []
    while True:
        held: list[int] = []
        while len(held) < hand:
            deck = deck or [card for card in rng.sample(range(cards), cards) if card not in held]
            held.append(deck.pop())
        yield tuple(sorted(held))


def _start(number: int, exploration: Exploration, problem: int, hand: Hand) -> SparkStart:
    concepts = tuple(exploration.concepts[card] for card in hand)
    in_turn = zip_longest(exploration.problems[problem].cites, *(each.cites for each in concepts))
    cited = [place for turn in in_turn for place in turn if place is not None]  # each is shown by one at least
    places = list(dict.fromkeys([*cited, *range(1, len(exploration.evidence) + 1)]))[:_PASSAGES]
    passages = tuple(exploration.evidence[place - 1] for place in places)
    return SparkStart(
        number, exploration, exploration.problems[problem], concepts, passages, papers_of(exploration, passages)
    )


def ground_of(start: SparkStart, passages: Sequence[Snippet]) -> dict[str, Any]:
    """Problem, concepts and passages of an idea as its record has them: `cites` count places in `passages`."""
    records = {
        each: each.model_copy(update={"cites": _places(each, start.exploration, passages)}) for each in start.taken
    }
    return {
        "problem": records[start.problem],
        "concepts": tuple(records[each] for each in start.concepts),
        "evidence": tuple(passages),
    }


def _places(each: OpenProblem | Concept, exploration: Exploration, passages: Sequence[Snippet]) -> tuple[int, ...]:
    """Where the passages that show it stand in `passages`, from 1."""
    cited = [exploration.evidence[place - 1] for place in each.cites]
    return tuple(place for place, snippet in enumerate(passages, 1) if snippet in cited)


def papers_of(exploration: Exploration, passages: Sequence[Snippet], before: Sequence[Paper] = ()) -> tuple[Paper, ...]:
    """`before`, and after it the papers of `passages`: labels that were given stay what they were."""
    known = {paper.id: paper for paper in exploration.papers}
    papers = [*before, *(known[snippet.paper_id] for snippet in passages)]
    return tuple({paper.id: paper for paper in papers}.values())


def sources_with_passages(papers: Sequence[Paper], passages: Sequence[Snippet]) -> list[dict[str, object]]:
    """Papers with their labels and shown passages; papers without a passage are left out."""
    of_paper: dict[str, list[Snippet]] = {}
    for snippet in passages:
        of_paper.setdefault(snippet.paper_id, []).append(snippet)
    return [
        {"label": entry.label, "paper": entry.paper, "passages": of_paper[entry.paper.id]}
        for entry in Bibliography(papers).entries
        if entry.paper.id in of_paper
    ]


def field_of(exploration: Exploration) -> str:
    """The most frequent fields of the papers of the evidence; empty if the library has none."""
    of_evidence = {snippet.paper_id for snippet in exploration.evidence}
    fields = Counter(name for paper in exploration.papers if paper.id in of_evidence for name in paper.fields)
    return ", ".join(name for name, _ in sorted(fields.items(), key=lambda each: (-each[1], each[0]))[:_FIELDS])
