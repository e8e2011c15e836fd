"""The aggregator (DBLP study, section 5.13): a model that makes one idea of those of several models of fields.

The study does not say what it is tuned on. Here the answer is a real paper, and the ideas that are shown were written
by the models of the fields on its topic.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

import orjson

from novum.core.version import installed_version
from novum.files.folder import CARD, atomic_folder
from novum.lab import Workplace
from novum.prompts import FENCE, Prompt
from novum.training.finetuning.conversations import ConversationSet
from novum.training.ideas.building import CHARACTERS_PER_TOKEN
from novum.training.ideas.card import SPLITS, IdeaDataCard, IdeaDataSettings, IdeaSplit, TriedTopics
from novum.training.ideas.writing import WritingSettings, WrittenIdea, write_ideas, write_prompts
from novum.training.preferences.files import ABOUT, DATA
from novum.training.reviews.tasks import Turns

PROMPT = "merge_ideas"
_MOST_ROWS = 200
"""Rows of a split at most: each needs an idea of every field."""


async def build_aggregator_set(
    workplace: Workplace, papers: ConversationSet, experts: Mapping[str, str], writing: WritingSettings, folder: Path
) -> None:
    """Writes a data set of merged ideas. `experts`: the models of the fields."""
    prompt = workplace.prompts.get(PROMPT)
    topics = [fact.topic for split in SPLITS for fact in papers.about(split)[:_MOST_ROWS]]
    shown = await _ideas_of_fields(workplace, experts, list(dict.fromkeys(topics)), writing, folder.parent / "experts")
    splits = []
    with atomic_folder(folder, (DATA, ABOUT)) as place:
        for split in SPLITS:
            facts = papers.about(split)[:_MOST_ROWS]
            rows = [row for _, row in papers.conversations(split, range(len(facts)))]
            tokens = 0
            with (
                (place / DATA / f"{split}.jsonl").open("wb") as data,
                (place / ABOUT / f"{split}.jsonl").open("wb") as about,
            ):
                for number, (fact, row) in enumerate(zip(facts, rows, strict=True)):
                    turns = merge_prompt(prompt, fact.topic, shown.get(fact.topic, ()))
                    counts = [
                        round(sum(len(turn["content"]) for turn in some) / CHARACTERS_PER_TOKEN)
                        for some in (turns, row.completion)
                    ]
                    tokens += sum(counts)
                    data.write(orjson.dumps({"prompt": turns, "completion": row.completion}) + b"\n")
                    about.write(orjson.dumps({
                        "row": number, "task": "merged-idea", "paper": fact.paper, "topic": fact.topic,
                        "prompt_tokens": counts[0], "completion_tokens": counts[1],
                    }) + b"\n")  # fmt: skip
            splits.append(_split(split, len(rows), tokens))
        card = _card(splits, prompt, sorted(experts))
        (place / CARD).write_text(json.dumps(card.model_dump(mode="json"), indent=1), encoding="utf-8")


async def aggregated_ideas(
    workplace: Workplace, aggregator: str, experts: Mapping[str, str], topics: Sequence[str], writing: WritingSettings,
    folder: Path,
) -> list[WrittenIdea]:  # fmt: skip
    """Ideas of the ensemble: those of the fields, made into one by the aggregator."""
    shown = await _ideas_of_fields(workplace, experts, topics, writing, folder / "experts")
    prompt = workplace.prompts.get(PROMPT)
    prompts = [merge_prompt(prompt, topic, shown.get(topic, ())) for topic in topics]
    return await write_prompts(workplace, aggregator, topics, prompts, writing, folder / "merged.jsonl")


def merge_prompt(prompt: Prompt, topic: str, ideas: Iterable[str]) -> Turns:
    """The request to make one idea of several."""
    listed = list(ideas)
    fence = blake2b(f"{topic}\n{listed}".encode("utf-8", "replace"), digest_size=4).hexdigest()
    messages = prompt.render({"topic": topic, "ideas": listed}).messages
    return [{"role": each.role, "content": each.content.replace(FENCE, fence)} for each in messages]


async def _ideas_of_fields(
    workplace: Workplace, experts: Mapping[str, str], topics: Sequence[str], writing: WritingSettings, folder: Path
) -> dict[str, list[str]]:
    """By topic, one usable idea of each field that wrote one."""
    one = replace(writing, samples=1)
    shown: dict[str, list[str]] = {}
    for number, name in enumerate(sorted(experts)):
        for idea in await write_ideas(workplace, experts[name], topics, one, folder / f"{number}.jsonl"):
            if idea.usable:
                shown.setdefault(idea.topic, []).append(idea.text)
    return shown


def _split(name: str, rows: int, tokens: int) -> IdeaSplit:
    return IdeaSplit(name=name, rows=rows, topics=0, first_year=None, last_year=None, tokens=tokens)


def _card(splits: Sequence[IdeaSplit], prompt: Prompt, fields: Sequence[str]) -> IdeaDataCard:
    return IdeaDataCard(
        name="Ideas of several fields made into one",
        kind="merged-ideas",
        made=dt.datetime.now(dt.UTC).date().isoformat(),
        novum=installed_version(),
        library="the papers of another data set",
        prompt=f"{prompt.name}, version {prompt.version}, {prompt.digest}",
        settings=IdeaDataSettings(),
        fitted_on=0,
        tried=(TriedTopics(topics=0, coherence=0),),
        topics=(),
        splits=tuple(splits),
        left_out={},
        notes=(f"Ideas shown: by models of {', '.join(fields)}.",),
    )
