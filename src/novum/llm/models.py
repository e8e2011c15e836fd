"""All requests to models: render, look in the ledger, claim, send, record, read, and send back what cannot be read.

An answer is in the ledger before it is used. A question is identified by a key over the model, the conversation, the
form of the answer, the settings and the sample number: the same question is never paid for twice, and a run that was
ended is run again until it comes to where it was.
"""

from __future__ import annotations

import asyncio
import copy
import functools
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from pydantic import JsonValue

from novum.core import shorten
from novum.errors import (
    BadInput,
    CallFailed,
    EmptyAnswer,
    InvalidAnswer,
    ModelError,
    ModelRefusedUs,
    NoUsableAnswer,
    Refusal,
    Truncated,
)
from novum.ledger import Call, Claim, ClaimLost, ClaimResult, Event, Run
from novum.ledger.accounts import CallCost
from novum.llm.answers import parse_form
from novum.llm.budget import BudgetGuard
from novum.llm.connections import Connections
from novum.llm.endpoint import Endpoint
from novum.llm.exchange import Exchange
from novum.llm.lost_answers import FailureStreaks, LostAnswers, SessionCalls
from novum.llm.prices import PriceTable, unknown_price
from novum.llm.providers import ModelName
from novum.llm.question import Question, TypedAnswer, Value
from novum.llm.reasoning import is_refusal, split_reasoning
from novum.llm.schema import Answer
from novum.llm.settings import ModelSettings
from novum.llm.wire import ChatReply
from novum.prompts import Message, Prompt, PromptBook
from novum.prompts.untrusted import clean

REPAIRS = 2


