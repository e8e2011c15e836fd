"""The note of an idea, as the HTML that Zotero stores."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from novum.core import Candidate, IdeationReport, Paper
from novum.reports.ideation.cited_papers import CitedPapers
from novum.reports.ideation.novelty import verdict
from novum.reports.page import environment

_TEMPLATES = Path(__file__).parent / "templates"


def note_html(report: IdeationReport, candidate: Candidate, links: Mapping[str, str]) -> str:
    """The note of one candidate. `links`: addresses of the items of papers in Zotero, by the id of the paper; others
    are linked by their identifiers."""
    ideation, check = report.ideation, candidate.final_check
    is_best = candidate is ideation.best
    return (
        environment(_TEMPLATES)
        .get_template("note.html.j2")
        .render(
            ideation=ideation,
            account=report.account,
            candidate=candidate,
            idea=candidate.idea,
            number=ideation.candidates.index(candidate) + 1,
            trends=_trends(candidate),
            others=papers_cited(report, candidate)[len(chain_papers(candidate)) :],
            check=check,
            verdict=verdict(check, CitedPapers(report)) if check else "",
            experiment=ideation.experiment if is_best else None,
            links=links,
        )
    )


def chain_papers(candidate: Candidate) -> list[Paper]:
    """The papers of the chain behind an idea, each once."""
    papers = candidate.chain.papers if candidate.chain else ()
    return list({paper.id: paper for paper in papers}.values())


def papers_cited(report: IdeationReport, candidate: Candidate) -> list[Paper]:
    """The papers of the chain, then the others that the idea cites, each once."""
    known = {paper.id: paper for paper in report.ideation.papers}
    chain = {paper.id: paper for paper in chain_papers(candidate)}
    cited = [known[each.paper_id] for each in candidate.idea.citations if each.paper_id in known]
    return list((chain | {paper.id: paper for paper in cited if paper.id not in chain}).values())


def _trends(candidate: Candidate) -> dict[str, str]:
    """How each paper of the chain led to the next; empty for the last one."""
    links = candidate.chain.links if candidate.chain else ()
    texts = {trend.earlier_id: trend.text for trend in (candidate.chain.trends if candidate.chain else ())}
    return {link.paper.id: texts.get(link.paper.id, "") for link in links}
