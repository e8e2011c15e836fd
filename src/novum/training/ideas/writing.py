"""Ideas that a model writes on topics: by Transformers in batches, or by a server that speaks the OpenAI protocol."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import orjson

from novum.core import Idea, Subject, shorten
from novum.core.concurrency import run_concurrently
from novum.core.record import Value
from novum.errors import BadInput, ModelError
from novum.files.inputs import read_plain
from novum.lab import Workplace
from novum.llm import ModelName
from novum.llm.offline.trained import trained_models
from novum.llm.wire import ChatRequest
from novum.methods.topic_prompt import title_and_abstract
from novum.prompts import Message
from novum.training.ideas.building import prompt_on_topic
from novum.training.launching.estimate import check_loading
from novum.training.launching.fitting import this_machine
from novum.training.preferences.rows import PROMPT
from novum.training.reviews.tasks import Turns

_MODULE = "novum.training.finetuning.write"
_SERVED_SECONDS = 600.0


class WrittenIdea(Value):
    """One answer to the request for an idea on a topic. `title` is empty where the answer has not the form that was
    asked for."""

    topic: str
    sample: int
    title: str
    abstract: str

    @property
    def text(self) -> str:
        """The idea as a model should write it."""
        return f"Title: {self.title}\n\nAbstract: {self.abstract}"

    @property
    def usable(self) -> bool:
        """Whether it has a title and an abstract."""
        return bool(self.title and self.abstract)

    @property
    def subject(self) -> Subject:
        """The idea as metrics read it."""
        return Subject(title=self.title, text=self.abstract, topic=self.topic)

    def idea(self, generator: str) -> Idea:
        """The idea as judges read it."""
        return Idea(
            topic=self.topic, title=self.title, motivation="", novelty="", method="", summary=self.abstract,
            generator=generator,
        )  # fmt: skip


@dataclass(frozen=True)
class WritingSettings:
    """How ideas are written. `server`: a model of a server, `provider:model[@URL]`; empty: Transformers writes."""

    samples: int = 4
    most_tokens: int = 256
    temperature: float = 1.0
    top_p: float = 0.95
    seed: int = 0
    batch: int = 16
    server: str = ""


def read_answer(topic: str, sample: int, text: str) -> WrittenIdea:
    """Read title and abstract from an answer."""
    title, abstract = title_and_abstract(text)
    return WrittenIdea(topic=topic, sample=sample, title=title, abstract=abstract)


async def write_ideas(
    workplace: Workplace, model: str, topics: Sequence[str], settings: WritingSettings, file: Path,
    examples: Mapping[str, Sequence[str]] | None = None,
) -> list[WrittenIdea]:  # fmt: skip
    """`settings.samples` ideas on each topic, in order. Answers are added to `file` as they come, so that an
    interrupted call continues.

    `examples`: by topic, ideas that are shown before the request (few-shot). Raises ModelError when the process or the
    server fails.
    """
    prompt = workplace.prompts.get(PROMPT)
    prompts = [with_examples(prompt_on_topic(prompt, topic), (examples or {}).get(topic, ())) for topic in topics]
    return await write_prompts(workplace, model, topics, prompts, settings, file)


async def write_prompts(
    workplace: Workplace, model: str, topics: Sequence[str], prompts: list[Turns], settings: WritingSettings, file: Path
) -> list[WrittenIdea]:
    """As `write_ideas`, with the prompt of each topic given."""
    file.parent.mkdir(parents=True, exist_ok=True)
    server = settings.server or runs_here(model, workplace.settings.models_folder)
    if server:
        await _write_by_server(workplace, server, settings, prompts, file)
    else:
        await _write_in_process(workplace, model, settings, prompts, file)
    answers = read_texts(file)
    wanted = [(number, sample) for number in range(len(topics)) for sample in range(settings.samples)]
    if lost := len([place for place in wanted if place not in answers]):
        raise ModelError(f"{lost} of {len(wanted)} ideas were not written. The same command writes them.")
    return [read_answer(topics[number], sample, answers[number, sample]) for number, sample in wanted]


def with_examples(turns: Turns, examples: Sequence[str]) -> Turns:
    """A conversation in which the same request was answered by each example before."""
    shown = [turn for text in examples for turn in (*turns, {"role": "assistant", "content": text})]
    return [*shown, *turns]


def read_texts(file: Path) -> dict[tuple[int, int], str]:
    """The answers in a file by prompt and sample; lines that were cut off are left out."""
    answers = {}
    for line in read_plain(file).splitlines() if file.exists() else ():
        try:
            row = orjson.loads(line)
            answers[int(row["prompt"]), int(row["sample"])] = str(row["text"])
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
            continue
    return answers


async def _write_in_process(
    workplace: Workplace, model: str, settings: WritingSettings, prompts: list[Turns], file: Path
) -> None:
    check_loading(model, this_machine())
    request = {
        "model": model, "models_folder": str(workplace.settings.models_folder), "prompts": prompts,
        "samples": settings.samples, "most_tokens": settings.most_tokens, "temperature": settings.temperature,
        "top_p": settings.top_p, "seed": settings.seed, "batch": settings.batch,
    }  # fmt: skip
    source = file.with_suffix(".request.json")
    source.write_bytes(orjson.dumps(request))
    await run_module(_MODULE, [str(source), str(file)], f"{model} wrote no ideas")


async def run_module(module: str, arguments: Sequence[str], failed: str) -> None:
    """Run a module in a process of its own, which ends with this one. Raises ModelError with the reason in one line."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *arguments, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        env={"OMP_WAIT_POLICY": "passive", **os.environ},
    )  # fmt: skip
    try:
        _, errors = await child.communicate()
    except asyncio.CancelledError:
        child.kill()
        await child.wait()
        raise
    if child.returncode:
        lines = [line for line in errors.decode("utf-8", "replace").splitlines() if line.strip()]
        why = shorten(lines[-1], 400) if lines else f"exit code {child.returncode}"
        raise ModelError(f"{failed}: {why}")


