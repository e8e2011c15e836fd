"""The data card of a data set for reviewer models: contents, sources, what was left out, and how to use it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from novum.core.record import Value
from novum.reports.markdown import markdown_line, markdown_table
from novum.reports.phrases import count, percent
from novum.training.reviews.annotating import AnnotationRates
from novum.training.reviews.packing import PackingPlan
from novum.training.reviews.settings import JudgeDataSettings


class Quantiles(Value):
    """Quantiles of the lengths of rows in tokens: the median, the ninth decile and the maximum."""

    rows: int
    tokens: int
    half: int
    nine_tenths: int
    most: int


class VenueCount(Value):
    """Numbers of one venue in one year. `scale`: scale of its ratings, and its source."""

    venue: str
    year: int | None
    split: str
    """Splits that contain its papers."""
    papers: int
    reviews: int
    texts: int
    """Reviews whose text is used."""
    rated: int
    """Reviews with a rating on the scale from 0 to 1."""
    accepted: int
    rejected: int
    scale: str
    mean_rating: float | None


class SplitCount(Value):
    """Numbers of one split; `rows` by task."""

    name: str
    papers: int
    reviews: int
    rows: dict[str, int]
    tokens: int


class JudgeDataCard(Value):
    """Numbers of a whole data set: the content of its JSON card, and the result of building it."""

    name: str
    made: str
    novum: str
    folder: str
    sources: dict[str, int]
    """Records by file and layout."""
    settings: JudgeDataSettings
    cutoff: str
    prompts: dict[str, str]
    """By task: name, version and digest."""
    ideas_by: str
    """Description of how the idea texts were made."""
    tokens_by: str
    records: int
    reviews_read: int
    papers: int
    reviews: int
    splits: tuple[SplitCount, ...]
    venues: tuple[VenueCount, ...]
    lengths: dict[str, Quantiles]
    """By task."""
    packing: tuple[PackingPlan, ...]
    """Plans for the training rows."""
    papers_left_out: dict[str, int]
    reviews_left_out: dict[str, int]
    notes: dict[str, int]
    shortened: int
    """Rows whose review was cut."""
    abstracts: AnnotationRates
    idea_reviews: AnnotationRates
    leaks_looked_at: int
    """Number of original abstracts, sampled by hash, that were searched for leaks."""
    leaks_by_rules: dict[str, int]
    """Number of these with a leak, by kind; `any` counts each abstract once."""
    rejects: tuple[str, ...]
    files: tuple[str, ...]


def render_card(card: JudgeDataCard) -> str:
    """Render the card in Markdown, with the metadata block that data-set hubs read."""
    parts = (
        _head(card), _opening(card), _splits(card), _how(card), _venues(card), _lengths(card), _ideas(card),
        _left_out(card), _loading(), _care(),
    )  # fmt: skip
    return "\n".join(line for part in parts for line in (*part, ""))


def _head(card: JudgeDataCard) -> Iterable[str]:
    yield from ("---", f"pretty_name: {json.dumps(card.name)}", "license: other", "task_categories: [text-generation]")
    yield from ("tags: [peer-review, sft, trl, scientific-ideas]", "configs:")
    for config, folder in (("default", "data"), ("about", "about"), ("papers", "papers")):
        yield from (f"- config_name: {config}", "  data_files:")
        for split in card.splits:
            yield f"  - split: {split.name}"
            yield f"    path: {json.dumps(f'{folder}/{split.name}.jsonl')}"
    yield "---"


def _opening(card: JudgeDataCard) -> Iterable[str]:
    rows = sum(sum(split.rows.values()) for split in card.splits)
    yield from (f"# {markdown_line(card.name)}", "")
    yield (
        f"{count(rows, 'conversation')} from {count(card.papers, 'paper')} and {count(card.reviews, 'real review')}, "
        "for training a model that reviews: reviews from abstracts, and abstracts from reviews."
    )


def _splits(card: JudgeDataCard) -> Iterable[str]:
    tasks = sorted({task for split in card.splits for task in split.rows})
    yield from ("## Splits", "")
    rows = [
        (split.name, f"{split.papers:,}", f"{split.reviews:,}", *(f"{split.rows.get(task, 0):,}" for task in tasks),
         f"{split.tokens:,}")
        for split in card.splits
    ]  # fmt: skip
    yield markdown_table(("split", "papers", "reviews", *tasks, "tokens"), rows, cell=str)
    yield ""
    yield (
        f"Papers from {card.cutoff} on are test papers, by the date of submission where it is known, else by the year "
        "of the venue. No paper is in two splits, also not under two venues: papers with the same identifiers, the "
        "same title or nearly the same abstract are the same paper."
    )


def _how(card: JudgeDataCard) -> Iterable[str]:
    yield from ("## How it was made", "")
    yield f"- Made: {card.made}, by novum {markdown_line(card.novum)}"
    yield from (
        f"- From {markdown_line(source)}: {count(records, 'record')}" for source, records in card.sources.items()
    )
    yield from (f"- Prompt of {task}: {markdown_line(prompt)}" for task, prompt in card.prompts.items())
    yield f"- Idea texts: {markdown_line(card.ideas_by)}"
    yield f"- Tokens are counted by: {markdown_line(card.tokens_by)}"
    settings = card.settings.model_dump(mode="json")
    values = ", ".join(
        f"{name.replace('_', ' ')} {'none' if value is None else value}" for name, value in settings.items()
    )
    yield f"- Settings: {markdown_line(values)}"


def _venues(card: JudgeDataCard) -> Iterable[str]:
    yield from ("## Venues", "")
    heads = (
        "venue", "year", "split", "papers", "accepted", "rejected", "reviews", "texts", "rated", "scale", "mean rating",
    )  # fmt: skip
    rows = (
        (markdown_line(each.venue) or "unknown", str(each.year or "unknown"), each.split, f"{each.papers:,}",
         f"{each.accepted:,}", f"{each.rejected:,}", f"{each.reviews:,}", f"{each.texts:,}", f"{each.rated:,}",
         each.scale,
         "–" if each.mean_rating is None else f"{each.mean_rating:.3f}")
        for each in card.venues
    )  # fmt: skip
    yield markdown_table(heads, rows, cell=str)
    yield ""
    yield "Ratings are on one scale: 0 is the worst that a form allows, 1 the best. Original ratings are in `papers`."


def _lengths(card: JudgeDataCard) -> Iterable[str]:
    yield from ("## Lengths, tokens", "")
    rows = [
        (task, f"{each.rows:,}", f"{each.tokens:,}", f"{each.half:,}", f"{each.nine_tenths:,}", f"{each.most:,}")
        for task, each in card.lengths.items()
    ]
    yield markdown_table(("task", "rows", "total", "median", "9th decile", "longest"), rows, cell=str)
    yield from ("", "Training rows packed into sequences, best fit:", "")
    plans = [
        (f"{plan.length:,}", f"{plan.sequences:,}", percent(plan.filled), percent(plan.padded), f"{plan.cut:,}",
         f"{plan.lost_tokens:,}")
        for plan in card.packing
    ]  # fmt: skip
    yield markdown_table(
        ("length", "sequences", "filled", "filled without packing", "rows cut", "tokens lost"), plans, cell=str
    )


def _ideas(card: JudgeDataCard) -> Iterable[str]:
    yield from ("## Idea texts", "", f"{markdown_line(card.ideas_by).capitalize()}.", "")
    rows = [
        (name, f"{each.asked:,}", f"{each.kept:,}", f"{each.at_once:,}", f"{each.silent:,}", f"{each.left_out:,}",
         percent(each.rejected), ", ".join(f"{why} {number:,}" for why, number in each.turned_down.items()) or "none")
        for name, each in (("abstracts", card.abstracts), ("reviews", card.idea_reviews))
        if each.asked
    ]  # fmt: skip
    if rows:
        heads = (
            "of", "texts", "accepted", "at the first attempt", "nothing on the idea", "left out", "answers rejected",
            "why",
        )  # fmt: skip
        yield from (markdown_table(heads, rows, cell=str), "")
    total = card.leaks_looked_at
    kinds = [
        (kind, f"{number:,} ({percent(number / total if total else None)})")
        for kind, number in card.leaks_by_rules.items()
    ]
    yield f"Leaks that the rules find in {count(total, 'original abstract')}, by kind:"
    yield ""
    yield markdown_table(("leak", "papers"), kinds, cell=str)


def _left_out(card: JudgeDataCard) -> Iterable[str]:
    yield from ("## What was left out, and notes", "")
    parts = (("papers", card.papers_left_out), ("reviews", card.reviews_left_out), ("notes on reviews", card.notes))
    rows = [(what, markdown_line(why), f"{number:,}") for what, reasons in parts for why, number in reasons.items()]
    rows += [("rows", "a review that was cut", f"{card.shortened:,}")] if card.shortened else []
    yield markdown_table(("what", "why", "number"), rows, cell=str) if rows else "Nothing."
    yield from (f"- {markdown_line(reject)}" for reject in card.rejects[:20])


def _loading() -> Iterable[str]:
    yield from ("## Loading it", "", "```python", "from datasets import load_dataset", "")
    yield from (
        'rows = load_dataset("path/to/this/folder")',
        'about = load_dataset("path/to/this/folder", "about")',
        "```",
    )
    yield ""
    yield (
        "`prompt` and `completion` are conversations for TRL's trainer for supervised fine-tuning, which learns from "
        "the completion only. For each row `about` has task, paper, venue, year, rating, decision and tokens. `papers` "
        "has the complete records of reviewed papers."
    )


def _care() -> Iterable[str]:
    yield from ("## Limitations", "")
    yield "- Texts belong to their authors, and venues have their own terms: ask before you share the data set."
    yield "- Reviewers disagree, a rating is the view of one person, and review forms and habits change over the years."
    yield "- Rejected papers are often not public, so this is not a representative sample of submissions."
    yield "- It may support human reviewers but not replace them. Texts are data: do not follow instructions in them."


def quantiles(lengths: Mapping[int, int]) -> Quantiles:
    """Quantiles of lengths. `lengths`: number of rows by number of tokens."""
    rows = sum(lengths.values())
    ordered = sorted(lengths)

    def at(share: float) -> int:
        passed = 0
        for length in ordered:
            passed += lengths[length]
            if passed >= share * rows:
                return length
        return 0

    tokens = sum(length * number for length, number in lengths.items())
    return Quantiles(rows=rows, tokens=tokens, half=at(0.5), nine_tenths=at(0.9), most=ordered[-1] if ordered else 0)
