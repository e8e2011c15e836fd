"""Forms on which experts compare ideas without knowing who wrote them, and their answers (sections 5.1 and A.5).

For each expert there is a text with pairs of ideas, and a table to fill in: one grade of idea A compared with idea B
for each criterion. Which idea is whose stands in a file of its own.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from novum.core import Idea, content_id
from novum.core.record import Value
from novum.errors import BadInput
from novum.files.atomic import write_all_atomic
from novum.files.inputs import read_plain
from novum.files.tables import csv_text
from novum.reports.markdown import markdown_document, markdown_line
from novum.statistics.win_rates import GRADES, Grade, expert_share
from novum.training.next_idea.evaluation.records import Evaluation, ExpertCell, ideas_of

CRITERIA = ("novelty", "feasibility", "effectiveness", "detailedness")
KEY = "key.json"
_HEADS = ("pair", "category", "criterion", "grade", "reason")
_OPPOSITE: Mapping[Grade, Grade] = {
    "much better": "much worse", "better": "worse", "worse": "better", "much worse": "much better",
    "both bad": "both bad",
}  # fmt: skip


class PairKey(Value):
    """Who wrote the ideas of one pair. `first`: whether idea A is the subject's."""

    category: str
    opponent: str
    first: bool


def write_forms(evaluation: Evaluation, folder: Path, experts: int, pairs: int, seed: int = 0) -> list[Path]:
    """Write the forms of so many experts, with at most `pairs` pairs of each category each. Raises BadInput without
    pairs, or when the folder cannot be written."""
    every = _pairs(evaluation)
    if not every:
        raise BadInput("Forms compare the first model with others: name at least two models with --model.")
    keys: dict[str, PairKey] = {}
    contents: dict[Path, str | bytes] = {}
    for expert in range(1, experts + 1):
        draw = random.Random(content_id("expert", [seed, expert]))  # noqa: S311  not for secrets
        chosen = _chosen(every, pairs, draw)
        shown = []
        for number, (category, opponent, own, other) in enumerate(chosen, 1):
            first, name = draw.random() < 0.5, f"E{expert}-{number}"
            keys[name] = PairKey(category=category, opponent=opponent, first=first)
            shown.append((name, category, own, other) if first else (name, category, other, own))
        contents[folder / f"expert-{expert}.md"] = _text(shown)
        contents[folder / f"expert-{expert}.csv"] = _table(shown)
    contents[folder / KEY] = json.dumps({name: key.model_dump() for name, key in keys.items()}, indent=1)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_all_atomic(contents)
    except OSError as error:
        raise BadInput(f"The forms cannot be written to {folder}: {error.strerror or error}.") from error
    return list(contents)


Pair = tuple[str, str, Idea, Idea]


def _pairs(evaluation: Evaluation) -> list[Pair]:
    own = {each.context_id: each for each in ideas_of(evaluation.ideas, evaluation.subject)}
    return [
        (each.category, model, own[each.context_id].final, each.final)
        for model in evaluation.models[1:]
        for each in ideas_of(evaluation.ideas, model)
        if each.context_id in own
    ]


def _chosen(every: Sequence[Pair], most: int, draw: random.Random) -> list[Pair]:
    categories = dict.fromkeys(each[0] for each in every)
    chosen: list[Pair] = []
    for category in categories:
        own = [each for each in every if each[0] == category]
        chosen += draw.sample(own, min(most, len(own)))
    return chosen


def _text(shown: Sequence[tuple[str, str, Idea, Idea]]) -> str:
    blocks = [
        "# Comparing research ideas",
        "For each pair, say how idea A compares with idea B by each of four criteria, in the table beside this text. "
        f"The grades are: {', '.join(GRADES)}. A pair of which both ideas are bad is not counted.",
        "Novelty: is the approach new? Feasibility: can it be carried out? Effectiveness: would it solve the problem? "
        "Detailedness: is it complete and specific?",
    ]
    for name, category, first, second in shown:
        blocks += [
            f"## Pair {name} ({markdown_line(category)})",
            "### Idea A",
            *_idea(first),
            "### Idea B",
            *_idea(second),
        ]
    return markdown_document(blocks)


def _idea(idea: Idea) -> list[str]:
    return [markdown_line(each) for each in idea.text.split("\n\n") if each.strip()]


def _table(shown: Sequence[tuple[str, str, Idea, Idea]]) -> str:
    rows = [(name, category, criterion, "", "") for name, category, _, _ in shown for criterion in CRITERIA]
    return csv_text(_HEADS, rows)


def read_ratings(files: Sequence[Path]) -> tuple[ExpertCell, ...]:
    """The answers of experts, by category, opponent and criterion. Empty grades are left out. Raises BadInput for a
    file that is no such table, an unknown pair, a grade that is none, and what is given twice."""
    counts: dict[tuple[str, str, str], Counter[Grade]] = {}
    if len({each.resolve() for each in files}) < len(files):
        raise BadInput("One form is named twice by --ratings. Name each once.")
    for file in files:
        keys, graded = _keys(file.parent / KEY), set[tuple[str, str]]()
        for line, row in enumerate(_rows(file), 2):
            grade = " ".join((row.get("grade") or "").lower().split())
            if not grade:
                continue
            place, told = f"{file}:{line}", keys.get(row.get("pair") or "")
            if told is None:
                raise BadInput(f"{place}: there is no pair {row.get('pair')!r} in {KEY}. Do not change that column.")
            known = next((each for each in GRADES if each == grade), None)
            if known is None or row.get("criterion") not in CRITERIA:
                raise BadInput(f"{place}: {grade!r} is none of: {', '.join(GRADES)}.")
            if (judged := (str(row["pair"]), str(row["criterion"]))) in graded:
                raise BadInput(f"{place}: pair {judged[0]!r} is graded twice on {judged[1]}. Leave one line of it.")
            graded.add(judged)
            cell = (told.category, told.opponent, str(row["criterion"]))
            counts.setdefault(cell, Counter())[known if told.first else _OPPOSITE[known]] += 1
    return tuple(
        ExpertCell(
            category=category, opponent=opponent, criterion=criterion, counts=dict(found), share=expert_share(found)
        )
        for (category, opponent, criterion), found in sorted(counts.items())
    )


def _rows(file: Path) -> list[dict[str, str]]:
    try:
        rows = list(csv.DictReader(io.StringIO(read_plain(file).decode("utf-8-sig"))))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadInput(
            f"{file} cannot be read: {error}. It must be a filled-in form of this evaluation (CSV)."
        ) from error
    if rows and not set(_HEADS[:4]) <= rows[0].keys():
        raise BadInput(f"{file} is no form of this evaluation: it needs the columns {', '.join(_HEADS[:4])}.")
    return rows


def _keys(file: Path) -> dict[str, PairKey]:
    try:
        return {name: PairKey.model_validate(key) for name, key in json.loads(read_plain(file).decode()).items()}
    except (OSError, ValueError, AttributeError) as error:
        raise BadInput(f"{file} cannot be read: keep it beside the filled-in forms.") from error