def runs_here(model: str, models_folder: Path) -> str:
    """The name by which llama.cpp runs a model on this machine; empty where it has no GGUF file or there is a GPU. On
    a processor it writes many times as fast as Transformers."""
    if find_spec("xllamacpp") is None or shutil.which("nvidia-smi"):
        return ""
    if model.startswith("offline:"):
        return model
    place = Path(model).expanduser().resolve()
    known = (each for each in trained_models(models_folder) if each.purpose == "ideas" and each.weights)
    return next((each.called for each in known if Path(each.folder) == place), "")


async def _write_by_server(
    workplace: Workplace, server: str, settings: WritingSettings, prompts: list[Turns], file: Path
) -> None:
    name = ModelName.parse(server)
    endpoint = await workplace.connections.endpoint(name)
    known = read_texts(file)
    places = [(number, sample) for number in range(len(prompts)) for sample in range(settings.samples)]
    with file.open("ab") as out:
        out.write(b"\n" if out.tell() else b"")  # what was cut off has no end of line

        def keep(place: tuple[int, int]) -> Callable[[str], None]:
            def add(text: str) -> None:
                out.write(orjson.dumps({"prompt": place[0], "sample": place[1], "text": text.strip()}) + b"\n")
                out.flush()

            return add

        async def one(place: tuple[int, int]) -> None:
            turns = [Message(turn["role"], turn["content"]) for turn in prompts[place[0]]]  # type: ignore[arg-type]
            seed = settings.seed * 1_000_003 + place[0] * 1009 + place[1]
            request = ChatRequest(turns, settings.temperature, settings.most_tokens, seed % 2**31)
            keep(place)((await endpoint.chat(request, _SERVED_SECONDS)).content)

        await run_concurrently(one(place) for place in places if place not in known)


def topics_in(folder: Path) -> list[str]:
    """The topics of a data set of ideas, each once. Raises BadInput where there is none."""
    found: dict[str, None] = {}
    for file in sorted((folder / "about").glob("*.jsonl")):
        for line in read_plain(file).splitlines():
            found[str(orjson.loads(line).get("topic", ""))] = None
    found.pop("", None)
    if not found:
        raise BadInput(f"{folder} has no topics: name a data set of `novum data build ideas`, or a file of topics.")
    return list(found)


def read_topics(place: Path) -> list[str]:
    """Topics of a data set, or of a file with one topic a line. Raises BadInput where there is none."""
    if place.is_dir():
        return topics_in(place)
    try:
        lines = read_plain(place).decode("utf-8", errors="replace").splitlines()
    except OSError as error:
        raise BadInput(f"The topics in {place} cannot be read: {error.strerror or error}.") from error
    topics = list(dict.fromkeys(line.strip() for line in lines if line.strip()))
    if not topics:
        raise BadInput(f"{place} has no topic: write one on each line.")
    return topics
