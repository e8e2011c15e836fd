"""The one door to all models: render, look in the ledger, ask, record, read, and send back what cannot be read.

An answer is in the ledger before it is used. What was asked is identified by a key over the model, the conversation,
the form of the answer, the settings and the sample number: the same question is never paid for twice, and a run that
died is run again until it comes to where it was.
"""

from __future__ import annotations

import asyncio
import copy
import time
import weakref
from dataclasses import replace

from pydantic import JsonValue

from novum.core import shorten
from novum.errors import BadInput, EmptyAnswer, InvalidAnswer, ModelRefusedUs, NoUsableAnswer, Refusal, Truncated
from novum.ledger import Call, Event, Run
from novum.llm.answers import is_refusal, parse_form, split_reasoning
from novum.llm.budget import BudgetGuard, CallCost
from novum.llm.connections import Connections
from novum.llm.exchange import Exchange
from novum.llm.prices import PriceTable, unknown_price
from novum.llm.providers import ModelName
from novum.llm.question import Question, TypedAnswer, Value
from novum.llm.schema import Answer
from novum.llm.settings import ModelSettings
from novum.llm.wire import ChatReply
from novum.prompts import Message, PromptBook

REPAIRS = 2


class Models:
    """Asks models on behalf of one run."""

    def __init__(
        self, settings: ModelSettings, prompts: PromptBook, connections: Connections, run: Run, purse: BudgetGuard
    ) -> None:
        self.settings = settings
        self.run = run
        self._prompts = prompts
        self._connections = connections
        self._purse = purse
        self._tariff = PriceTable(settings.prices)
        self._asked = 0
        self._asking: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()

    async def ask(self, question: Question[Value]) -> Value:
        """The answer's value. Raises as `answer` does."""
        return (await self.answer(question)).value

    async def answer(self, question: Question[Value]) -> TypedAnswer[Value]:
        """The answer with its circumstances.

        Raises Refusal, Truncated, EmptyAnswer or InvalidAnswer when the model gives nothing usable, even after an
        unreadable answer was sent back twice; BudgetSpent before the budget would be passed; ModelUnreachable,
        ModelRefusedUs or CallFailed when the model cannot be asked.
        """
        exchange, cut = self._exchange(question), None
        for repairs_left in range(REPAIRS, -1, -1):
            try:
                call = await self._perform(exchange)
            except ModelRefusedUs:
                if cut is None:
                    raise
                raise self._give_up(exchange, cut) from None  # no more room than it had
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

    def sharing(self, run: Run, seed: int) -> Models:
        """One more who asks on behalf of the same run, by another seed: from the same purse, and none of both asks
        what the other is asking. Each counts by itself what it has asked.
        """
        other = copy.copy(self)
        other.settings = replace(self.settings, calls=replace(self.settings.calls, seed=seed))
        other.run, other._asked = run, 0
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
        """From the ledger, or else from the model by way of the ledger. Equal questions at once are asked once."""
        lock = self._asking.setdefault(exchange.key, asyncio.Lock())
        async with lock:
            known = self.run.ledger.answered(exchange.key, self.run.id, only=self.run.fresh)
            if known is not None:
                self.run.ledger.reuse(known, self.run.id)
                self._tell(known, reused=True)
                return known
            call = await self._pay_for(exchange)
            self._tell(call, reused=False)
            return call

    async def _pay_for(self, exchange: Exchange) -> Call:
        worst = CallCost(self._worst_usd(exchange), exchange.worst_tokens)
        endpoint = await self._connections.endpoint(exchange.model)
        async with self._purse.hold(worst) as receipt:
            async with endpoint.limiter.slot(exchange.worst_tokens, self._asked):
                began = time.perf_counter()
                reply = await endpoint.chat(exchange.sealed(), self.settings.calls.deadline_seconds, self._tell_waiting)
                seconds = time.perf_counter() - began
            call = self._call(exchange, reply, seconds)
            tokens = (call.prompt_tokens or 0) + (call.completion_tokens or 0)
            usd = worst.usd if call.usd is None else call.usd  # what was not told counts at its worst
            receipt.cost = CallCost(usd, tokens or exchange.worst_tokens)
            endpoint.limiter.correct(exchange.worst_tokens, tokens or exchange.worst_tokens)
            await self.run.ledger.record(call)  # queued at once: written even where nobody waits any more
        return call

    def _call(self, exchange: Exchange, reply: ChatReply, seconds: float) -> Call:
        said = split_reasoning(reply.content, reply.reasoning)
        footprint = self._tariff.footprint(exchange.model, reply.completion_tokens, seconds)
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
            answer=said.text,
            reasoning=said.reasoning,
            finish=reply.finish,
            refusal=reply.refusal,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            usd=self._tariff.usd(exchange.model, reply.prompt_tokens, reply.completion_tokens),
            energy_kwh=footprint.energy_kwh if footprint else None,
            co2_kg=footprint.co2_kg if footprint else None,
            seconds=round(seconds, 4),
            token_probability=reply.token_probability,
            step=self.run.here,
            at=time.time(),
        )

    # -- building exchanges -----------------------------------------------------------------------------------------

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
        told = str(problem)
        if exchange.schema and exchange.model.provider.form == "schema":  # a server may have passed over the form
            told += f"\nThe form is given by this JSON schema:\n{exchange.schema}"
        repair = self._prompts.get("repair").render({"problem": told})
        said = Message("assistant", shorten(problem.raw, 8000) or "(nothing)")
        return replace(exchange, messages=(*exchange.messages, said, *repair.messages))

    def _at_limit(self, exchange: Exchange) -> bool:
        cap = exchange.model.provider.max_tokens
        return cap is not None and exchange.max_tokens >= cap

    def _with_more_room(self, exchange: Exchange) -> Exchange:
        return replace(exchange, max_tokens=exchange.max_tokens * 2)

    # -- accounts ---------------------------------------------------------------------------------------------------

    def _worst_usd(self, exchange: Exchange) -> float:
        if self._purse.budget.usd is None:
            return 0.0
        usd = self._tariff.usd(exchange.model, exchange.worst_tokens - exchange.max_tokens, exchange.max_tokens)
        if usd is None:
            raise unknown_price(exchange.model)
        return usd

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

    def _tell_waiting(self, why: str, seconds: float) -> None:
        data: dict[str, JsonValue] = {"why": why, "seconds": round(seconds, 1)}
        self.run.notify(Event(run_id=self.run.id, at=time.time(), kind="waiting", step=self.run.here, data=data))

    def _tell(self, call: Call, reused: bool) -> None:
        self._asked += 1
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


def _read(call: Call, form: type[Value]) -> Value:
    """The typed value of an answered call, or the error that tells what kind of non-answer it is."""
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
        return parse_form(call.answer, form)
    except ValueError as problem:
        if call.finish == "length":
            raise Truncated(f"{who} was cut off at its token limit.", call.answer) from problem
        if is_refusal(call.answer):
            raise Refusal(f"{who} declined to answer: {shorten(call.answer, 200)}", call.answer) from problem
        raise InvalidAnswer(f"{problem}", call.answer) from problem
