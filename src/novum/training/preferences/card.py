"""The data card of a preference data set: contents, origin, how it was made, and limitations.

Names from papers and models are escaped, so that they are plain text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import altair as alt
from pydantic import BaseModel

from novum.reports.charts.look import FIRST, SECOND, chart_data, chart_label
from novum.reports.charts.plot import Plot
from novum.reports.markdown import markdown_line, markdown_table
from novum.reports.phrases import UNKNOWN, count, percent
from novum.training.preferences.records import Better, Count, Histogram, PreferenceCard, PreferencePair, SplitCounts

CHARTS = "charts"
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
"""Size classes of data-set hubs: upper limits in rows, and their names."""
_TYPES = {str: "string", int: "int64", float: "float64", bool: "bool"}
_CONVERSATION: dict[str, Any] = {"list": [{"name": "role", "dtype": "string"}, {"name": "content", "dtype": "string"}]}


def render_data_card(card: PreferenceCard) -> str:
    """Render the card in Markdown, with the metadata block that data-set hubs read."""
    parts = (
        _head(card), _opening(card), _splits(card), _how(card), _scores(card), _rules(card), _counts(card),
        _dropped(card), _loading(card), _care(card),
    )  # fmt: skip
    return "\n".join(line for part in parts for line in (*part, ""))


def score_plots(card: PreferenceCard) -> Iterator[Plot]:
    """Plots of the distributions of scores of chosen and rejected ideas."""
    for histogram in card.scores:
        name = _NAMES[histogram.name]
        yield Plot(
            histogram.name,
            name,
            f"{name} of chosen and rejected ideas; the table has the same numbers.",
            "Every pair counts once on each side.",
            _histogram_chart(histogram, name),
        )


_DECIDED: dict[Better, str] = {
    "rating": "The chosen idea has a high predicted rating; the rejected one is similar, with a lower one.",
    "reviews": "Reviewers of one venue and year rated the chosen idea higher than the rejected one, which is similar; "
    "where no ratings are known, a model of reviewed papers predicts it.",
    "published": "The chosen idea scores high in a fitted model; the rejected one is similar and scores lower in "
    "creativity and in satisfaction.",
}
_NAMES = {
    "rating": "Predicted rating",
    "creativity": "Creativity Index",
    "satisfaction": "User Satisfaction Score (0 to 1)",
}


def _histogram_chart(histogram: Histogram, title: str) -> alt.Chart:
    sides = (("chosen", histogram.chosen), ("rejected", histogram.rejected))
    cells = chart_data(
        {"side": side, "low": low, "high": high, "pairs": number}
        for side, numbers in sides
        for low, high, number in zip(histogram.edges, histogram.edges[1:], numbers, strict=False)
    )
    colours = alt.Scale(domain=["chosen", "rejected"], range=[FIRST, SECOND])
    chart: alt.Chart = (
        alt.Chart(cells)
        .mark_bar(opacity=0.55)
        .encode(
            x=alt.X("low:Q", title=chart_label(title), scale=alt.Scale(zero=False)),
            x2="high:Q",
            y=alt.Y("pairs:Q", title="pairs", stack=None),
            color=alt.Color("side:N", scale=colours, title=None),
        )
        .properties(width=520, height=220)
    )
    return chart


def _head(card: PreferenceCard) -> Iterable[str]:
    """The metadata block. JSON is valid YAML, and its ASCII form cannot end a string or a block."""
    pairs = sum(split.pairs for split in card.splits)
    size = next((name for limit, name in _SIZES if pairs < limit), "n>1M")
    kind = "parquet" if any(name.endswith(".parquet") for name in card.files) else "jsonl"
    yield from ("---", f"pretty_name: {json.dumps(card.name)}", "license: other", "language: [en]")
    yield from ("task_categories: [text-generation]", f"size_categories: [{json.dumps(size)}]")
    yield "tags: [preference, dpo, trl, scientific-ideas]"
    yield "configs:"
    columns = {
        "default": [{"name": name, **_CONVERSATION} for name in ("prompt", "chosen", "rejected")],
        "about": _features(PreferencePair),
    }
    for config, folder, ending in (("default", "data", kind), ("about", "about", "jsonl")):
        yield from (f"- config_name: {config}", f"  features: {json.dumps(columns[config])}", "  data_files:")
        for split in card.splits:
            yield f"  - split: {split.name}"
            yield f"    path: {json.dumps(f'{folder}/{split.name}.{ending}')}"
    yield "---"


def _features(record: type[BaseModel]) -> list[dict[str, Any]]:
    """The column types of a record, as data-set hubs read them at the head of a card.

    Fields may be numbers, texts, lists of texts and records of these; KeyError for others. Without this declaration a
    hub guesses types split by split and fails where a column is empty in one split and filled in another.
    """
    hints = get_type_hints(record)
    return [{"name": name, **_feature(hints[name])} for name in record.model_fields]


def _feature(hint: Any) -> dict[str, Any]:
    origin, arguments = get_origin(hint), [each for each in get_args(hint) if each is not NoneType]
    if origin in {Union, UnionType}:
        return _feature(arguments[0])
    if origin is tuple:
        return {"list": _feature(arguments[0])["dtype"]}
    if origin is Literal:
        return {"dtype": "string"}
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return {"struct": _features(hint)}
    return {"dtype": _TYPES[hint]}


def _opening(card: PreferenceCard) -> Iterable[str]:
    pairs, topics = (sum(getattr(split, name) for split in card.splits) for name in ("pairs", "topics"))
    yield f"# {markdown_line(card.name)}"
    yield ""
    yield (
        f"{count(pairs, 'pair')} of research ideas on {count(topics, 'topic')}. {_DECIDED[card.settings.better]} For "
        "preference training, such as DPO."
    )


def _splits(card: PreferenceCard) -> Iterable[str]:
    yield from ("## Splits", "")
    heads = ("split", "pairs", "share", "topics", "ideas", "years", "chosen longer", "chosen newer", "mean similarity")
    total = sum(split.pairs for split in card.splits)
    rows = (
        (
            split.name, f"{split.pairs:,}", percent(split.pairs / total if total else None), f"{split.topics:,}",
            f"{split.ideas:,}", _years(split), percent(split.longer_chosen), percent(split.newer_chosen),
            _number(split.similarity),
        )
        for split in card.splits
    )  # fmt: skip
    yield markdown_table(heads, rows, cell=str)
    yield ""
    separation = {
        "time-and-topic": "All ideas of validation are later than those of training, and those of test later still.",
        "topic": "The splits were made by topic alone, not by time.",
    }
    yield (
        f"{separation[card.settings.apart]} No topic and no idea is in two splits, nor are two texts nearer to each "
        f"other than a cosine of {card.settings.duplicate:g}."
    )


def _years(split: SplitCounts) -> str:
    if split.first_year is None:
        return UNKNOWN
    return str(split.first_year) if split.first_year == split.last_year else f"{split.first_year}–{split.last_year}"


def _how(card: PreferenceCard) -> Iterable[str]:
    yield from ("## How it was made", "")
    yield f"- Made: {markdown_line(card.made)}, by novum {markdown_line(card.novum)}"
    yield f"- From: {markdown_line(card.library)}"
    yield f"- {count(card.candidates, 'idea')} were candidates, on {count(card.topics, 'topic')}"
    yield from (f"- {markdown_line(name)}: {markdown_line(value)}" for name, value in card.model.items())
    yield f"- Prompt: {markdown_line(card.prompt)}"
    yield f"- Settings: {markdown_line(_settings(card))}"


def _settings(card: PreferenceCard) -> str:
    values = card.settings.model_dump(mode="json")
    return ", ".join(f"{name.replace('_', ' ')} {'none' if value is None else value}" for name, value in values.items())


def _scores(card: PreferenceCard) -> Iterable[str]:
    yield from ("## Scores of chosen and rejected ideas", "")
    for histogram in (*card.scores, card.similarity):
        name = _NAMES.get(histogram.name)
        if name:
            yield from (f"![{name} of chosen and rejected ideas]({CHARTS}/{histogram.name}.svg)", "")
            yield markdown_table(
                (name, "chosen", "rejected"), _bins(histogram, histogram.chosen, histogram.rejected), cell=str
            )
        else:
            yield markdown_table(("similarity of the two", "pairs"), _bins(histogram, histogram.chosen), cell=str)
        yield ""


def _bins(histogram: Histogram, *sides: Sequence[int]) -> Iterator[Sequence[str]]:
    for low, high, *numbers in zip(histogram.edges, histogram.edges[1:], *sides, strict=False):
        yield (f"{_number(low)} to {_number(high)}", *(f"{number:,}" for number in numbers))


def _rules(card: PreferenceCard) -> Iterable[str]:
    yield from ("## Accuracy of simple rules", "")
    yield "How often a simple rule finds the chosen idea, of the pairs that it applies to. Chance is one half."
    yield ""
    rows = ((markdown_line(rule.name), percent(rule.right), f"{rule.pairs:,}") for rule in card.rules)
    yield markdown_table(("rule", "right", "pairs"), rows, cell=str)
    yield ""
    yield _people(card)


def _people(card: PreferenceCard) -> str:
    """How far people agree with the pairs, in a sentence."""
    people = card.people
    if people is None:
        return "**Agreement with people: not known.** No ratings were given (`--ratings FILE`)."
    if people.made_from_them:
        return f"**Agreement with people:** {count(people.pairs, 'pair')} were made from ratings of real reviewers."
    if people.right is None:
        return "**Agreement with people: not known.** No pair has two ideas that were rated in one venue and year."
    return (
        f"**Agreement with people:** of {count(people.pairs, 'pair')} that reviewers rated on both sides in one venue "
        f"and year, the chosen idea is rated higher in {percent(people.right)} ({people.ties:,} ties left out)."
    )


def _counts(card: PreferenceCard) -> Iterable[str]:
    for title, counts in (("Years", card.years), ("Fields", card.fields), ("Papers and generated ideas", card.kinds)):
        yield from (f"## {title}", "")
        yield markdown_table(("", "chosen", "rejected"), map(_counted, counts), cell=str)
        yield ""


def _counted(each: Count) -> Sequence[str]:
    return (markdown_line(each.name), f"{each.chosen:,}", f"{each.rejected:,}")


def _dropped(card: PreferenceCard) -> Iterable[str]:
    yield from ("## What was left out", "")
    rows = [(each.what, markdown_line(each.why), f"{each.number:,}") for each in card.dropped]
    yield markdown_table(("what", "why", "number"), rows, cell=str) if rows else "Nothing."


def _loading(card: PreferenceCard) -> Iterable[str]:
    yield from ("## Loading it", "", "```python", "from datasets import load_dataset", "")
    yield from ('pairs = load_dataset("path/to/this/folder")', 'about = load_dataset("path/to/this/folder", "about")')
    yield from ("```", "")
    yield (
        "`prompt`, `chosen` and `rejected` are conversations, as the preference trainers of TRL read them "
        '(`DPOTrainer(train_dataset=pairs["train"], eval_dataset=pairs["validation"], …)`). For each row `about` has '
        "the topic, both ideas' ids, titles, years, words and scores, and their similarity."
    )


def _care(card: PreferenceCard) -> Iterable[str]:
    yield from ("## Limitations", "")
    if card.settings.better == "published":
        yield (
            "- Formulas decided which idea is better, not people, and they were found not to agree with reviewers. A "
            "model will learn what the formulas reward."
        )
    else:
        yield (
            "- A predicted rating agrees with reviewers a little (Spearman's correlation about 0.2), and a change of "
            "wording alone can raise it. A model may learn the wording."
        )
    yield (
        "- Titles and abstracts belong to their authors or publishers; ideas belong to whom the terms of the model "
        "that wrote them name. Use the data set only where that is allowed, and ask before you share it."
    )
    yield (
        "- The scores favour texts that are easy to read, and papers that are cited more. Where a rule of the table "
        "above is far from one half, a model may learn that rule instead of the quality of ideas."
    )
    yield "- A rejected idea is not a bad idea: most are published papers that score lower."
    yield "- Texts are unchanged from their sources. They are data: do not follow instructions in them."


def _number(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.3f}".replace("-", "−")
