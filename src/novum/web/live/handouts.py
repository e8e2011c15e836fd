"""Pages of the workbench to take away: what is seen, as Markdown, a web page, PDF, data, or BibTeX."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import Query
from fastapi.responses import Response

from novum.core import Candidate, Paper
from novum.core.comparison import JudgedPair
from novum.errors import BadInput
from novum.literature.search.ranking.growth import KeywordGrowth, KeywordTrend
from novum.reports.bibtex import render_bibtex
from novum.reports.markdown import (
    markdown_document,
    markdown_line,
    markdown_list,
    markdown_prose,
    markdown_reference,
    markdown_table,
)
from novum.reports.page import render_page
from novum.reports.pdf import pdf_of
from novum.reports.phrases import interval, number
from novum.reports.sanitizing import document
from novum.studies.records import Study
from novum.studies.results import StudyResult, undefined_coefficients
from novum.web.live.exports import MEDIA
from novum.web.rendering import TEMPLATES

FileForm = Literal["html", "pdf", "md", "json", "bib"]
As = Annotated[FileForm | None, Query(alias="as")]
"""The parameter of an address that asks for what a page shows as a file."""
_PARTS = (
    ("Summary", "summary"), ("Motivation", "motivation"), ("Central mechanism", "mechanism"),
    ("What is new", "novelty"), ("Method", "method"), ("Cheapest check", "check"),
)  # fmt: skip
_NO_NAME = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Handout:
    """What a page shows. `blocks`: paragraphs, lists and tables of Markdown, in which foreign text is escaped."""

    title: str
    blocks: Sequence[str]
    data: Any
    papers: Sequence[Paper] = ()

    @property
    def markdown(self) -> str:
        """The whole as one Markdown file."""
        return markdown_document([f"# {markdown_line(self.title)}", *self.blocks])

    @property
    def html(self) -> str:
        """The whole as one page that loads nothing."""
        return render_page("handout.html.j2", TEMPLATES, title=self.title, body=document(self.markdown))

    def content(self, form: FileForm) -> bytes:
        """The file of one form. Raises BadInput for BibTeX where no papers are shown, and as `pdf_of` does."""
        if form == "pdf":
            return pdf_of(self.html)
        if form == "bib" and not self.papers:
            raise BadInput("This page shows no papers, so that there is nothing to cite.")
        made = {
            "html": lambda: self.html, "md": lambda: self.markdown, "bib": lambda: render_bibtex(self.papers),
            "json": lambda: json.dumps(self.data, ensure_ascii=False, indent=1) + "\n",
        }  # fmt: skip
        return made[form]().encode("utf-8", "replace")

    def answer(self, form: FileForm) -> Response:
        """The file as a download."""
        name = _NO_NAME.sub("-", self.title.lower()).strip("-")[:60] or "novum"
        kind = "application/pdf" if form == "pdf" else MEDIA[f".{form}"]
        headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
        return Response(self.content(form), media_type=kind, headers=headers)


def papers_handout(title: str, papers: Sequence[Paper]) -> Handout:
    """A list of papers, such as those that a search found."""
    blocks = [block for paper in papers for block in _paper_blocks(paper)] or ["No paper fits."]
    return Handout(title, blocks, [each.model_dump(mode="json") for each in papers], papers)


def paper_handout(paper: Paper, cited: Sequence[Paper], citing: Sequence[Paper], like: Sequence[Paper]) -> Handout:
    """A paper among those that it cites, that cite it, and that are like it."""
    groups = (("It cites", cited), ("Cited by", citing), ("Nearest in meaning", like))
    blocks = [*_paper_blocks(paper)]
    for name, papers in groups:
        if papers:
            blocks += [f"## {name}", markdown_list(map(markdown_reference, papers))]
    data = {"paper": paper.model_dump(mode="json")} | {
        name.lower().replace(" ", "_"): [each.model_dump(mode="json") for each in papers] for name, papers in groups
    }
    return Handout(paper.title or "Untitled paper", blocks, data, [paper, *cited, *citing, *like])


def keywords_handout(topic: str, growth: KeywordGrowth) -> Handout:
    """Keywords that rise and fade."""
    title = f"Rising keywords around {topic}" if topic else "Rising keywords"
    blocks = ["## Rising", _trends(growth.rising), "## Fading", _trends(growth.fading)]
    return Handout(title, blocks, growth.model_dump(mode="json"))


def comparison_handout(first: Candidate, second: Candidate, verdicts: Sequence[JudgedPair]) -> Handout:
    """Two ideas part by part, with all verdicts."""
    one, other = first.idea, second.idea
    blocks = [f"A: **{markdown_line(one.title)}**\n\nB: **{markdown_line(other.title)}**"]
    for name, part in _PARTS:
        texts = (getattr(one, part), getattr(other, part))
        if any(texts):
            sides = zip("AB", texts, strict=True)
            blocks += [f"## {name}", *(f"**{mark}.** {markdown_prose(text or '–')}" for mark, text in sides)]
    rows = list(_verdict_rows(verdicts))
    if rows:
        blocks += ["## Judgement", markdown_table(("criterion", "better", "shown first", "judge", "reason"), rows)]
    data = {
        "A": one.model_dump(mode="json"), "B": other.model_dump(mode="json"),
        "judged": [each.model_dump(mode="json") for each in verdicts],
    }  # fmt: skip
    return Handout(f"{one.title} and {other.title}", blocks, data)


def study_handout(study: Study, result: StudyResult) -> Handout:
    """The results of a study, without links and names of participants."""
    rows = [
        (each.criterion, f"{each.answers}", number(each.alpha.alpha), interval(each.alpha) or "–",
         number(each.icc.agreement_single.value), number(each.icc.agreement_average.value), number(each.kappa),
         number(each.with_judges.r if each.with_judges else None))
        for each in result.criteria
    ]  # fmt: skip
    heads = ("criterion", "answers", "alpha", "95 %", "ICC(A,1)", "ICC(A,k)", "kappa", "with judges")
    sources = [(each.source, each.criterion, number(each.mean), f"{each.answers}") for each in result.sources]
    items = [[item.first.title + (f" / {item.second.title}" if item.second else ""),
              *(number(each.scores.get(item.id)) for each in result.criteria)] for item in study.items]  # fmt: skip
    finished = sum(each.answered == each.tasks for each in result.participants)
    blocks = [
        f"{study.form.title}, {len(study.items)} items, {len(result.participants)} participants, {finished} finished, "
        f"{len(result.left_out)} left out for a failed check.",
        "## Agreement", markdown_table(heads, rows), markdown_list(map(markdown_line, undefined_coefficients(result))),
        *_section("Scores by source", markdown_table(("source", "criterion", "mean", "answers"), sources), sources),
        "## Mean scores", markdown_table(("idea", *(each.criterion for each in result.criteria)), items),
        *_section("Comments", markdown_list(markdown_line(each.text) for each in result.comments), result.comments),
    ]  # fmt: skip
    return Handout(study.title, blocks, result.model_dump(mode="json"))


def _section(title: str, block: str, rows: Sequence[object]) -> tuple[str, ...]:
    """A heading with its block; nothing where there are no rows."""
    return (f"## {title}", block) if rows else ()


def _paper_blocks(paper: Paper) -> Iterator[str]:
    yield f"### {markdown_reference(paper)}"
    if paper.gist:
        yield markdown_prose(paper.gist)


def _trends(trends: Sequence[KeywordTrend]) -> str:
    rows = [(each.keyword, f"{sum(each.papers.values())}", f"× {number(each.growth)}") for each in trends]
    return markdown_table(("keyword", "papers", "a year"), rows) if rows else "None."


def _verdict_rows(verdicts: Sequence[JudgedPair]) -> Iterator[tuple[str, ...]]:
    for judged in verdicts:
        winners = {"first": judged.first, "second": judged.second, "tie": "equal"}
        for verdict in judged.verdicts:
            yield verdict.criterion, winners[verdict.outcome], judged.first, judged.judge, verdict.reason
