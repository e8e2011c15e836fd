"""The loop: search, cut, read, and search again for what is missing, until there is enough or nothing more to find.

Source: SPARK, the section on XPLOR.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np

from novum.core.evidence import Ending, Exploration, Round, Snippet
from novum.literature.ranking.mmr import mmr
from novum.reading.exploring.criteria import evidence_among, is_enough, lacking, told
from novum.reading.exploring.finding import Finder
from novum.reading.exploring.index import Near
from novum.reading.exploring.passages import Key, Passage
from novum.reading.exploring.prospects import with_prospects
from novum.reading.exploring.queries import Asked, NextStep, SoFar
from novum.reading.exploring.session import Session
from novum.transport import together


class Pursuit:
    """One question on its way through the rounds."""

    def __init__(self, session: Session, question: str, *, weakness: str = "", asked: str = "") -> None:
        self._session = session
        self._question = question
        self._weakness = weakness
        self._words = asked if asked != question else ""
        self._options = session.options
        self._finder = Finder(session.desk, question, session.options.before, session.options.papers, session.live)
        self._seen: set[Key] = set()
        self._read: dict[Key, Snippet] = {}
        self._passages: dict[Key, Passage] = {}
        self._asked: list[Asked] = []
        self._rounds: list[Round] = []

    async def pursue(self, queries: Sequence[str]) -> Exploration:
        """Rounds until a criterion ends them, then the outcome."""
        step = NextStep("", (self._question, *queries))
        if self._session.live and not queries:  # a search engine wants words of the field, not a question
            step = NextStep("", (self._question, *(await self._next_step()).queries))
        ending: Ending | None = None
        while ending is None:
            new = await self._round(step)
            ending = self._ending(new)
            if ending is None:
                step = await self._next_step()
                ending = None if step.queries else "no query"
        outcome = self._outcome(ending)
        if self._options.prospects and outcome.evidence:
            with self._session.desk.run.step("prospects"):
                outcome = await with_prospects(
                    self._session.desk.models, outcome, self._options.shown, self._finder.in_sight
                )
        return outcome

    # -- one round --------------------------------------------------------------------------------------------------

    async def _round(self, step: NextStep) -> int:
        """Searches, reads and notes it down; how many passages it found that had not been read."""
        number = len(self._rounds) + 1
        run = self._session.desk.run
        with run.step(f"round {number}"):
            run.emit("note", text="; ".join(step.queries))
            with run.step("search"):
                found = await self._finder.find(step.queries)
                papers = await self._session.take_in([paper for papers in found for paper in papers])
            chosen = await self._chosen(step.queries)
            with run.step("reading"):
                snippets = await together(
                    self._session.examiner.examine(self._question, near, query, number) for near, query in chosen
                )
        self._take(chosen, snippets)
        usable = [snippet for snippet in snippets if snippet]
        self._asked += [self._tally(query, usable) for query in step.queries]
        self._rounds.append(
            Round(
                number=number,
                queries=step.queries,
                papers=papers,
                judged=len(usable),
                unreadable=len(snippets) - len(usable),
                evidence=len(evidence_among(usable, self._options)),
                missing=step.missing,
            )
        )
        return len(chosen)

    async def _chosen(self, queries: Sequence[str]) -> list[tuple[Near, str]]:
        """The passages to be read, each with the query that it is nearest for: the best of each query in turn.

        Passages read already for this question are passed over, and no paper fills more than its share: coverage
        wants several.
        """
        ranked = [[(near, query) for near in await self._session.index.nearest(query)] for query in queries]
        share = -(-self._options.passages // self._options.coverage)
        chosen: dict[Key, tuple[Near, str]] = {}
        of_paper: dict[str, int] = {}
        for each in (one for turn in zip_longest(*ranked) for one in turn if one is not None):
            passage = each[0].passage
            if passage.key in self._seen or passage.key in chosen or of_paper.get(passage.paper.id, 0) >= share:
                continue
            chosen[passage.key] = each
            of_paper[passage.paper.id] = of_paper.get(passage.paper.id, 0) + 1
            if len(chosen) == self._options.passages:
                break
        return list(chosen.values())

    def _take(self, chosen: Sequence[tuple[Near, str]], snippets: Sequence[Snippet | None]) -> None:
        for (near, _), snippet in zip(chosen, snippets, strict=True):
            self._seen.add(near.passage.key)
            if snippet is not None:
                self._read[near.passage.key] = snippet
                self._passages[near.passage.key] = near.passage

    def _tally(self, query: str, snippets: Sequence[Snippet]) -> Asked:
        own = [snippet for snippet in snippets if snippet.query == query]
        return Asked(query, len(own), len(evidence_among(own, self._options)))

    # -- between rounds ---------------------------------------------------------------------------------------------

    def _ending(self, new: int) -> Ending | None:
        if is_enough(self._evidence(), self._options):
            return "enough"
        if not new:
            return "nothing new"
        return "rounds" if len(self._rounds) >= self._options.rounds else None

    async def _next_step(self) -> NextStep:
        with self._session.desk.run.step(f"queries for round {len(self._rounds) + 1}"):
            step = await self._session.examiner.next_step(self._so_far())
        in_sight = tuple(query for query in step.queries if self._finder.in_sight(query))
        return NextStep(step.missing, in_sight)

    def _so_far(self) -> SoFar:
        read = sorted(self._read.values(), key=lambda each: (-each.score, -each.similarity, each.paper_id, each.start))
        titles = {key[0]: passage.paper.title for key, passage in self._passages.items()}
        return SoFar(
            question=self._question,
            read=read,
            titles=[titles[snippet.paper_id] for snippet in read],
            asked=self._asked,
            least_score=self._options.score,
            lacking=lacking(self._evidence(), self._options),
            count=self._options.queries,
        )

    def _evidence(self) -> list[Snippet]:
        return evidence_among(list(self._read.values()), self._options)

    # -- the outcome ------------------------------------------------------------------------------------------------

    def _outcome(self, ending: Ending) -> Exploration:
        evidence = self._in_order(self._evidence())
        keys = {_key(snippet) for snippet in evidence}
        others = [snippet for snippet in self._so_far().read if _key(snippet) not in keys]
        named = {passage.paper.id: passage.paper for passage in self._passages.values()}
        return Exploration(
            question=self._question,
            asked=self._words,
            weakness=self._weakness,
            before=self._options.before,
            options=self._options.model_dump(mode="json"),
            judge=self._session.examiner.judge,
            evidence=tuple(evidence),
            passed_over=tuple(others),
            rounds=tuple(self._rounds),
            ending=ending,
            ended=told(ending, evidence, self._options, len(self._rounds)),
            papers=tuple(named[each] for each in dict.fromkeys(one.paper_id for one in (*evidence, *others))),
            notes=tuple(self._notes()),
        )

    def _in_order(self, evidence: Sequence[Snippet]) -> list[Snippet]:
        """By maximal marginal relevance: the score against likeness to what stands before."""
        if len(evidence) < 2:
            return list(evidence)
        relevance = np.array([snippet.score / 10 for snippet in evidence])
        likeness = self._session.index.likeness([self._passages[_key(snippet)] for snippet in evidence])
        return [evidence[at] for at in mmr(relevance, likeness, len(evidence), 1 - self._options.balance)]

    def _notes(self) -> list[str]:
        notes = [self._session.examiner.notice] if self._session.examiner.notice else []
        unreadable = sum(each.unreadable for each in self._rounds)
        notes += [f"On {unreadable} of the passages the reader gave no usable answer."] if unreadable else []
        notes += [] if self._read else ["Nothing was found to read: the library has no paper with a text for it."]
        return notes + self._finder.notes


def _key(snippet: Snippet) -> Key:
    return (snippet.paper_id, snippet.origin, snippet.start, snippet.end)
