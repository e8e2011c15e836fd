"""Echo: one idea from the papers nearest to a topic. The smallest method that does something real."""

from __future__ import annotations

from pydantic import Field

from novum.core import Candidate, Chain, Ideation, Link, Topic
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.methods import MethodOptions, method
from novum.methods.experiment_design import find_visible_paper
from novum.methods.proposal import ProposalContext, propose

NAME = "echo"


class EchoOptions(MethodOptions):
    """What a user may choose: shown by `novum methods show echo`, set by `--option count=6`."""

    count: int = Field(4, ge=1, le=12, description="Papers put before the writer")


@method(NAME, EchoOptions)
async def echo(lab: Lab, topic: Topic, options: EchoOptions) -> Ideation:
    """One idea from the papers nearest to the topic, without a line between them."""
    filters = Filters(before=options.before)
    with lab.run.step("papers"):
        hits = await lab.library.search(topic.text, options.count, filters)
    links = tuple(Link(paper=hit.paper, direction="anchor", reason="near the topic") for hit in hits)
    chain = Chain(topic=topic.text, query=topic.text, links=links)
    outcome = Ideation(topic=topic.text, method=NAME, options=options.model_dump(mode="json"), papers=chain.papers)
    try:
        with lab.run.step("idea"):
            line = ProposalContext(topic, chain)
            draft = await propose(
                lab.models, line, (), lambda title: find_visible_paper(lab, title, filters), generator=NAME, sample=0
            )
    except NoUsableAnswer as problem:
        return outcome.but(notes=(f"No idea: {problem}",))
    cited = [each.paper_id for each in draft.idea.citations if each.paper_id]
    papers = lab.library.get_many(dict.fromkeys([paper.id for paper in chain.papers] + cited))
    return outcome.but(candidates=(Candidate(idea=draft.idea, chain=chain),), papers=tuple(papers))
