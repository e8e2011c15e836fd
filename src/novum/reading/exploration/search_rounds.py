"""The exploration loop: search, split, read, and search again for what is missing, until the evidence is sufficient.

Source: SPARK, the section on XPLOR.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from novum.core import Paper
from novum.core.concurrency import run_concurrently
from novum.core.evidence import Ending, Exploration, Round, Scope, Snippet, Unread
from novum.literature.search.ranking.mmr import mmr
from novum.reading.exploration.criteria import (
    CriterionState,
    criterion_state,
    describe_ending,
    evidence_among,
    missing_criteria,
)
from novum.reading.exploration.further_reading import Section, available_sections, next_passages
from novum.reading.exploration.open_problems import with_prospects
from novum.reading.exploration.passages import Key, Passage
from novum.reading.exploration.queries import NextStep, QueryOutcome, SearchState
from novum.reading.exploration.retrieval import PaperFinder
from novum.reading.exploration.selection import SelectedPassage, rank_passages, select_passages
from novum.reading.exploration.session import ExplorationSession


class ExplorationLoop:
    """The rounds of one question. `asked`: the user's own words, when the question was rewritten."""

    def __init__(self, session: ExplorationSession, question: str, *, weakness: str = "", asked: str = "") -> None:
        self._session = session
        self._question = question
        self._weakness = weakness
        self._words = asked if asked != question else ""
        self._options = session.options
        self._finder = PaperFinder(session.lab, question, session.options.before, session.options.papers, session.live)
        self._seen: set[Key] = set()
        self._read: dict[Key, Snippet] = {}
        self._passages: dict[Key, Passage] = {}
        self._queries: list[QueryOutcome] = []
        self._rounds: list[Round] = []
        self._needs_result = session.options.outcome and session.examiner.judge == "reader"
        self._sufficient_since = 0
        """The round after which there was enough evidence from enough papers; 0 before."""

    async def run(self, queries: Sequence[str]) -> Exploration:
        """Runs rounds until a criterion ends them, and returns the exploration."""
        step = NextStep("", (self._question, *queries))
        if not queries and self._session.examiner.judge == "reader":  # a search needs the terms of the field
            step = NextStep("", (self._question, *(await self._next_step()).queries))
        ending: Ending | None = None
        while ending is None:
            new = await self._round(step)
            ending = self._ending(new)
            if ending is None:
                step = await self._next_step()
                ending = None if step.queries or self._available() else "no query"
        outcome = self._outcome(ending)
        if self._options.prospects and outcome.evidence:
            with self._session.lab.run.step("prospects"):
                outcome = await with_prospects(
                    self._session.lab.models, outcome, self._options.shown, self._finder.in_sight
                )
        return outcome

    # -- one round --------------------------------------------------------------------------------------------------

    async def _round(self, step: NextStep) -> int:
        """Searches, reads and records one round. Returns the number of new passages."""
        number = len(self._rounds) + 1
        run = self._session.lab.run
        with run.step(f"round {number}"):
            run.emit("note", text="; ".join(step.queries) or "reading further in papers already found")
            with run.step("search"):
                papers_by_query = await self._finder.find(step.queries)
                papers = await self._session.add_papers([paper for papers in papers_by_query for paper in papers])
            selected = await self._selected(step, papers_by_query)
            with run.step("reading"):
                snippets = await run_concurrently(
                    self._session.examiner.examine(self._question, each.near, each.query, number) for each in selected
                )
        self._take(selected, snippets)
        usable = [snippet for snippet in snippets if snippet]
        self._queries += [self._tally(query, usable) for query in step.queries]
        self._rounds.append(
            Round(
                number=number,
                queries=step.queries,
                papers=papers,
                judged=len(usable),
                read_on=sum(not snippet.query for snippet in usable),
                unreadable=len(snippets) - len(usable),
                evidence=len(evidence_among(usable, self._options)),
                missing=step.missing,
            )
        )
        return len(selected)

    async def _selected(self, step: NextStep, papers_by_query: Sequence[Sequence[Paper]]) -> list[SelectedPassage]:
        index, at_hand = self._session.index, self._available()
        nearest = await index.nearest(self._question) if at_hand else []
        on = next_passages(nearest, step.read_on, at_hand, self._read)
        by_query = [
            [SelectedPassage(near, query) for near in rank_passages(await index.nearest(query), papers)]
            for query, papers in zip(step.queries, papers_by_query, strict=True)
        ]
        return select_passages(on, by_query, self._seen, self._options)

    def _available(self) -> list[Section]:
        return available_sections(self._session.index.passages, self._read, self._seen)

    def _take(self, selected: Sequence[SelectedPassage], snippets: Sequence[Snippet | None]) -> None:
        for each, snippet in zip(selected, snippets, strict=True):
            passage = each.near.passage
            self._seen.add(passage.key)
            if snippet is not None:
                self._read[passage.key] = snippet
                self._passages[passage.key] = passage

    def _tally(self, query: str, snippets: Sequence[Snippet]) -> QueryOutcome:
        own = [snippet for snippet in snippets if snippet.query == query]
        return QueryOutcome(query, len(own), len(evidence_among(own, self._options)))

    # -- between rounds ---------------------------------------------------------------------------------------------

    def _ending(self, new: int) -> Ending | None:
        reached = self._state()
        if reached.counts(self._options):
            if reached.outcome or not self._needs_result or self._sufficient_since:
                return "enough"
            self._sufficient_since = len(self._rounds)
        if not new:
            return "nothing new"
        return "rounds" if len(self._rounds) >= self._options.rounds else None

    async def _next_step(self) -> NextStep:
        with self._session.lab.run.step(f"queries for round {len(self._rounds) + 1}"):
            step = await self._session.examiner.next_step(self._so_far())
        in_sight = tuple(query for query in step.queries if self._finder.in_sight(query))
        return NextStep(step.missing, in_sight, step.read_on)

    def _so_far(self) -> SearchState:
        read = sorted(self._read.values(), key=lambda each: (-each.score, -each.similarity, each.paper_id, each.start))
        titles = {key[0]: passage.paper.title for key, passage in self._passages.items()}
        return SearchState(
            question=self._question,
            read=read,
            titles=[titles[snippet.paper_id] for snippet in read],
            at_hand=self._available(),
            asked=self._queries,
            least_score=self._options.score,
            lacking=missing_criteria(self._state(), self._options, outcome=self._needs_result) if self._rounds else "",
            count=self._options.queries,
        )

    def _evidence(self) -> list[Snippet]:
        return evidence_among(list(self._read.values()), self._options)

    def _state(self) -> CriterionState:
        own_words = any(passage.origin != "summary" for passage in self._session.index.passages)
        return criterion_state(self._evidence(), own_words=own_words)

    # -- the outcome ------------------------------------------------------------------------------------------------

    def _outcome(self, ending: Ending) -> Exploration:
        evidence = self._in_order(self._evidence())
        keys = {_key(snippet) for snippet in evidence}
        others = [snippet for snippet in self._so_far().read if _key(snippet) not in keys]
        named = {passage.paper.id: passage.paper for passage in self._passages.values()}
        held = self._session.lab.library.size()
        return Exploration(
            question=self._question,
            asked=self._words,
            weakness=self._weakness,
            before=self._options.before,
            options=self._options.model_dump(mode="json"),
            judge=self._session.examiner.judge,
            scope=Scope(papers=held.papers, full_texts=held.full_texts, live=self._session.live is not None),
            evidence=tuple(evidence),
            passed_over=tuple(others),
            unread=tuple(self._unread(evidence)),
            rounds=tuple(self._rounds),
            ending=ending,
            ended=describe_ending(ending, self._state(), self._options, len(self._rounds), outcome=self._needs_result),
            papers=tuple(named[each] for each in dict.fromkeys(one.paper_id for one in (*evidence, *others))),
            notes=tuple(self._notes()),
        )

    def _unread(self, evidence: Sequence[Snippet]) -> list[Unread]:
        """Sections on results that were not read, of the papers that the evidence is from."""
        sources = {snippet.paper_id for snippet in evidence}
        return [
            Unread(paper_id=section.paper.id, section=section.title)
            for section in self._available()
            if section.promise and section.untouched and section.paper.id in sources
        ]

    def _in_order(self, evidence: Sequence[Snippet]) -> list[Snippet]:
        """Ranked by maximal marginal relevance: the score against the similarity to earlier snippets."""
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
