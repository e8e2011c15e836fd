"""Files of outcomes as cases: reviews with ratings and decisions, and ideas that people scored.

A record of reviews has `reviews` and `decision`; one of scored ideas has `scores`. Ratings of different venues and
years are on different scales; they stay as they are here, and are compared only inside one venue and year.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from novum.benchmarks.metric_validation.json_lines import read_records
from novum.benchmarks.metric_validation.records import ACCEPTED, HIGHLIGHTED, Case
from novum.core import Subject, normal_title
from novum.errors import BadInput

RATINGS = (
    "rating", "originality", "novelty", "significance", "soundness", "quality", "clarity", "presentation",
    "contribution",
)  # fmt: skip
"""Of a review; the mean over a paper's reviews is its outcome."""
MOST_NAMES = 40
"""Different outcomes of one reading; further names are left out and told."""
_TOLD = 20
_LONGEST_TEXT, _LONGEST_NAME = 20_000, 300
_MOST_LISTED, _MOST_KEYWORDS = 1000, 20
_LEADING_NUMBER = re.compile(r"\s*(-?\d{1,6}(?:\.\d{1,6})?)(?![\d.])")
_LATER_FATE = ("workshop", "withdraw", "unknown", "pending")


@dataclass
class Reading:
    """What became of the lines of all files."""

    records: int = 0
    refused: int = 0
    other_sets: int = 0
    """Records of sets that were not asked for."""
    why: list[str] = field(default_factory=list)
    """Of the first refused lines: file, number, and what is wrong."""
    names: dict[str, None] = field(default_factory=dict)
    """Outcomes met so far."""
    names_left_out: int = 0

    def refuse(self, file: Path, number: int, reason: str) -> None:
        self.refused += 1
        if len(self.why) < _TOLD:
            self.why.append(f"{file.name}, line {number}: {reason}")


def read_cases(files: Sequence[Path], reading: Reading, sets: Sequence[str] = ()) -> Iterator[Case]:
    """The cases of all files in order. `sets`: of files of scored ideas only records of these sets.

    Raises BadInput where a file cannot be read.
    """
    wanted = {each.casefold() for each in sets}
    for file in files:
        for number, record in read_records(file):
            reading.records += 1
            if isinstance(record, str):
                reading.refuse(file, number, record)
            elif wanted and "set" in record and _line(record, "set").casefold() not in wanted:
                reading.other_sets += 1
            else:
                case = _case(record, reading, file.name)
                if isinstance(case, str):
                    reading.refuse(file, number, case)
                else:
                    yield case


def check_files(files: Sequence[Path]) -> None:
    """Found out before anything is scored. Raises BadInput."""
    for file in files:
        if not file.is_file():
            raise BadInput(f"{file} is no file: name files of reviews or of scored ideas (JSON lines, .gz too).")
        next(iter(read_records(file)), None)


def _case(record: Mapping[str, Any], reading: Reading, file: str) -> Case | str:
    """The case, or what is missing of it. A paper's own keywords stand for what its reader asked for."""
    title = _line(record, "title")
    if not title.strip():
        return "no title"
    if (
        not isinstance(record.get("reviews"), list)
        and not isinstance(record.get("scores"), dict)
        and ("decision" not in record)
    ):
        return "neither reviews nor a decision nor scores"
    venue, year = _line(record, "venue"), _year(record.get("year"))
    subject = Subject(
        title=title,
        text=_text(record, "abstract") or _text(record, "text"),
        topic=", ".join(each.strip() for each in _listed(record.get("keywords"))[:_MOST_KEYWORDS])[:_LONGEST_NAME],
        year=year,
        venue=venue,
        authors=tuple(_listed(record.get("authors"))),
    )
    accepted, highlighted, unsettled = decision_in(_line(record, "decision"))
    told = {ACCEPTED: accepted, HIGHLIGHTED: highlighted}
    found = _ratings(record.get("reviews")) | _scores(record.get("scores"))
    found |= {name: value for name, value in told.items() if value is not None}
    return Case(
        id=_key(record, subject),
        subject=subject,
        group=group_of(venue, year) or _line(record, "set") or file,
        outcomes=_known(found, reading),
        unsettled=unsettled,
    )


def _key(record: Mapping[str, Any], subject: Subject) -> str:
    """An id with the title: files that merely count their records give one number to different papers."""
    known = _line(record, "paper_id") or _line(record, "id") or subject.id
    return f"{known} {normal_title(subject.title) or subject.title}"


def group_of(venue: str, year: int | None) -> str:
    """`neurips 2025`: papers of one venue and year; empty where neither is known."""
    return " ".join(part for part in (normal_title(venue), str(year) if year else "") if part)


def decision_in(words: str) -> tuple[float | None, float | None, str]:
    """Accepted (1, 0), shown above others (1, 0), and what is neither acceptance nor rejection, in words."""
    said = words.casefold()
    if not said or any(each in said for each in _LATER_FATE):
        return None, None, words
    if "reject" in said:
        return 0.0, None, ""
    if any(each in said for each in ("oral", "spotlight", "notable", "award", "highlight")):
        return 1.0, 1.0, ""
    if "poster" in said:
        return 1.0, 0.0, ""
    return (1.0, None, "") if "accept" in said else (None, None, words)


def _ratings(reviews: object) -> dict[str, float]:
    """The mean of each rating over the reviews that give it."""
    given = [each for each in reviews[:_MOST_LISTED] if isinstance(each, dict)] if isinstance(reviews, list) else []
    numbers = {name: [number for each in given if (number := _number(each.get(name))) is not None] for name in RATINGS}
    return {name: sum(found) / len(found) for name, found in numbers.items() if found}


def _scores(scores: object) -> dict[str, float]:
    if not isinstance(scores, dict):
        return {}
    found = {
        _whole(" ".join(str(name)[:_LONGEST_NAME].split())[:60]): _number(value)
        for name, value in list(scores.items())[:_MOST_LISTED]
    }
    return {name: value for name, value in found.items() if name and value is not None and name not in _RESERVED}


_RESERVED = {ACCEPTED, HIGHLIGHTED}


def _known(found: dict[str, float], reading: Reading) -> dict[str, float]:
    """Those whose names are among the first that were met."""
    for name in found:
        if name not in reading.names and len(reading.names) < MOST_NAMES:
            reading.names[name] = None
    kept = {name: value for name, value in found.items() if name in reading.names}
    reading.names_left_out += len(found) - len(kept)
    return kept


def _number(value: object) -> float | None:
    """A number, or what a mark such as `6: marginally above` begins with."""
    if isinstance(value, str) and (match := _LEADING_NUMBER.match(value)):
        return float(match[1])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e9 and math.isfinite(value) else None


def _year(value: object) -> int | None:
    number = _number(value)
    return int(number) if number is not None and 1000 <= number <= 2200 else None


def _line(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return _whole(" ".join(value[: 4 * _LONGEST_NAME].split())[:_LONGEST_NAME]) if isinstance(value, str) else ""


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return _whole(value[:_LONGEST_TEXT]) if isinstance(value, str) else ""


def _listed(value: object) -> list[str]:
    given = value[:_MOST_LISTED] if isinstance(value, list) else []
    return [_whole(each[:_LONGEST_NAME]) for each in given if isinstance(each, str)]


def _whole(text: str) -> str:
    """Without halves of surrogate pairs, which JSON can hold and no file or tokenizer can."""
    return text.encode("utf-8", "replace").decode()
