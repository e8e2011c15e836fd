"""The report of an ideation run as Markdown: the same facts as the page, for diffs and notes, without raw HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from novum import core
from novum.core import (
    Candidate,
    Chain,
    Citation,
    Experiment,
    Ground,
    Idea,
    Ideation,
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
from novum.reports.ideation.brief import (
    MOST_SIMILAR,
    Brief,
    brief,
    capitalized,
    idea_parts,
    record_details,
    record_in_words,
)
from novum.reports.ideation.cited_papers import CitedPapers
from novum.reports.ideation.comparisons import (
    CriterionRow,
    JudgeOpinion,
    PairComparison,
    judging_record,
    pair_comparisons,
    version_comparisons,
    versions_in_words,
)
from novum.reports.ideation.novelty import closest_id, last_check_of, other_checks, verdict
from novum.reports.ideation.origins import FATES, source_rows
from novum.reports.ideation.ready_prompt import PROMPT_FILE, ready_prompt
from novum.reports.markdown import (
    markdown_account,
    markdown_document,
    markdown_line,
    markdown_list,
    markdown_phrase,
    markdown_prose,
    markdown_reference,
    markdown_table,
    markdown_title,
)
from novum.reports.opportunities.summary import opportunity_summary_markdown
from novum.reports.sanitizing import clean_line

Blocks = Iterator[str]
"""Paragraphs, lists, headings; a blank line comes between two."""


def render_markdown(report: IdeationReport) -> str:
    """CommonMark with tables. Model text keeps its emphasis and lists, and loses links, images, headings and code."""
    return markdown_document(_report(report))


def _report(report: IdeationReport) -> Blocks:
    ideation, shelf = report.ideation, CitedPapers(report)
    yield from _head(report)
    if report.account.demonstration:
        yield from _found(report, shelf)
        if ideation.candidates:
            yield "## Demonstration: ideas by a very small model"
            yield f"> **Demonstration.** {findings.DEMONSTRATION}"
        yield from _ideas(report, shelf)
        yield from _notes(report, shelf)
    else:
        yield from _ideas(report, shelf)
        yield from _notes(report, shelf)
        yield from _found(report, shelf)
    yield markdown_account(report.account, report.ideation.options)
    yield from _papers(shelf)


def _head(report: IdeationReport) -> Blocks:
    ideation, account = report.ideation, report.account
    yield f"# {markdown_line(ideation.topic)}"
    yield f"Research ideas by {markdown_line(ideation.method)}, {markdown_line(phrases.moment(account.started))}."
    if account.demonstration:
        yield f"> **Without a key.** {findings.WITHOUT_A_KEY} {findings.REAL_MODEL}"
    yield f"**{markdown_line(findings.headline(report))}**"


def _ideas(report: IdeationReport, shelf: CitedPapers) -> Blocks:
    ideation, best = report.ideation, brief(report)
    if best is None or ideation.best is None:
        return
    yield from _at_a_glance(report, best, shelf)
    yield from _in_full(ideation.best, best, shelf, ideation)
    yield from _experiment(report, shelf)
    yield from _context(ideation.context, shelf)
    yield from _evidence(ideation.best, 1, shelf, report, best.reason)
    yield from _origins(ideation)
    yield from _compared(report, shelf)
    if len(ideation.candidates) > 1:
        yield "## The other ideas"
    for number, candidate in enumerate(ideation.candidates[1:], 2):
        yield from _other(candidate, number, shelf, report)


def _at_a_glance(report: IdeationReport, best: Brief, shelf: CitedPapers) -> Blocks:
    """What a reader wants to know first, as the page has it."""
    yield f"## The best idea: {markdown_line(best.title)}"
    yield f"{markdown_line(capitalized(best.origin))}." if best.origin else ""
    yield markdown_prose(best.in_short)
    yield from _parts(("Why now", best.why_now))
    yield f"**How it differs{' from the closest paper' if best.closest else ''}.**"
    yield from _closest(best, shelf)
    yield from _parts(("How to test it in a week", best.test))
    yield _plain_list("First steps of a test", best.steps)
    yield "**What could kill it**" if best.risks else ""
    yield markdown_list(f"{each.name}: {markdown_phrase(each.text)}" for each in best.risks)
    details = record_details(best.record, report.account.models.get("writer", ""))
    judged = record_in_words(best.record) + (f" ({details})" if details else "")
    yield f"**How sure the judges were.** {markdown_line(capitalized(judged))}."
    yield markdown_line(report.judges_and_people)
    spend = report.account.spend
    cost = f"{phrases.cost_in_brief(spend)}, {phrases.count(spend.calls, 'model call')}"
    yield f"**What this run cost.** {markdown_line(cost)}."


def _closest(best: Brief, shelf: CitedPapers) -> Blocks:
    if best.closest is not None:
        yield _paper(best.closest.paper, shelf) + ("" if best.closest.by_checker else f" ({MOST_SIMILAR})")
        quote = markdown_phrase(best.closest.quote)
        yield (f"> “{quote}”" if best.closest.from_abstract else f"> In a summary: {quote}") if quote else ""
    yield f"{markdown_line(capitalized(best.verdict))}."
    yield markdown_prose(best.difference)


def _in_full(candidate: Candidate, best: Brief, shelf: CitedPapers, ideation: Ideation) -> Blocks:
    yield "### The idea in full"
    yield from _started(candidate, ideation)
    yield from _parts(*((each.name, each.text) for each in best.rest))
    yield _citations(candidate.idea.citations, shelf)


def _other(candidate: Candidate, number: int, shelf: CitedPapers, report: IdeationReport) -> Blocks:
    yield f"### Idea {number}: {markdown_line(candidate.idea.title)}"
    record = judging_record(report.ideation, candidate.idea.id)
    yield f"{markdown_line(capitalized(record_in_words(record)))}."
    yield from _started(candidate, report.ideation)
    yield from _idea(candidate.idea, shelf)
    yield from _evidence(candidate, number, shelf, report)


def _origins(ideation: Ideation) -> Blocks:
    if not ideation.origins:
        return
    yield "## Where the ideas came from"
    heads = ("Source", "Ideas", *map(capitalized, FATES))
    rows = (
        (each.source, str(each.seeds), *(str(each.fates[fate]) for fate in FATES)) for each in source_rows(ideation)
    )
    yield markdown_table(heads, rows)
    yield markdown_list(
        f"{markdown_line(each.title)} ({markdown_line(each.source)}, {each.fate}): {markdown_phrase(each.mechanism)}"
        for each in ideation.origins
    )


def _context(context: ResearchContext | None, shelf: CitedPapers) -> Blocks:
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


def _started(candidate: Candidate, ideation: Ideation) -> Blocks:
    if (opening := ideation.opening(candidate.idea)) is not None:
        pair = " + ".join(map(markdown_line, opening.pair))
        yield f"Started from the opportunity {pair}, which it was free to leave."


def _evidence(
    candidate: Candidate, number: int, shelf: CitedPapers, report: IdeationReport, reason: str | None = None
) -> Blocks:
    """The chain of an idea, what else it was made from, and its checks. `reason`: as in `_check`."""
    ideation = report.ideation
    if findings.has_chains(ideation):  # a method that builds chains: say so if one is missing
        yield f"#### {findings.papers_heading(ideation).removesuffix('it')}idea {number}"
        if candidate.chain and report.account.demonstration:  # its papers are shown above
            yield _plain_list("What the small model said of it", (each.text for each in candidate.chain.trends))
        else:
            with_trends = ideation.context is None
            yield from (
                _chain(candidate.chain, shelf, with_trends=with_trends)
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
        yield from _idea(draft, shelf)
        yield from _parts(("The comment on it", candidate.comment_on(draft)))
    names = versions_in_words(candidate)
    for pair in version_comparisons(ideation, candidate):
        yield from _pair(pair, names[pair.one - 1], names[pair.other - 1], level=4)
    for check in other_checks(candidate):
        yield f"#### A further check of idea {number}"
        yield from _check(check, shelf)


def _found(report: IdeationReport, shelf: CitedPapers) -> Blocks:
    """What the run found without the text of a model."""
    if report.account.demonstration:
        chains = [each.chain for each in report.ideation.candidates if each.chain]
        for number, chain in enumerate(chains, 1):
            yield f"## Chain of papers {number}"
            yield from _chain(chain, shelf, with_trends=False)
    known = report.literature
    if known is not None:
        yield "## What the library knows of the topic"
        yield f"Coverage is {markdown_line(known.reason)}"
        yield markdown_list(markdown_reference(paper) for paper in known.papers[:8])
    yield from opportunity_summary_markdown(report.openings, [each.opening for each in report.ideation.starts])
    yield f"No opportunities are shown. {markdown_line(report.without_openings)}" if report.without_openings else ""
    if ready_prompt(report):
        yield "## A ready-made prompt for any chat"
        yield f"`{PROMPT_FILE}`, in the folder of this report, holds the topic, papers, chains and the question."


def _idea(idea: Idea, shelf: CitedPapers) -> Blocks:
    for part in idea_parts(idea):
        yield from _parts((part.name, part.text)) if part.name else [markdown_prose(part.text)]
    yield _citations(idea.citations, shelf)


def _parts(*parts: tuple[str, str]) -> Blocks:
    for name, text in parts:
        if text:
            yield f"**{name}.**"
            yield markdown_prose(text)


def _citations(cited: Iterable[Citation], shelf: CitedPapers) -> str:
    named = ((f"{markdown_line(each.name)} → " if shelf.renames(each) else "", shelf.cited(each)) for each in cited)
    lines = [name + _cited(paper, shelf) for name, paper in named]
    return "**Cites**\n\n" + markdown_list(lines) if lines else ""


def _cited(paper: Paper | None, shelf: CitedPapers) -> str:
    return _paper(paper, shelf) if paper else "**⚠ unresolved: no such paper in the library**"


def _paper(paper: Paper, shelf: CitedPapers) -> str:
    return f"{markdown_title(paper)}, {markdown_line(paper.short_citation)} \\[{shelf.number(paper)}\\]"


def _named(paper_id: str, shelf: CitedPapers) -> str:
    paper = shelf.paper(paper_id)
    return _paper(paper, shelf) if paper else f"{markdown_line(paper_id)} **⚠ not in this report**"


def _plain_list(name: str, items: Iterable[str]) -> str:
    lines = [markdown_phrase(item) for item in items]
    return f"**{name}**\n\n{markdown_list(lines)}" if lines else ""


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
    yield from _parts(("Still doubtful, by its writer", ground.weak_point))
    yield f"**⚠ cited what no passage is labelled: {markdown_line(', '.join(ground.strays))}**" if ground.strays else ""
    yield "**Passages that its writer was shown**"
    yield "\n".join(f"{number}. {_shown(snippet, shelf)}" for number, snippet in enumerate(ground.evidence, 1))


def _shown(snippet: Snippet, shelf: CitedPapers) -> str:
    words = markdown_phrase(exploration_words.passage_words(snippet))
    told = f"{exploration_words.ACCOUNT} {words}" if snippet.is_account else f"“{words}”"
    return f"{_named(snippet.paper_id, shelf)} ({markdown_line(exploration_words.place(snippet))}): {told}"


def _chain(chain: Chain, shelf: CitedPapers, *, with_trends: bool = True) -> Blocks:
    yield f"Perspective searched for: “{markdown_line(chain.query)}”"
    trends = {(trend.earlier_id, trend.later_id): trend.text for trend in chain.trends}
    steps = zip(chain.links, [*chain.links[1:], None], [*chain.linkages, ""], strict=True)
    for number, (link, following, linked) in enumerate(steps, 1):
        reason = f": {markdown_phrase(link.reason)}" if link.reason else ""
        yield f"**{number}. {_paper(link.paper, shelf)}** ({link.direction}){reason}"
        yield from _insight(link.insight)
        if following:
            how = f" ({linked})" if linked not in ("", "cited") else ""
            trend = trends.get((link.paper.id, following.paper.id), "") if with_trends else ""
            missing = "No trend was read between these two." if with_trends else ""
            yield f"↓{how} {markdown_prose(trend) if trend else missing}".strip()
    yield _plain_list("Why the chain ends where it does", chain.ends)


def _future(chain: Chain | None) -> Blocks:
    if chain and (future := chain.future):
        yield from _parts(
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
    yield from _parts(("What the idea has beyond the closest paper", "" if reason is not None else check.difference))
    by_similarity = sorted(check.nearest, key=lambda prior: -prior.similarity)
    yield markdown_list(
        f"cosine {phrases.cosine(prior.similarity)}: {_named(prior.paper_id, shelf)}" for prior in by_similarity
    )
    if check.closest_id:
        yield f"Closest in the checker's reading: {_named(check.closest_id, shelf)}"
    yield _plain_list("Nearer works that the checker recalls, ⚠ not verified", check.recalled)


def _compared(report: IdeationReport, shelf: CitedPapers) -> Blocks:
    yield "## All ideas compared"
    heads = ("", "Idea", "Won", "Unreadable", "Closest paper", "Novelty check", "Earlier drafts")
    numbered = enumerate(report.ideation.candidates, 1)
    yield markdown_table(heads, (_idea_row(number, one, report, shelf) for number, one in numbered))
    for pair in pair_comparisons(report.ideation):
        yield from _pair(pair, f"idea {pair.one or '?'}", f"idea {pair.other or '?'}")


def _idea_row(number: int, candidate: Candidate, report: IdeationReport, shelf: CitedPapers) -> tuple[str, ...]:
    check, record = candidate.final_check, judging_record(report.ideation, candidate.idea.id)
    paper = shelf.paper(closest_id(check))
    return (
        str(number),
        candidate.idea.title,
        record_in_words(record),
        str(record.unreadable),
        paper.short_citation if paper else phrases.UNKNOWN,
        verdict(check, shelf),
        str(len(candidate.earlier_drafts)),
    )


def _pair(pair: PairComparison, one: str, other: str, *, level: int = 3) -> Blocks:
    """One compared pair. `one`, `other`: what its two sides are called."""
    names = {pair.one: one, pair.other: other}
    yield f"{'#' * level} {capitalized(one)} and {other}"
    heads = ("Criterion", "Judge", f"{capitalized(one)} shown first", f"{capitalized(other)} shown first", "")
    yield markdown_table(heads, (_criterion_row(row, names) for row in pair.rows), cell=str) if pair.rows else ""
    yield markdown_list(
        f"⚠ no usable answer from {markdown_line(failed.judge)}, {names.get(failed.first, 'idea ?')} shown first: "
        f"{markdown_line(failed.failure)}"
        for failed in pair.unreadable
    )


def _criterion_row(row: CriterionRow, names: Mapping[int, str]) -> tuple[str, ...]:
    flag = "the order decided" if row.decided_by_order else ""
    opinions = (_opinions(row.one_first, names), _opinions(row.other_first, names))
    return (markdown_line(row.criterion), markdown_line(row.judge), *opinions, flag)


def _opinions(opinions: tuple[JudgeOpinion, ...], names: Mapping[int, str]) -> str:
    winners = [
        f"**{names[said.winner] if said.winner else 'tie'}** {markdown_phrase(said.reason)}".strip()
        for said in opinions
    ]
    return "; ".join(winners) or "no verdict"


def _experiment(report: IdeationReport, shelf: CitedPapers) -> Blocks:
    yield "## Experiment plan"
    if report.ideation.experiment is None:
        yield "⚠ This run ended without an experiment plan."
        return
    yield from _plan(report.ideation.experiment, shelf)
    history = findings.revisions(report.ideation.drafts)
    for number, (draft, changes) in enumerate(history, 1):
        yield f"### Draft {number} of the plan{', the plan above' if number == len(history) else ''}"
        yield _plain_list("What was done about the review", draft.changes)
        yield "" if draft.changes else markdown_list(_change(change) for change in changes)
        if number < len(history):
            yield from _plan(draft.experiment, shelf)
        yield from _review(draft.review) if draft.review else ()
        looked_up = [_named(paper_id, shelf) for paper_id in draft.looked_up]
        yield "**Then looked up**\n\n" + markdown_list(looked_up) if looked_up else ""


def _change(change: findings.RevisionSummary) -> str:
    added = [f"new: {markdown_phrase(line)}" for line in change.added]
    dropped = [f"dropped: {markdown_phrase(line)}" for line in change.dropped]
    return f"{change.part}: " + ("; ".join([*added, *dropped]) or "order changed")


def _plan(plan: Experiment, shelf: CitedPapers) -> Blocks:
    yield from _parts(("Hypothesis", plan.hypothesis))
    yield "\n".join(f"{number}. {markdown_phrase(step)}" for number, step in enumerate(plan.steps, 1))
    yield _plain_list("Data", plan.datasets)
    yield _plain_list("Baselines", plan.baselines)
    yield _plain_list("Metrics", plan.metrics)
    yield _plain_list("Ablations", plan.ablations)
    yield from _parts(("How the outcomes decide", plan.analysis), ("Feasibility", plan.feasibility))
    yield from _parts(("Sketch", plan.sketch.replace("\n", "\n\n")))
    yield _citations(plan.citations, shelf)


def _review(review: core.Review) -> Blocks:
    decision = {True: ": would accept", False: ": would not accept as it stands", None: ""}[review.accept]
    yield f"**Review by {markdown_line(review.reviewer)}{decision}**"
    yield _plain_list("Strengths", review.strengths)
    yield _plain_list("Weaknesses", review.weaknesses)
    yield _plain_list("Suggestions", review.suggestions)
    yield markdown_list(
        f"{markdown_line(score.metric)}: {phrases.UNKNOWN if score.value is None else f'{score.value:g}'} "
        f"{markdown_phrase(score.reason)}".strip()
        for score in review.scores
    )
    if review.search_query:
        yield f"Asked to have looked up: “{markdown_line(review.search_query)}”"


def _notes(report: IdeationReport, shelf: CitedPapers) -> Blocks:
    unresolved = [f"⚠ unverified citation: {markdown_line(citation.name)}" for citation in shelf.unresolved]
    lines = [*map(markdown_line, report.ideation.notes), *unresolved]
    if lines:
        yield "## Notes"
        yield markdown_list(lines)


def _papers(shelf: CitedPapers) -> Blocks:
    yield "## Papers"
    yield "\n".join(f"{number}. {_entry(paper, shelf)}" for number, paper in enumerate(shelf.papers, 1)) or "None."


def _entry(paper: Paper, shelf: CitedPapers) -> str:
    uses = "; ".join(shelf.uses.get(paper.id, ("read, not cited",)))
    return clean_line(f"{markdown_reference(paper)} *{uses}*")
