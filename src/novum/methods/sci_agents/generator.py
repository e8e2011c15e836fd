"""The steps of SciAgents: graph, paths, team, ideas."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pydantic import Field

from novum.core import Candidate, Ideation, Paper, StartedFrom, Topic
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.literature.search.ranking.concept_graph import ConceptGraph
from novum.methods.finishing import MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.prior_work import is_known, novelty_check_of
from novum.methods.sci_agents.paths import PathEnds, find_paths, paths_for_opportunities
from novum.methods.sci_agents.team import HypothesisTeam, PathGround, write_up_sections
from novum.methods.starting_points import StartingOptions, StartingPoint, starting_points
from novum.methods.writing_up import WriteUpMaterial, write_up

NAME = "sci-agents"
_ON_THE_WAY = 7
"""Papers shown to the team for the steps of a path."""
_OF_THE_TOPIC = 3
"""Papers shown to the team because they are nearest to the topic."""


class SciAgentsOptions(StartingOptions):
    """The source draws its graph from about 1,000 papers of one field; nearest to a topic, fewer keep to its field."""

    ideas: int = Field(3, ge=1, le=10, description="Paths through the graph, each with an idea of its own")
    graph_papers: int = Field(
        300, ge=2, le=3000, description="Papers nearest to the topic from which the graph is built"
    )
    concepts: int = Field(2000, ge=2, le=5000, description="Most concepts of the graph, the most frequent ones")
    start: str = Field(
        "", max_length=200, description="Concept that every way begins at; empty: the nearest to the topic"
    )
    end: str = Field("", max_length=200, description="Concept that every way ends at; empty: one drawn by lot for each")
    waypoints: int = Field(
        2,
        ge=0,
        le=5,
        description="Random concepts on each path; 0: the shortest path, as always for an opportunity",
    )
    expand: bool = Field(True, description="Expand each part of the hypothesis in a request of its own")


@dataclass(frozen=True)
class _FinishedHypothesis:
    """An idea with its marks, 1 to 10 (0: no marks), or None; and notes on problems."""

    candidate: Candidate | None
    marks: float
    notes: tuple[str, ...]
    started: StartedFrom | None = None


@method(NAME, SciAgentsOptions)
async def sci_agents(lab: Lab, topic: Topic, options: SciAgentsOptions) -> Ideation:
    """Hypotheses from paths through a graph of concepts: an ontologist, a scientist, its expansion and a critic.

    Source: SciAgents (Ghafarollahi & Buehler 2024), the team with a fixed order. From the source: paths through random
    waypoints, or the shortest path; definitions of concepts and relations; a hypothesis in seven parts, all but the
    first expanded one by one; a critic; a novelty check against the literature. Changed: the graph is built from
    concepts that co-occur in papers near the topic (in the source a model extracts it from full texts in advance);
    paths begin near the topic; relations come with papers, which are cited. Left out: the variant in which agents
    choose who speaks, and the critic's questions on modelling and laboratory work, which the experiment that all
    methods plan replaces. Ideas found to be known are ranked last, the others by the critic's marks.
    """
    notes: list[str] = []
    filters = Filters(before=options.before)
    points = await starting_points(lab, topic, options, notes)
    with lab.run.step("graph"):
        papers = tuple(hit.paper for hit in await lab.library.nearest(topic.text, options.graph_papers, filters))
        if not papers:
            notes.append("The library holds no paper that this run may read, so there is no graph of concepts.")
        shelf = tuple({paper.id: paper for paper in (*papers, *(p for each in points for p in each.papers))}.values())
        graph = await asyncio.to_thread(_graph, shelf, options.concepts)
        ends = PathEnds(options.start, options.end, options.waypoints)
        crossing = await paths_for_opportunities(lab, graph, points, notes)
        others = options.ideas - len(crossing)
        paths = await find_paths(lab, topic, graph, ends, others, notes) if papers and others > 0 else []
    grounds = [_ground(graph, way, papers, number, points[at]) for number, (at, way) in enumerate(crossing.items(), 1)]
    grounds += [_ground(graph, way, papers, number) for number, way in enumerate(paths, len(crossing) + 1)]
    made = await run_concurrently(_work_out(lab, topic, options, ground) for ground in grounds)
    notes += [note for each in made for note in each.notes]
    starts = [each.started for each in made if each.started is not None]
    return await ideation_from(lab, topic, MethodOutcome(NAME, options, _ranked(made, notes), (), notes, starts=starts))


def _graph(papers: Sequence[Paper], most: int) -> ConceptGraph:
    """The graph of concepts in at least two papers; if these are too few to be linked, of all concepts."""
    graph = ConceptGraph(papers, most=most)
    return graph if graph.joined() else ConceptGraph(papers, most=most, fewest=1)


def _ground(
    graph: ConceptGraph, way: Sequence[str], nearest: Sequence[Paper], number: int, point: StartingPoint | None = None
) -> PathGround:
    """The way with its papers: one for each step first, then a second for each, as far as there is room; then those
    of the opportunity that it leads across."""
    relations = tuple(graph.relation(one, other) for one, other in pairwise(way))
    deepest = max((len(each.papers) for each in relations), default=0)
    by_turns = [each.papers[turn] for turn in range(deepest) for each in relations if turn < len(each.papers)]
    on_the_way = list({paper.id: paper for paper in by_turns}.values())[:_ON_THE_WAY]
    papers_by_id = {
        paper.id: paper for paper in (*on_the_way, *nearest[:_OF_THE_TOPIC], *(point.papers if point else ()))
    }
    return PathGround(number, tuple(way), relations, tuple(papers_by_id.values()), point)


async def _work_out(lab: Lab, topic: Topic, options: SciAgentsOptions, ground: PathGround) -> _FinishedHypothesis:
    """Develop a path into a checked idea; None as its idea when there is no usable hypothesis or text."""
    filters = Filters(before=options.before)
    with lab.run.step(f"way {ground.number}"):
        lab.run.emit("note", text=" – ".join(ground.way))
        try:
            worked = await HypothesisTeam(lab, topic, ground).work(expand=options.expand)
            with lab.run.step("writing up"):
                material = WriteUpMaterial(write_up_sections(worked), ground.papers)
                draft = await write_up(lab, topic, material, filters, generator=NAME, sample=ground.number)
        except NoUsableAnswer:
            return _FinishedHypothesis(None, 0.0, (f"{ground.name}: the writer gave no usable idea.",))
        with lab.run.step("novelty check"):
            check = await novelty_check_of(lab, draft, ground.papers, filters)
    marks = worked.criticism.marks if worked.criticism else 0.0
    started = ground.point.started(draft.idea.id) if ground.point else None
    return _FinishedHypothesis(Candidate(idea=draft.idea, checks=(check,)), marks, worked.gaps, started)


def _ranked(made: Sequence[_FinishedHypothesis], notes: list[str]) -> list[Candidate]:
    """Best first: known ideas last, then by the critic's marks; ideas without marks after the others."""
    ordered = sorted(
        ((each.candidate, each.marks) for each in made if each.candidate is not None),
        key=lambda each: (is_known(each[0]), -each[1]),
    )
    different = list({candidate.idea.id: candidate for candidate, _ in reversed(ordered)}.values())[::-1]
    if duplicates := len(ordered) - len(different):
        notes.append(f"{duplicates} of the ideas were identical to another one.")
    return different
