"""Encode a research context as text within a token limit, with a share of the limit for each part.

A part takes whole entries, in order, until its share is used; what it leaves unused passes on to the next part. Groups
and signals come first, since they are short and the rest of the text is read in their light.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest

from novum.core import shorten
from novum.core.research_context import SIGNAL_NAMES, EncodedContext, PaperIdea, ResearchContext, ResearchSignal

CONTEXT_TOKENS = 8192
"""The limit of the paper (Table A1)."""
SHARES: Mapping[str, float] = {"signals": 0.2, "groups": 0.1, "relations": 0.15, "ideas": 0.55}
"""Share of the limit for each part, in the order of the text."""
_HEADINGS: Mapping[str, str] = {
    "signals": "Signals drawn from these works",
    "groups": "Groups of works",
    "relations": "Relations between works",
    "ideas": "Works",
}
_IDEA_CHARACTERS = 1_400
_FEWEST_CHARACTERS = 240
_NAME_CHARACTERS = 90
CountTokens = Callable[[str], int]


def tokens_by_characters(text: str) -> int:
    """An estimate of four characters per token, rounded up."""
    return -(-len(text) // 4)


def encode_context(
    context: ResearchContext, limit: int = CONTEXT_TOKENS, count: CountTokens = tokens_by_characters
) -> EncodedContext:
    """The context as text of at most `limit` tokens by `count`. Ideas are shortened so that all have room, at best."""
    left, texts, by_part, left_out = 0, list[str](), dict[str, int](), dict[str, int]()
    for part, share in SHARES.items():
        room = int(limit * share) + left
        entries = list(_entries(context, part, room))
        taken, tokens = _within(_HEADINGS[part], entries, room, count)
        if len(taken) < len(entries):
            left_out[part] = len(entries) - len(taken)
        if taken:
            texts.append("\n".join([_HEADINGS[part], *taken]))
        by_part[part], left = tokens, room - tokens
    text = "\n\n".join(texts)
    return EncodedContext(text=text, tokens=count(text), by_part=by_part, left_out=left_out)


def _within(heading: str, entries: Sequence[str], room: int, count: CountTokens) -> tuple[list[str], int]:
    """The first entries that have room, and their tokens with heading and line breaks."""
    taken: list[str] = []
    used = count(heading) + 2
    for entry in entries:
        needed = count(entry) + 1
        if used + needed > room:
            break
        taken.append(entry)
        used += needed
    return taken, used if taken else 0


def _entries(context: ResearchContext, part: str, room: int) -> Iterator[str]:
    titles = {paper_id: f"“{name}”" for paper_id, name in short_names(context.ideas).items()}
    if part == "signals":
        for signal in _by_turns(context):
            basis = ", ".join(titles[each] for each in signal.paper_ids[:3] if each in titles)
            yield f"- {SIGNAL_NAMES[signal.kind]}: {signal.text} (from {basis})"
    elif part == "groups":
        for group in context.groups:
            works = f"{len(group.paper_ids)} work{'s' if len(group.paper_ids) > 1 else ''}"
            yield f"- {group.name} ({works}): {shorten(group.memory, 600)}"
    elif part == "relations":
        for each in context.relations:
            yield f"- {titles[each.source_id]} – {each.kind} – {titles[each.target_id]}: {each.reason}"
    else:
        characters = min(_IDEA_CHARACTERS, max(_FEWEST_CHARACTERS, 4 * room // max(1, len(context.ideas)) - 120))
        for idea in in_group_order(context):
            yield f"- “{shorten(idea.title, 160)}” ({idea.year or 'n.d.'})\n{shorten(idea.text, characters)}"


def short_names(ideas: Sequence[PaperIdea]) -> dict[str, str]:
    """A short name for each paper by its id: its title up to the colon, where no other title begins so. Names are
    repeated in every relation and signal, and long titles would take much of the limit."""
    heads = {each.paper_id: each.title.split(": ")[0].strip() for each in ideas}
    times = Counter(heads.values())
    return {
        each.paper_id: shorten(head if times[head := heads[each.paper_id]] == 1 else each.title, _NAME_CHARACTERS)
        for each in ideas
    }


def _by_turns(context: ResearchContext) -> Iterator[ResearchSignal]:
    """The signals, one of each kind in turn, so that no kind is cut off first."""
    kinds = dict.fromkeys(each.kind for each in context.signals)
    lists = [[each for each in context.signals if each.kind == kind] for kind in kinds]
    return (each for each in chain.from_iterable(zip_longest(*lists)) if each is not None)


def in_group_order(context: ResearchContext) -> list[PaperIdea]:
    """The ideas by turns from each group, the earliest of each group first: every group is represented."""
    by_id = {each.paper_id: each for each in context.ideas}
    rows = [
        sorted(
            (by_id[each] for each in group.paper_ids if each in by_id), key=lambda one: (one.year or 0, one.paper_id)
        )
        for group in context.groups
    ]
    turns = [each for each in chain.from_iterable(zip_longest(*rows)) if each is not None]
    return list({each.paper_id: each for each in [*turns, *context.ideas]}.values())
