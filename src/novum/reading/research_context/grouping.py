"""Group ideas by meaning (DeepInnovator, section 4.1, "Idea Clustering").

Embeddings propose clusters. For each cluster the model decides whether it joins a group that exists or starts one,
names the group, and keeps its memory. Ideas that do not belong to their cluster are routed once more, one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from pydantic import Field

from novum.core.research_context import IdeaGroup, PaperIdea
from novum.errors import NoUsableAnswer
from novum.idea_metrics.clusters import cluster, nearest
from novum.literature import Embedder
from novum.literature.embedding import vectors_of
from novum.llm import Answer, Models, Question, labels, prose
from novum.reading.research_context.labels import IdeaLabels

_PER_CLUSTER = 5
"""Ideas of a cluster, on average."""
NEW_GROUP = 0


class GroupRouting(Answer):
    """The answer to `route_ideas`."""

    reason: str = prose(300, "what the new ideas have in common, and with which group, if any")
    group: int = Field(description="number of the group that they join; 0 for a new group", ge=0, le=99)
    name: str = prose(80, "name of that group after they have joined it")
    memory: str = prose(600, "what all ideas of that group share and in what they differ, brought up to date")
    misplaced: list[str] = labels(5, "labels of new ideas that do not belong with the others", few=0)


@dataclass(frozen=True)
class Grouping:
    """The groups so far, and sentences on what was irregular."""

    groups: tuple[IdeaGroup, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def routed(self, ideas: Sequence[PaperIdea], answer: GroupRouting) -> Grouping:
        """The grouping after these ideas were routed. A group number that does not exist starts a new group."""
        ids = tuple(each.paper_id for each in ideas)
        group = IdeaGroup(name=answer.name or ideas[0].title, memory=answer.memory, paper_ids=ids)
        if not 1 <= answer.group <= len(self.groups):
            unknown = answer.group != NEW_GROUP
            note = (f"The reader named a group {answer.group} that does not exist; a new one was started.",)
            return Grouping((*self.groups, group), self.notes + (note if unknown else ()))
        place = answer.group - 1
        joined = group.model_copy(update={"paper_ids": (*self.groups[place].paper_ids, *ids)})
        return replace(self, groups=(*self.groups[:place], joined, *self.groups[place + 1 :]))

    def unrouted(self, ideas: Sequence[PaperIdea]) -> Grouping:
        """The grouping with these ideas as a group of their own, where the reader gave no usable answer."""
        group = IdeaGroup(name=ideas[0].title, memory="", paper_ids=tuple(each.paper_id for each in ideas))
        return Grouping((*self.groups, group), (*self.notes, f"No usable answer placed the group «{group.name}»."))


async def group_ideas(models: Models, embedder: Embedder, ideas: Sequence[PaperIdea]) -> Grouping:
    """All ideas in groups, each in exactly one."""
    grouping, misplaced = Grouping(), list[PaperIdea]()
    for members in await embedding_clusters(embedder, ideas):
        grouping, strays = await _route(models, grouping, members)
        misplaced += strays
    for idea in misplaced:
        grouping, _ = await _route(models, grouping, [idea])
    return grouping


async def embedding_clusters(embedder: Embedder, ideas: Sequence[PaperIdea]) -> list[list[PaperIdea]]:
    """Clusters of similar ideas by K-means on their embeddings, the largest first; the same for the same ideas."""
    if not ideas:
        return []
    vectors = await vectors_of(embedder, [f"{each.title}\n{each.text}" for each in ideas])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    points = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    count = max(1, round(len(ideas) / _PER_CLUSTER))
    found = cluster(points, count, seed=0)
    places, _ = nearest(points, found.centroids)
    members = [[idea for idea, at in zip(ideas, places, strict=True) if at == place] for place in range(count)]
    return sorted(filter(None, members), key=lambda each: -len(each))


async def _route(models: Models, grouping: Grouping, ideas: Sequence[PaperIdea]) -> tuple[Grouping, list[PaperIdea]]:
    """The grouping with these ideas, and those of them that do not belong with the others."""
    shelf = IdeaLabels(ideas)
    needs = {"groups": list(grouping.groups), "ideas": list(shelf.entries)}
    try:
        answer = await models.ask(Question("route_ideas", needs, GroupRouting, role="reader", temperature=0.0))
    except NoUsableAnswer:
        return grouping.unrouted(ideas), []
    strays = set(shelf.paper_ids(answer.misplaced)) if len(ideas) > 1 else set()
    staying = [each for each in ideas if each.paper_id not in strays]
    if not staying:  # an answer that keeps none contradicts itself
        staying, strays = list(ideas), set()
    return grouping.routed(staying, answer), [each for each in ideas if each.paper_id in strays]
