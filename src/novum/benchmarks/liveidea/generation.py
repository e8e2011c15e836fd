"""Generation of one idea: requested again when the answer is empty, and with the academic prompt after a refusal."""

from __future__ import annotations

from dataclasses import dataclass

from novum.benchmarks.liveidea.answers import PAPER_LENGTHS, RELEASED_LENGTHS, AnswerFate, IdeaAnswer, read_idea
from novum.benchmarks.liveidea.answers.idea import LengthLimits
from novum.benchmarks.liveidea.client import RequestProtocol, Response
from novum.benchmarks.liveidea.published import MARKED, PUBLISHED_FALLBACK, PUBLISHED_IDEA
from novum.benchmarks.liveidea.records import IdeaRecord, Keyword, LiveIdeaProtocol
from novum.llm import ModelName, Question

MOST_IDEAS, MOST_TRIES = 50, 10
"""Per keyword and model. Each try is a separate sample, and sample numbers allow for this many."""


@dataclass(frozen=True)
class IdeaRequest:
    """One idea of one model for one keyword."""

    model: ModelName
    keyword: Keyword
    number: int


@dataclass
class _IdeaAttempts:
    """The requests for one idea, and what they took."""

    request: IdeaRequest
    protocol: LiveIdeaProtocol
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def question(self, attempt: int, *, academic: bool) -> Question[str]:
        keyword, sample = self.request.keyword.keyword, self.request.number * MOST_TRIES + attempt
        if self.protocol.prompts == "published":
            name = (PUBLISHED_FALLBACK if academic else PUBLISHED_IDEA) + (MARKED if self.marked else "")
            return Question(name, {"keywords": keyword}, str, role=self.request.model, sample=sample)
        needs = {"keyword": keyword, "academic": academic, "marked": self.marked}
        return Question("liveidea_idea", needs, str, role=self.request.model, sample=sample)

    @property
    def marked(self) -> bool:
        return self.request.model.short in self.protocol.marked

    def send(self, *, academic: bool) -> RequestProtocol[Response]:
        """The first answer that is not empty, or the last one."""
        response = Response()
        for attempt in range(self.protocol.tries):
            response = yield self.question(attempt, academic=academic)
            self.calls += response.calls
            self.prompt_tokens += response.prompt_tokens
            self.completion_tokens += response.completion_tokens
            if response.failure or response.declined or self.read(response).fate is not AnswerFate.EMPTY:
                break
        return response

    def read(self, response: Response) -> IdeaAnswer:
        return read_idea(response.text, response.reasoning, marker=self.marked, lengths=length_limits(self.protocol))

    def refused(self, response: Response) -> bool:
        """Whether the protocol requests the idea again with the academic prompt."""
        answer = self.read(response)
        if self.protocol.published_fallback:
            return answer.refused_as_released or (response.declined and not answer.idea)
        return response.declined or answer.fate is AnswerFate.REFUSED


def length_limits(protocol: LiveIdeaProtocol) -> LengthLimits:
    """The lengths of ideas that count."""
    if protocol.as_released:
        return RELEASED_LENGTHS
    return LengthLimits(most_words=protocol.most_words, most_characters=PAPER_LENGTHS.most_characters)


def generate_idea(request: IdeaRequest, protocol: LiveIdeaProtocol) -> RequestProtocol[IdeaRecord]:
    """The idea, or why there is none: refused twice, empty at every try, too long, or failed."""
    attempts = _IdeaAttempts(request, protocol)
    first = yield from attempts.send(academic=False)
    again = not first.failure and attempts.refused(first)
    last = (yield from attempts.send(academic=True)) if again else first
    return _record(attempts, first, last, again=again)


def _record(attempts: _IdeaAttempts, first: Response, last: Response, *, again: bool) -> IdeaRecord:
    first_answer, answer = attempts.read(first), attempts.read(last)
    fate = _fate(attempts, last, answer)
    return IdeaRecord(
        model=attempts.request.model.short,
        keyword=attempts.request.keyword.keyword,
        discipline=attempts.request.keyword.discipline,
        number=attempts.request.number,
        idea=answer.idea,
        full=answer.full,
        thoughts=answer.thoughts,
        words=answer.words,
        fate="failed" if last.failure else fate.value,
        why=last.failure,
        first_refused=first.declined or first_answer.fate is AnswerFate.REFUSED,
        first_refused_as_released=first_answer.refused_as_released,
        first_refusal=first_answer.full if again else "",
        fallback=again,
        behind_marker=answer.marked,
        calls=attempts.calls,
        prompt_tokens=attempts.prompt_tokens,
        completion_tokens=attempts.completion_tokens,
    )


def _fate(attempts: _IdeaAttempts, last: Response, answer: IdeaAnswer) -> AnswerFate:
    """By the paper's workflow and its code every answer to the second request is judged, even a refusal."""
    if attempts.protocol.published_fallback:
        if answer.fate is AnswerFate.REFUSED:
            return length_limits(attempts.protocol).fate(answer.words, len(answer.idea))
        return answer.fate
    return AnswerFate.REFUSED if last.declined else answer.fate
