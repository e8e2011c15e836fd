"""Judging one idea, and grading how different two are: requested again while unreadable, otherwise missing."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Literal, Protocol

from pydantic import Field, ValidationError

from novum.benchmarks.liveidea.answers import MissingReason, ParsedValue, ReadStatus, read_grade, read_scores
from novum.benchmarks.liveidea.answers.grade import grade_as_released
from novum.benchmarks.liveidea.answers.scores import scores_as_released
from novum.benchmarks.liveidea.client import RequestProtocol, Response
from novum.benchmarks.liveidea.published import PUBLISHED_FLUENCY, PUBLISHED_JUDGE
from novum.benchmarks.liveidea.records import FLUENCY, IDEA_DIMENSIONS, IdeaRecord, JudgementRecord, LiveIdeaProtocol
from novum.llm import Answer, ModelName, Question, prose
from novum.prompts.untrusted import clean
from novum.reading import Bibliography

Readings = Mapping[str, ParsedValue]
Read = Callable[[Response], Readings]
_NOTHING: Readings = {}
_PUBLISHED = frozenset({PUBLISHED_JUDGE, PUBLISHED_FLUENCY})
_ANY = 1e6
"""The published code accepts 900 as a score; beyond this limit nothing is one."""
_LABEL = re.compile(r"(?<![\w-])P\d{1,2}(?![\w-])")


class IdeaMarks(Answer):
    """What a very small model is asked for, one question at a time, where others write an analysis and JSON."""

    analysis: str = prose(300, "what is weak about the idea")
    originality: int = Field(ge=1, le=10)
    feasibility: int = Field(ge=1, le=10)
    clarity: int = Field(ge=1, le=10)


class PairGrade(Answer):
    """The same for two ideas."""

    grade: Literal["A", "B", "C", "D"]


@dataclass(frozen=True)
class FluencyPair:
    """Two ideas of one model for one keyword, and the pair's number among those that are graded."""

    number: int
    first: IdeaRecord
    second: IdeaRecord


def pairs_of(ideas: Sequence[IdeaRecord], protocol: LiveIdeaProtocol) -> list[FluencyPair]:
    """The pairs to grade, among the ideas that are judged."""
    usable = [idea for idea in ideas if idea.fate == "judged"]
    pairs = list(combinations(usable, 2) if protocol.pairs == "all" else pairwise(usable))
    if protocol.pairs == "first":
        pairs = pairs[:1]
    return [FluencyPair(number, first, second) for number, (first, second) in enumerate(pairs)]


def judge_idea(idea: IdeaRecord, judge: ModelName, protocol: LiveIdeaProtocol) -> RequestProtocol[JudgementRecord]:
    """One judge's scores for originality, feasibility and clarity."""
    name = PUBLISHED_JUDGE if protocol.prompts == "published" else "liveidea_judge"
    return (yield from _judge(name, {"idea": idea.idea}, idea, judge, protocol))


def judge_with_papers(
    idea: IdeaRecord, papers: Bibliography, judge: ModelName, protocol: LiveIdeaProtocol
) -> RequestProtocol[JudgementRecord]:
    """The same with `papers` in the prompt; the analysis names them by author and year instead of by label."""
    needs = {"idea": idea.idea, "papers": papers.entries}
    record = yield from _judge("liveidea_judge_informed", needs, idea, judge, protocol)
    return record.model_copy(update={"analysis": _with_names(record.analysis, papers)})


def grade_pair(pair: FluencyPair, judge: ModelName, protocol: LiveIdeaProtocol) -> RequestProtocol[JudgementRecord]:
    """One judge's grade of how different two ideas are, as a score from 1 to 10."""
    ideas = (pair.first.idea, pair.second.idea)
    if published := protocol.prompts == "published":
        needs = {"keyword": pair.first.keyword, "A": ideas[0], "B": ideas[1]}
    else:
        needs = {"keyword": pair.first.keyword, "first": ideas[0], "second": ideas[1]}
    form = PairGrade if judge.provider.small and not published else str

    name = PUBLISHED_FLUENCY if published else "liveidea_fluency"
    question = functools.partial(_question, name, needs, form, judge)
    read = _released_grade if protocol.as_released else functools.partial(_grade, ideas="\n".join(map(clean, ideas)))
    best = yield from _request(question, read, protocol.tries)
    return best.record(pair.first, (pair.first.number, pair.second.number), pair.number, judge)


def unjudged(
    idea: IdeaRecord, ideas: tuple[int, ...], number: int, dimensions: Sequence[str], why: str
) -> JudgementRecord:
    """The record of an idea or pair for which no judge is eligible."""
    return JudgementRecord(
        model=idea.model,
        keyword=idea.keyword,
        ideas=ideas,
        number=number,
        judge="",
        scores=dict.fromkeys(dimensions),
        missing=dict.fromkeys(dimensions, why),
    )


