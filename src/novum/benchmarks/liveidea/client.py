"""Requests to models: a protocol yields questions and receives responses, and one loop sends them.

A protocol of this benchmark is a generator: it yields one question at a time, is sent the response, and returns a
record. It knows nothing of network or budget. When the budget ends, it is closed, and there is no record.
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

MAX_FAILURES_IN_A_ROW = 5
"""Failed calls of one model in a row, after all retries, until it gets no more requests in this session."""
RUN_BEGAN, QUESTION_FAILED, MODEL_LOST = "run-began", "question-failed", "model-lost"
"""Events: a session begins, a request failed, a model gets no more requests."""


@dataclass(frozen=True)
class Response:
    """One answer of a model. `text` may be empty; `failure`: why there was no answer."""

    text: str = ""
    reasoning: str = ""
    declined: bool = False
    """Whether the model, or its provider, refused to answer."""
    failure: str = ""
    calls: int = 1
    prompt_tokens: int = 0
    completion_tokens: int = 0


RequestProtocol = Generator["Question[Any]", Response, Result]


@dataclass
class SessionFailures:
    """The failed requests of a session, with their reasons. The ledger stores answers; failures are only events."""

    questions: dict[str, str] = field(default_factory=dict)
    """Reason by the key of the question."""
    models: dict[str, str] = field(default_factory=dict)
    """Models that got no more requests, with the reason."""

    @classmethod
    def of_last_session(cls, events: Iterable[tuple[int, Event]]) -> SessionFailures:
        """Those of a run's last session, which repeated earlier failed requests."""
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
    """Sends the requests of one run, and records which models failed for good and why work stopped."""

    models: Models
    stopped: str = ""
    """Why some requests were not sent; empty when all were."""
    lost: dict[str, str] = field(default_factory=dict)
    """Models that get no more requests, with the reason."""
    recorded: SessionFailures = field(default_factory=SessionFailures)
    """For a replay: a question without a stored answer fails as it did in that session."""
    _failures: Counter[str] = field(default_factory=Counter)

    async def carry_out(self, protocol: RequestProtocol[Result]) -> Result | None:
        """The result of `protocol`; None when the budget ends first."""
        try:
            question = next(protocol)
            while True:
                question = protocol.send(await self._request(question))
        except StopIteration as done:
            result: Result = done.value
            return result
        except BudgetSpent as stop:
            protocol.close()
            self.stopped = self.stopped or str(stop)
            return None

    def lost_judges(self, judges: set[str]) -> tuple[LostJudge, ...]:
        """Those of `judges` that get no more requests."""
        return tuple(LostJudge(judge=name, why=why) for name, why in sorted(self.lost.items()) if name in judges)

    async def _request(self, question: Question[Any]) -> Response:
        model = self.models.model_for(question.role)
        if why := self.lost.get(model.short):
            return Response(failure=why, calls=0)
        try:
            answered = await self.models.answer(question)
        except Refusal as refusal:
            return Response(refusal.raw, declined=True)
        except NoUsableAnswer as error:  # empty, cut off, or of another form: the protocol reads what there is
            return Response(error.raw)
        except (ModelUnreachable, ModelRefusedUs, CallFailed) as error:
            return self._failed(question, model, error)
        except BudgetSpent:
            if (failure := self._recorded_failure(question, model)) is not None:
                return failure
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
        """Records a failed call; after several in a row the model is lost."""
        self.models.run.emit(QUESTION_FAILED, question=self.models.key_of(question), model=model.short, why=str(error))
        self._failures[model.short] += 1
        if self._failures[model.short] >= MAX_FAILURES_IN_A_ROW and model.short not in self.lost:
            self.lost[model.short] = str(error)
            self.models.run.emit(MODEL_LOST, model=model.short, why=str(error))
        return Response(failure=str(error))

    def _recorded_failure(self, question: Question[Any], model: ModelName) -> Response | None:
        if why := self.recorded.questions.get(self.models.key_of(question)) if self.recorded.questions else None:
            return Response(failure=why)
        lost = self.recorded.models.get(model.short)
        return Response(failure=lost, calls=0) if lost else None
