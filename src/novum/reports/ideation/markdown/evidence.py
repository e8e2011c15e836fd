"""What an idea was made from, in Markdown: its chain of papers, its passages, and its novelty checks."""

from __future__ import annotations

from collections.abc import Iterable

from novum.core import (
    Candidate,
    Chain,
    Ground,
    IdeationReport,
    Insight,
    NoveltyCheck,
    Paper,
    Snippet,
)
from novum.core.research_context import ResearchContext
from novum.reports import phrases
from novum.reports.exploration import phrases as exploration_words
from novum.reports.ideation import context as contexts
from novum.reports.ideation import findings
from novum.reports.ideation import grounding as grounds
from novum.reports.ideation.cited_papers import CitedPapers
from novum.reports.ideation.comparisons import (
    version_comparisons,
    versions_in_words,
)
from novum.reports.ideation.markdown.judging import pair_blocks
from novum.reports.ideation.markdown.parts import Blocks, idea_blocks, named_list, named_texts, paper_by_id, paper_line
from novum.reports.ideation.novelty import last_check_of, other_checks, verdict
from novum.reports.markdown import (
    markdown_line,
    markdown_list,
    markdown_phrase,
    markdown_prose,
)


def context_blocks(context: ResearchContext | None, shelf: CitedPapers) -> Blocks:
    """What was read before ideas were had: signals, groups of papers and their relations."""
    if context is None:
        return
    found = contexts.context_in_words(context, shelf)
    yield f"## {contexts.HEADING}"
    yield contexts.INTRODUCTION
    yield markdown_list(
        f"**{row.name}.** {markdown_phrase(row.signal.text)} ({_numbers(row.papers, shelf)})" for row in found.signals
    )
    yield markdown_list(
        f"**Group {markdown_line(row.group.name)}.** {markdown_phrase(row.group.memory)} "
        f"({_numbers(row.papers, shelf)})"
        for row in found.groups
    )
    yield markdown_list(
        f"**{row.relation.kind}** of {_numbers(filter(None, (row.source,)), shelf)} and "
        f"{_numbers(filter(None, (row.target,)), shelf)}: {markdown_phrase(row.relation.reason)}"
        for row in found.relations
    )


def _numbers(papers: Iterable[Paper], shelf: CitedPapers) -> str:
    named = [f"{markdown_line(paper.short_citation)} \\[{shelf.number(paper)}\\]" for paper in papers]
    return ", ".join(named) or "not in this report"


def evidence_blocks(
    candidate: Candidate, number: int, shelf: CitedPapers, report: IdeationReport, reason: str | None = None
) -> Blocks:
    """The chain of an idea, what else it was made from, and its checks. `reason`: as in `_check`."""
    ideation = report.ideation
    if findings.has_chains(ideation):  # a method that builds chains: say so if one is missing
        yield f"#### {findings.papers_heading(ideation).removesuffix('it')}idea {number}"
        if candidate.chain and report.account.demonstration:  # its papers are shown above
            yield named_list("What the small model said of it", (each.text for each in candidate.chain.trends))
        else:
            with_trends = ideation.context is None
            yield from (
                chain_blocks(candidate.chain, shelf, with_trends=with_trends)
                if candidate.chain
                else ["It is based on no chain of papers."]
            )
        yield from _future(candidate.chain)
    if (ground := ideation.ground(candidate.idea)) is not None:
        yield f"#### {grounds.HEADING}: idea {number}"
        yield from _ground(ground, shelf)
    yield f"#### Papers compared with idea {number}"
    yield from _check(candidate.final_check, shelf, reason)
    for at, draft in enumerate(candidate.earlier_drafts, 1):
        yield f"#### Earlier draft {at} of idea {number}: {markdown_line(draft.title)}"
        yield from _check(last_check_of(draft, candidate), shelf) if candidate.checks else ()
        yield from idea_blocks(draft, shelf)
        yield from named_texts(("The comment on it", candidate.comment_on(draft)))
    names = versions_in_words(candidate)
    for pair in version_comparisons(ideation, candidate):
        yield from pair_blocks(pair, names[pair.one - 1], names[pair.other - 1], level=4)
    for check in other_checks(candidate):
        yield f"#### A further check of idea {number}"
        yield from _check(check, shelf)


