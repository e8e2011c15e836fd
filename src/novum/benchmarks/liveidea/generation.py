"""Having one idea: asked for, asked for again where nothing came, and in the academic way where it was refused."""

from __future__ import annotations

from dataclasses import dataclass

from novum.benchmarks.liveidea.answers import PAPER_LENGTHS, RELEASED_LENGTHS, AnswerFate, IdeaAnswer, read_idea
from novum.benchmarks.liveidea.answers.idea import LengthLimits
from novum.benchmarks.liveidea.client import RequestProtocol, Response
from novum.benchmarks.liveidea.records import IdeaRecord, Keyword, LiveIdeaProtocol
from novum.llm import ModelName, Question

MOST_IDEAS, MOST_TRIES = 50, 10
"""For one keyword and model. Each try is a sample of its own, and seeds leave room for so many."""


@dataclass(frozen=True)
class IdeaRequest:
    """One idea of one model for one keyword."""

    model: ModelName
    keyword: Keyword
    number: int


@dataclass
class _IdeaAttempts:
    """What was heard on the way to one idea."""

    wanted: IdeaRequest
    protocol: LiveIdeaProtocol
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def question(self, attempt: int, *, academic: bool) -> Question[str]:
        needs = {"keyword": self.wanted.keyword.keyword, "academic": academic, "marked": self.marked}
        sample = self.wanted.number * MOST_TRIES + attempt
        return Question("liveidea_idea", needs, str, role=self.wanted.model, sample=sample)

    @property
    def marked(self) -> bool:
        return self.wanted.model.short in self.protocol.marked

    def ask(self, *, academic: bool) -> RequestProtocol[Response]:
        """The first answer with anything in it, or the last one."""
        heard = Response()
        for attempt in range(self.protocol.tries):
            heard = yield self.question(attempt, academic=academic)
            self.calls += heard.calls
            self.prompt_tokens += heard.prompt_tokens
            self.completion_tokens += heard.completion_tokens
            if heard.failure or heard.declined or self.read(heard).fate is not AnswerFate.EMPTY:
                break
        return heard

    def read(self, heard: Response) -> IdeaAnswer:
        return read_idea(heard.text, heard.reasoning, marker=self.marked, lengths=length_limits(self.protocol))

    def refused(self, heard: Response) -> bool:
        """Whether the protocol asks again in the academic way."""
        answer = self.read(heard)
        if self.protocol.as_released:
            return answer.refused_as_released or (heard.declined and not answer.idea)
        return heard.declined or answer.fate is AnswerFate.REFUSED


def length_limits(protocol: LiveIdeaProtocol) -> LengthLimits:
    """Which ideas count by their length."""
    if protocol.as_released:
        return RELEASED_LENGTHS
    return LengthLimits(most_words=protocol.most_words, most_characters=PAPER_LENGTHS.most_characters)


def generate_idea(wanted: IdeaRequest, protocol: LiveIdeaProtocol) -> RequestProtocol[IdeaRecord]:
    """The idea, or what came instead: refused twice, empty at every try, too long, or nothing at all."""
    course = _IdeaAttempts(wanted, protocol)
    first = yield from course.ask(academic=False)
    again = not first.failure and course.refused(first)
    last = (yield from course.ask(academic=True)) if again else first
    return _record(course, first, last, again=again)


def _record(course: _IdeaAttempts, first: Response, last: Response, *, again: bool) -> IdeaRecord:
    opening, answer = course.read(first), course.read(last)
    fate = _fate(course, last, answer)
    return IdeaRecord(
        model=course.wanted.model.short,
        keyword=course.wanted.keyword.keyword,
        discipline=course.wanted.keyword.discipline,
        number=course.wanted.number,
        idea=answer.idea,
        full=answer.full,
        thoughts=answer.thoughts,
        words=answer.words,
        fate="failed" if last.failure else fate.value,
        why=last.failure,
        first_refused=first.declined or opening.fate is AnswerFate.REFUSED,
        first_refused_as_released=opening.refused_as_released,
        first_refusal=opening.full if again else "",
        fallback=again,
        behind_marker=answer.marked,
        calls=course.calls,
        prompt_tokens=course.prompt_tokens,
        completion_tokens=course.completion_tokens,
    )


def _fate(course: _IdeaAttempts, last: Response, answer: IdeaAnswer) -> AnswerFate:
    """The published code judges whatever comes to the second asking, a refusal too."""
    if course.protocol.as_released:
        if answer.fate is AnswerFate.REFUSED:
            return length_limits(course.protocol).fate(answer.words, len(answer.idea))
        return answer.fate
    return AnswerFate.REFUSED if last.declined else answer.fate
