"""What a model said to one question, or why there is nothing; and the small loop that carries protocols out.

A protocol of this benchmark is a generator: it yields one question at a time, is sent what was heard, and returns a
record. It knows of no network and no budget. Where the budget ends, or nothing more may be asked, it is left where it
stands, and there is no record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from novum.benchmarks.liveidea.records import LostJudge
from novum.errors import BudgetSpent, CallFailed, ModelError, ModelRefusedUs, ModelUnreachable, NoUsableAnswer, Refusal
from novum.ledger import Event
from novum.llm import Answer, ModelName, Models, Question

Result = TypeVar("Result")

MAX_FAILURES_IN_A_ROW = 3
"""Calls of one model that fail in a row, after all retries, until nothing more is asked of it in this session."""
RUN_BEGAN, QUESTION_FAILED, MODEL_LOST = "run-began", "question-failed", "model-lost"
"""Events: a session begins, a question came to nothing, nothing more is asked of a model."""


@dataclass(frozen=True)
class Response:
    """One answer. `text` is empty where nothing was said; `failure` tells why a model could not be asked."""

    text: str = ""
    reasoning: str = ""
    declined: bool = False
    """The model, or its provider, would not answer."""
    failure: str = ""
    calls: int = 1
    prompt_tokens: int = 0
    completion_tokens: int = 0


RequestProtocol = Generator["Question[Any]", Response, Result]


@dataclass
class SessionFailures:
    """What came to nothing in a session, by the reasons: an answer is in the ledger, a failure is only noted."""

    questions: dict[str, str] = field(default_factory=dict)
    """By their keys."""
    models: dict[str, str] = field(default_factory=dict)
    """Given up."""

    @classmethod
    def of_last_session(cls, events: Iterable[tuple[int, Event]]) -> SessionFailures:
        """Those of a run's last session: what failed before was asked for again since."""
        failures = cls()
        for _, event in events:
            if event.kind == RUN_BEGAN:
                failures = cls()
            elif event.kind == QUESTION_FAILED:
                failures.questions[str(event.data["question"])] = str(event.data["why"])
            elif event.kind == MODEL_LOST:
                failures.models[str(event.data["model"])] = str(event.data["why"])
        return failures


@dataclass
class ModelClient:
    """Asks models for one run, and remembers which of them cannot be asked any more and why work stopped."""

    models: Models
    stopped: str = ""
    """Why something was left unasked; empty while nothing was."""
    lost: dict[str, str] = field(default_factory=dict)
    """Model to the reason."""
    noted: SessionFailures = field(default_factory=SessionFailures)
    """Of a session that is only looked at: there a question without an answer failed as it did then."""
    _failures: Counter[str] = field(default_factory=Counter)

    async def carry_out(self, protocol: RequestProtocol[Result]) -> Result | None:
        """What `protocol` returns; None where the budget ended before."""
        try:
            question = next(protocol)
            while True:
                question = protocol.send(await self._hear(question))
        except StopIteration as done:
            result: Result = done.value
            return result
        except BudgetSpent as stop:
            protocol.close()
            self.stopped = self.stopped or str(stop)
            return None

    def lost_judges(self, judges: set[str]) -> tuple[LostJudge, ...]:
        """Those of `judges` that were given up."""
        return tuple(LostJudge(judge=name, why=why) for name, why in sorted(self.lost.items()) if name in judges)

    async def _hear(self, question: Question[Any]) -> Response:
        model = self.models.model_for(question.role)
        if why := self.lost.get(model.short):
            return Response(failure=why, calls=0)
        try:
            answered = await self.models.answer(question)
        except Refusal as refusal:
            return Response(refusal.raw, declined=True)
        except NoUsableAnswer as nothing:  # empty, cut off, or not of the form: whoever asked reads what there is
            return Response(nothing.raw)
        except (ModelUnreachable, ModelRefusedUs, CallFailed) as error:
            return self._failed(question, model, error)
        except BudgetSpent:
            if (heard := self._failed_then(question, model)) is not None:
                return heard
            raise
        self._failures[model.short] = 0
        value = answered.value
        return Response(
            text=value.model_dump_json() if isinstance(value, Answer) else value,
            reasoning=answered.reasoning,
            prompt_tokens=answered.prompt_tokens,
            completion_tokens=answered.completion_tokens,
        )

    def _failed(self, question: Question[Any], model: ModelName, error: ModelError) -> Response:
        """One call that came to nothing; after several in a row nobody waits for that model any longer."""
        self.models.run.emit(QUESTION_FAILED, question=self.models.key_of(question), model=model.short, why=str(error))
        self._failures[model.short] += 1
        if self._failures[model.short] >= MAX_FAILURES_IN_A_ROW and model.short not in self.lost:
            self.lost[model.short] = str(error)
            self.models.run.emit(MODEL_LOST, model=model.short, why=str(error))
        return Response(failure=str(error))

    def _failed_then(self, question: Question[Any], model: ModelName) -> Response | None:
        if why := self.noted.questions.get(self.models.key_of(question)) if self.noted.questions else None:
            return Response(failure=why)
        lost = self.noted.models.get(model.short)
        return Response(failure=lost, calls=0) if lost else None