def _ground(ground: Ground, shelf: CitedPapers) -> Blocks:
    problem = ground.problem
    yield f"**{grounds.basis(problem)}** {markdown_line(grounds.marks(problem.cites, ground))}"
    yield markdown_prose(problem.text)
    yield f"> {markdown_phrase(problem.quote)}" if problem.quote else ""
    yield f"⚠ {grounds.NOT_QUOTED}" if grounds.unquoted(problem) else ""
    lines = [
        f"**{markdown_line(each.name)}**: {markdown_phrase(each.description)} "
        + markdown_line(grounds.marks(each.cites, ground))
        + (f" **⚠ {grounds.NOT_NAMED}**" if grounds.unnamed(each, ground) else "")
        for each in ground.concepts
    ]
    yield "**Concepts drawn for it**\n\n" + markdown_list(lines) if lines else ""
    looks = [
        f"{markdown_phrase(each.weak_point)} Asked: “{markdown_line(each.question)}” {grounds.outcome(each)} "
        + markdown_line(grounds.marks(each.cites, ground) if each.cites else "")
        for each in ground.looked_up
    ]
    yield "**Weak points that were looked up**\n\n" + markdown_list(looks) if looks else ""
    yield from named_texts(("Still doubtful, by its writer", ground.weak_point))
    yield f"**⚠ cited what no passage is labelled: {markdown_line(', '.join(ground.strays))}**" if ground.strays else ""
    yield "**Passages that its writer was shown**"
    yield "\n".join(f"{number}. {_shown(snippet, shelf)}" for number, snippet in enumerate(ground.evidence, 1))


def _shown(snippet: Snippet, shelf: CitedPapers) -> str:
    words = markdown_phrase(exploration_words.passage_words(snippet))
    told = f"{exploration_words.ACCOUNT} {words}" if snippet.is_account else f"“{words}”"
    return f"{paper_by_id(snippet.paper_id, shelf)} ({markdown_line(exploration_words.place(snippet))}): {told}"


def chain_blocks(chain: Chain, shelf: CitedPapers, *, with_trends: bool = True) -> Blocks:
    """The papers of a chain in order, what was read in each, and the trends between them."""
    yield f"Perspective searched for: “{markdown_line(chain.query)}”"
    trends = {(trend.earlier_id, trend.later_id): trend.text for trend in chain.trends}
    steps = zip(chain.links, [*chain.links[1:], None], [*chain.linkages, ""], strict=True)
    for number, (link, following, linked) in enumerate(steps, 1):
        reason = f": {markdown_phrase(link.reason)}" if link.reason else ""
        yield f"**{number}. {paper_line(link.paper, shelf)}** ({link.direction}){reason}"
        yield from _insight(link.insight)
        if following:
            how = f" ({linked})" if linked not in ("", "cited") else ""
            trend = trends.get((link.paper.id, following.paper.id), "") if with_trends else ""
            missing = "No trend was read between these two." if with_trends else ""
            yield f"↓{how} {markdown_prose(trend) if trend else missing}".strip()
    yield named_list("Why the chain ends where it does", chain.ends)


def _future(chain: Chain | None) -> Blocks:
    if chain and (future := chain.future):
        yield from named_texts(
            ("Direction of the chain", future.direction),
            ("Reflection: where present methods fail", future.reflection),
            ("Analogy: a solution carried over", future.analogy),
            ("Deep dive: a part made better", future.deep_dive),
        )


def _insight(insight: Insight | None) -> Blocks:
    if insight is None:
        yield "⚠ No reader could read this paper."
        return
    parts = (
        ("Background", insight.background),
        ("What was new", insight.novelty),
        ("Contribution", insight.contribution),
        ("Why it works", insight.rationale),
        ("Limitation", insight.limitation),
        ("For this topic (the reader's inference)", insight.for_topic),
        ("How it was tested", insight.experiment),
        ("Named things", "; ".join(f"{entity.name}: {entity.description}" for entity in insight.entities)),
        ("Key references", "; ".join(insight.key_references)),
    )
    yield markdown_list(f"{name}: {markdown_phrase(text)}" for name, text in parts if text)


def _check(check: NoveltyCheck | None, shelf: CitedPapers, reason: str | None = None) -> Blocks:
    """One check. `reason`: what is left to say of it, where the page has said a part already."""
    if check is None:
        yield "**⚠ not checked**: this text was not compared with the literature."
        return
    yield f"**{markdown_line(verdict(check, shelf))}** in round {check.round}."
    yield markdown_prose(check.reason if reason is None else reason)
    yield from named_texts(
        ("What the idea has beyond the closest paper", "" if reason is not None else check.difference)
    )
    by_similarity = sorted(check.nearest, key=lambda prior: -prior.similarity)
    yield markdown_list(
        f"cosine {phrases.cosine(prior.similarity)}: {paper_by_id(prior.paper_id, shelf)}" for prior in by_similarity
    )
    if check.closest_id:
        yield f"Closest in the checker's reading: {paper_by_id(check.closest_id, shelf)}"
    yield named_list("Nearer works that the checker recalls, ⚠ not verified", check.recalled)