class Models:
    """Asks models on behalf of one run."""

    def __init__(
        self, settings: ModelSettings, prompts: PromptBook, connections: Connections, run: Run, budget: BudgetGuard
    ) -> None:
        self.settings = settings
        self.run = run
        self._prompts = prompts
        self._connections = connections
        self._budget = budget
        self._prices = PriceTable(settings.prices)
        self._answers = 0
        """Number of questions that were answered, by a model or from the ledger."""
        self.session = SessionCalls()
        """Shared by all models that are made from these."""
        self.lost: LostAnswers | None = None
        """Questions without an answer; None where a failed call ends the work."""

    async def ask(self, question: Question[Value]) -> Value:
        """The answer's value. Raises as `answer` does."""
        return (await self.answer(question)).value

    async def answer(self, question: Question[Value]) -> TypedAnswer[Value]:
        """The answer with its circumstances.

        Raises Refusal, Truncated, EmptyAnswer or InvalidAnswer when the model gives nothing usable, even after an
        unreadable answer was sent back twice; BudgetSpent before the budget would be passed; ModelUnreachable,
        ModelRefusedUs or CallFailed when no request can be sent. `going_on` raises LostAnswer in place of some.
        """
        await self._load_prompt(question)
        exchange, cut = self._exchange(question), None
        for repairs_left in range(REPAIRS, -1, -1):
            try:
                call = await self._perform(exchange)
            except ModelRefusedUs as refusal:
                if cut is None:
                    raise self._after_failure(exchange, refusal) from None
                raise self._give_up(exchange, cut) from None  # no more room than it had
            except CallFailed as failure:
                raise self._after_failure(exchange, failure) from None
            try:
                value, tokens = _read(call, question.returns), (call.prompt_tokens or 0, call.completion_tokens or 0)
                return TypedAnswer(value, exchange.model, call.reasoning, call.key, *tokens)
            except Truncated as problem:
                if not repairs_left or self._at_limit(exchange):
                    raise self._give_up(exchange, problem) from None
                exchange, cut = self._with_more_room(exchange), problem
            except InvalidAnswer as problem:
                if not repairs_left:
                    raise self._give_up(exchange, problem) from None
                exchange, cut = self._sent_back(exchange, problem), None
            except NoUsableAnswer as problem:
                raise self._give_up(exchange, problem) from None
        raise AssertionError("the last round returns or raises")

    def written_by(self, writer: ModelName) -> Models:
        """Models for the same run and within the same budget, with another writer."""
        other = copy.copy(self)
        other.settings = replace(self.settings, roles=replace(self.settings.roles, writer=writer))
        return other

    def sharing(self, run: Run, seed: int) -> Models:
        """Models for the same run by another seed, within the same budget. Each counts its own answers."""
        other = copy.copy(self)
        other.settings = replace(self.settings, calls=replace(self.settings.calls, seed=seed))
        other.run, other._answers = run, 0
        return other

    def going_on(self) -> Models:
        """The same models for work that goes on without an answer whose call failed: `LostAnswer` is raised then,
        unless the model seems to be gone. What is missing is counted anew."""
        other = copy.copy(self)
        other.lost = LostAnswers(self.lost.streaks if self.lost else FailureStreaks())
        return other

    def with_prompts(self, prompts: Iterable[Prompt]) -> Models:
        """The same models, which can also be asked by these prompts."""
        other = copy.copy(self)
        other._prompts = self._prompts.with_prompts(prompts)
        return other

    def at_temperature(self, temperature: float | None) -> Models:
        """The same models, sampled at another temperature; None: each provider's own."""
        other = copy.copy(self)
        other.settings = replace(self.settings, calls=replace(self.settings.calls, temperature=temperature))
        return other

    def key_of(self, question: Question[Value]) -> str:
        """What its answer is known by in the ledger."""
        return self._exchange(question).key

    def model_for(self, role: object) -> ModelName:
        """The model behind a role; a model stands for itself."""
        return role if isinstance(role, ModelName) else self.settings.roles.model_for(role)  # type: ignore[arg-type]

    # -- one exchange -----------------------------------------------------------------------------------------------

    async def _perform(self, exchange: Exchange) -> Call:
        """From the ledger, or else from the model by way of the ledger. Equal questions at once are one request, also
        those of other processes."""
        claim = Claim(exchange.key, self.run.id, self.run.fresh)
        async with self.run.ledger.turn(claim):
            while True:
                with suppress(ClaimLost):  # another process has sent it, or is about to
                    return await self._look_up_or_send(claim, exchange)

    async def _look_up_or_send(self, claim: Claim, exchange: Exchange) -> Call:
        """Raises ClaimLost where the claim is lost before the request is sent."""
        known = await self._known(exchange)
        if known is None:
            endpoint = await self._connections.endpoint(exchange.model)
            known = await self._claimed(claim, exchange)
        if known is not None:
            self.run.reuse(known)
            self._report_call(known, reused=True)
            return known
        call = await self._send_claimed(claim, exchange, endpoint)
        if self.lost:
            self.lost.note_answer(exchange.model)
        self._report_call(call, reused=False)
        return call

    async def _known(self, exchange: Exchange) -> Call | None:
        answer_to = functools.partial(self.run.ledger.answer_to, run_id=self.run.id, only=self.run.fresh)
        return await answer_to(exchange.key) or await answer_to(exchange.earlier_key)

    async def _claimed(self, claim: Claim, exchange: Exchange) -> Call | None:
        """The answer that another process has recorded meanwhile, else None, and then the question is claimed."""
        ledger = self.run.ledger
        while (result := await ledger.claim(claim)) is ClaimResult.HELD:
            if (known := await self._known(exchange)) is not None:
                return known
            self._report_wait("another process asks the same")
            await ledger.claim_ended(claim)
        if result is ClaimResult.TAKEN_OVER and (known := await self._known(exchange)) is not None:
            ledger.release(claim, answered=True)
            return known
        return None

    async def _send_claimed(self, claim: Claim, exchange: Exchange, endpoint: Endpoint) -> Call:
        answered = False
        try:
            call = await self._send(exchange, endpoint, claim)
            answered = True
            return call
        finally:
            self.run.ledger.release(claim, answered=answered)

    async def _send(self, exchange: Exchange, endpoint: Endpoint, claim: Claim) -> Call:
        """The model's answer, recorded. Each request of the call is reserved in the budget before it is sent, and the
        claim confirmed, as the request may have queued for longer than the claim holds. Raises ClaimLost."""
        worst = CallCost(self._worst_usd(exchange), exchange.worst_tokens)
        deadline = self.settings.calls.deadline_seconds
        async with self._budget.call(worst, functools.partial(self.run.ledger.confirm, claim)) as meter:
            async with endpoint.limiter.slot(exchange.worst_tokens, self._answers):
                began = time.perf_counter()
                reported = await endpoint.chat(exchange.request(), deadline, self._report_wait, meter.around_try)
                reply = exchange.with_credible_counts(reported)
                seconds = time.perf_counter() - began
            call = self._call(exchange, reply, seconds, meter.finished or time.time())
            usd = worst.usd if call.usd is None else call.usd  # an unknown cost counts at its highest
            cost = CallCost(usd, _tokens_at_worst(call, exchange))
            endpoint.limiter.correct(exchange.worst_tokens, cost.tokens)
            await self.run.ledger.record(call, meter.answered(cost))  # written also where the task is cancelled
        return call

    def _call(self, exchange: Exchange, reply: ChatReply, seconds: float, at: float) -> Call:
        response = split_reasoning(reply.content, reply.reasoning)
        footprint = self._prices.footprint(exchange.model, reply.completion_tokens, seconds)
        return Call.model_construct(
            key=exchange.key,
            run_id=self.run.id,
            prompt=exchange.prompt.name,
            prompt_version=exchange.prompt.version,
            prompt_digest=exchange.prompt.digest,
            model=str(exchange.model),
            sample=exchange.sample,
            settings=exchange.settings,
            messages=exchange.conversation,
            returns=exchange.returns,
            answer=response.text,
            reasoning=response.reasoning,
            finish=reply.finish,
            refusal=reply.refusal,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            usd=self._prices.usd(exchange.model, reply.prompt_tokens, reply.completion_tokens),
            energy_kwh=footprint.energy_kwh if footprint else None,
            co2_kg=footprint.co2_kg if footprint else None,
            seconds=round(seconds, 4),
            token_probability=reply.token_probability,
            step=self.run.here,
            at=at,
        )

    # -- building exchanges -----------------------------------------------------------------------------------------

    async def _load_prompt(self, question: Question[Value]) -> None:
        """Compiles a prompt that is used for the first time in a thread, so that answers to others are recorded
        meanwhile."""
        small = self.model_for(question.role).provider.small
        if not self._prompts.is_loaded(question.prompt, small=small):
            await asyncio.to_thread(self._prompts.get, question.prompt, small=small)

    def _exchange(self, question: Question[Value]) -> Exchange:
        model = self.model_for(question.role)
        prompt = self._prompts.get(question.prompt, small=model.provider.small)
        if prompt.returns != question.returns.__name__:
            wanted = question.returns.__name__
            raise BadInput(f"Prompt {prompt.name!r} returns {prompt.returns}, and was asked for {wanted}.")
        if model.provider.writes_reports and issubclass(question.returns, Answer):
            raise BadInput(
                f"{model.short} was trained to write reviews and cannot answer {question.prompt!r}, "
                "which needs a structured response: name another model, and use this one by novum review --judge."
            )
        return Exchange.of(question, prompt, model, self.settings.calls, self._connections.weights_of(model))

    def _sent_back(self, exchange: Exchange, problem: InvalidAnswer) -> Exchange:
        """The same conversation with the unreadable answer and what is wrong with it."""
        passed_over = exchange.model.provider.form == "schema"  # a server may have ignored the schema
        needs = {"problem": str(problem), "form": exchange.schema if passed_over else ""}
        repair = self._prompts.get("repair").render(needs)
        response = Message("assistant", clean(shorten(problem.raw, 8000)) or "(nothing)")
        return replace(exchange, messages=(*exchange.messages, response, *repair.messages))

    def _at_limit(self, exchange: Exchange) -> bool:
        cap = exchange.model.provider.max_tokens
        return cap is not None and exchange.max_tokens >= cap

    def _with_more_room(self, exchange: Exchange) -> Exchange:
        return replace(exchange, max_tokens=exchange.max_tokens * 2)

    # -- accounts ---------------------------------------------------------------------------------------------------

    def _worst_usd(self, exchange: Exchange) -> float:
        usd = self._prices.usd(exchange.model, exchange.worst_prompt_tokens, exchange.max_tokens)
        if usd is None and self._budget.budget.usd is not None:
            raise unknown_price(exchange.model)
        return usd or 0.0

    def _after_failure(self, exchange: Exchange, error: ModelError) -> ModelError:
        """What to raise for a call that failed."""
        self.session.failure = error
        if self.lost is None:
            return error
        decided = self.lost.after_failure(exchange.model, exchange.prompt.name, error)
        return self._give_up(exchange, decided) if isinstance(decided, NoUsableAnswer) else decided

    def _give_up(self, exchange: Exchange, problem: NoUsableAnswer) -> NoUsableAnswer:
        self.run.emit(
            "no-answer",
            prompt=exchange.prompt.name,
            model=exchange.model.short,
            problem=type(problem).__name__,
            told=str(problem),
            raw=shorten(problem.raw, 4000),
        )
        return problem

    def _report_wait(self, reason: str, seconds: float | None = None) -> None:
        """`seconds` None: nobody knows how long."""
        data: dict[str, JsonValue] = {"why": reason, "seconds": None if seconds is None else round(seconds, 1)}
        self.run.notify(Event(run_id=self.run.id, at=time.time(), kind="waiting", step=self.run.here, data=data))

    def _report_call(self, call: Call, reused: bool) -> None:
        self._answers += 1
        self.session.answered = True
        if not self.run.has_listeners:
            return
        data: dict[str, JsonValue] = {
            "prompt": call.prompt,
            "model": call.model,
            "reused": reused,
            "seconds": call.seconds,
            "usd": call.usd,
            "prompt_tokens": call.prompt_tokens,
            "completion_tokens": call.completion_tokens,
        }
        self.run.notify(
            Event.model_construct(run_id=self.run.id, at=time.time(), kind="call", step=self.run.here, data=data)
        )