def _judge(
    prompt: str, needs: Mapping[str, object], idea: IdeaRecord, judge: ModelName, protocol: LiveIdeaProtocol
) -> RequestProtocol[JudgementRecord]:
    form = IdeaMarks if judge.provider.small and protocol.prompts == "novum" else str
    question = functools.partial(_question, prompt, needs, form, judge)
    read = _released_scores if protocol.as_released else functools.partial(_scores, idea=clean(idea.idea))
    best = yield from _request(question, read, protocol.tries)
    return best.record(idea, (idea.number,), idea.number, judge)


def _question(
    prompt: str, needs: Mapping[str, object], form: type[str | Answer], judge: ModelName, attempt: int, *, quoted: bool
) -> Question[str | Answer]:
    """`quoted`: the answer before may have held a quotation, so that the judge is told to answer without other words.
    Published prompts, and the form of very small models, have no place for this."""
    told = {"quoted": True} if quoted and form is str and prompt not in _PUBLISHED else {}
    return Question(prompt, {**needs, **told}, form, role=judge, sample=attempt)


def _with_names(analysis: str, papers: Bibliography) -> str:
    """Replaces labels by author and year; text that only looks like a label, as in cytochrome P450, stays."""
    names = {entry.label: entry.paper.short_citation for entry in papers.entries}
    return _LABEL.sub(lambda found: names.get(found[0], found[0]), analysis)


@dataclass
class _BestAnswer:
    """The answer with the most scores, and what all answers took."""

    response: Response
    readings: Readings
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def values(self) -> int:
        return sum(each.value is not None for each in self.readings.values())

    def record(self, idea: IdeaRecord, ideas: tuple[int, ...], number: int, judge: ModelName) -> JudgementRecord:
        why = self.response.failure
        return JudgementRecord(
            model=idea.model,
            keyword=idea.keyword,
            ideas=ideas,
            number=number,
            judge=judge.short,
            scores={name: each.value for name, each in self.readings.items()},
            missing={name: why or each.why for name, each in self.readings.items() if each.value is None},
            analysis=_analysis(self.response.text),
            raw=self.response.text,
            reasoning=self.response.reasoning,
            calls=self.calls,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
        )


class _Asking(Protocol):
    def __call__(self, attempt: int, *, quoted: bool) -> Question[str | Answer]: ...


def _request(question: _Asking, read: Read, tries: int) -> RequestProtocol[_BestAnswer]:
    best, readings = _BestAnswer(Response(), {}), _NOTHING
    for attempt in range(tries):
        quoted = any(each.why is MissingReason.QUOTED for each in readings.values())
        response = yield question(attempt, quoted=quoted)
        readings = read(response)
        fuller = _BestAnswer(response, readings, best.calls, best.prompt_tokens, best.completion_tokens)
        if attempt and fuller.values <= best.values:
            fuller.response, fuller.readings = best.response, best.readings
        best = fuller
        best.calls += response.calls
        best.prompt_tokens += response.prompt_tokens
        best.completion_tokens += response.completion_tokens
        if response.failure or all(each.outcome is not ReadStatus.ASK_AGAIN for each in readings.values()):
            break
    return best


def _scores(response: Response, idea: str) -> Readings:
    answer = read_scores(response.text, idea)
    return _unless_declined(response, {name: getattr(answer, name) for name in IDEA_DIMENSIONS})


def _grade(response: Response, ideas: str) -> Readings:
    return _unless_declined(response, {FLUENCY: read_grade(_letter(response.text), ideas)})


def _unless_declined(response: Response, readings: Readings) -> Readings:
    """An answer with scores may still begin with «I'm sorry, but I cannot find anything new here»."""
    if not response.declined or any(each.value is not None for each in readings.values()):
        return readings
    return dict.fromkeys(readings, ParsedValue(None, MissingReason.REFUSED))


def _released_scores(response: Response) -> Readings:
    """Any number, out of range too; the published tables leave out everything else."""
    found = scores_as_released(response.text)
    if found is None:
        return dict.fromkeys(IDEA_DIMENSIONS, ParsedValue(None, MissingReason.NOT_GIVEN))
    return {name: _any_number(found[name]) for name in IDEA_DIMENSIONS}


def _released_grade(response: Response) -> Readings:
    value = grade_as_released(_letter(response.text))
    return {FLUENCY: ParsedValue(value) if value is not None else ParsedValue(None, MissingReason.NOT_GIVEN)}


def _any_number(value: object) -> ParsedValue:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ParsedValue(None, MissingReason.DECLINED if isinstance(value, str) else MissingReason.NOT_A_NUMBER)
    return ParsedValue(float(value)) if abs(value) < _ANY else ParsedValue(None, MissingReason.NOT_A_NUMBER)


_FORM = '{"analysis":"'
"""How an answer in the form for very small models begins."""


def _letter(text: str) -> str:
    """The letter in the form for very small models; any other answer unchanged."""
    return text.removeprefix('{"grade":"').removesuffix('"}')


def _analysis(text: str) -> str:
    """The text before the scores."""
    if text.startswith(_FORM):
        try:
            return IdeaMarks.model_validate_json(text).analysis
        except ValidationError:  # another answer that happens to begin so
            return ""
    return text.partition("{")[0].partition("```")[0].strip()