def _tokens_at_worst(call: Call, exchange: Exchange) -> int:
    """The tokens of a call; a half that the server did not report counts at its highest."""
    prompt = exchange.worst_prompt_tokens if call.prompt_tokens is None else call.prompt_tokens
    completion = exchange.max_tokens if call.completion_tokens is None else call.completion_tokens
    return prompt + completion


def _asked(call: Call) -> str:
    """What the model was shown, without its own earlier answers."""
    return "\n".join(content for role, content in call.conversation if role != "assistant")


def _read(call: Call, form: type[Value]) -> Value:
    """The typed value of an answered call, or the error that says why it cannot be used."""
    who = f"{call.model} on prompt {call.prompt!r}"
    if call.refusal or call.finish == "content_filter":
        raise Refusal(
            f"{who} declined to answer: {shorten(call.refusal or call.answer, 200)}", call.refusal or call.answer
        )
    if not call.answer:
        cut = call.finish == "length"
        raise (Truncated if cut else EmptyAnswer)(
            f"{who} {'hit its token limit before answering' if cut else 'gave an empty answer'}.", call.answer
        )
    if not issubclass(form, Answer):
        if is_refusal(call.answer):
            raise Refusal(f"{who} declined to answer: {shorten(call.answer, 200)}", call.answer)
        return form(call.answer)
    try:
        return parse_form(call.answer, form, _asked(call))
    except ValueError as problem:
        if call.finish == "length":
            raise Truncated(f"{who} was cut off at its token limit.", call.answer) from problem
        if is_refusal(call.answer):
            raise Refusal(f"{who} declined to answer: {shorten(call.answer, 200)}", call.answer) from problem
        raise InvalidAnswer(f"{problem}", call.answer) from problem
