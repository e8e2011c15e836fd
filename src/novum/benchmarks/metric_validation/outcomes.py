"""Read outcomes from JSON lines: reviews with ratings and decisions, and ideas that people scored.

A record of reviews has `reviews` and `decision`; one of scored ideas has `scores`. Ratings of different venues and
years are on different scales. They are kept as they are, and are compared only within one venue and year.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from novum.benchmarks.metric_validation.records import ACCEPTED, HIGHLIGHTED, OutcomeCase
from novum.core import Subject, normal_title
from novum.errors import BadInput
from novum.files.tables import LONGEST_ROW, NumberedRows, json_row
from novum.literature.importing.text_stream import TextStream, open_text
from novum.literature.store.database import DATABASE_FILE

RATINGS = (
    "rating", "originality", "novelty", "significance", "soundness", "quality", "clarity", "presentation",
    "contribution",
)  # fmt: skip
"""Ratings in a review; the mean over a paper's reviews is its outcome."""
MAX_OUTCOMES = 40
"""Names of outcomes in all files together; further names are left out and reported."""
_MAX_REPORTED = 20
_LOWEST, _HIGHEST = -10.0, 100.0
"""What a rating by a reviewer can be on any scale in use; others are slips, such as a year or a missing point."""
_MAX_TEXT, _MAX_NAME = 20_000, 300
_MAX_ITEMS, _MAX_KEYWORDS = 1000, 20
_LEADING_NUMBER = re.compile(r"\s*(-?\d{1,6}(?:\.\d{1,6})?)(?![\d.])")
_ENDINGS = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
_RESERVED = {ACCEPTED, HIGHLIGHTED}
_UNSETTLED = ("workshop", "withdraw", "unknown", "pending")


@dataclass
class OutcomeLog:
    """Numbers of records read and left out, over all files."""

    records: int = 0
    refused: int = 0
    other_sets: int = 0
    """Records of subsets that were not wanted."""
    why: list[str] = field(default_factory=list)
    """For the first refused lines: file, number, and reason."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Number of refused lines by reason, without the values in it."""
    out_of_range: int = 0
    """Ratings that no scale has, which count for nothing."""
    names: dict[str, None] = field(default_factory=dict)
    """Names of outcomes so far."""
    names_left_out: int = 0

    def refuse(self, file: Path, number: int, reason: str) -> None:
        """Counts a line that cannot be used."""
        self.refused += 1
        self.reasons[reason.partition(":")[0]] += 1
        if len(self.why) < _MAX_REPORTED:
            self.why.append(f"{file.name}, line {number}: {reason}")


def read_cases(files: Sequence[Path], log: OutcomeLog, subsets: Sequence[str] = ()) -> Iterator[OutcomeCase]:
    """The cases of all files in order. `subsets`: only these subsets of files of scored ideas; empty: all.

    Raises BadInput where a file cannot be read.
    """
    wanted = {each.casefold() for each in subsets}
    for file in files:
        for number, record in read_records(file):
            log.records += 1
            if isinstance(record, str):
                log.refuse(file, number, record)
            elif wanted and "set" in record and _line(record, "set").casefold() not in wanted:
                log.other_sets += 1
            else:
                case = _case(record, log, file.name)
                if isinstance(case, str):
                    log.refuse(file, number, case)
                else:
                    yield case


def check_files(files: Sequence[Path]) -> None:
    """Checks that all files can be read, before anything is scored. Raises BadInput."""
    for file in files:
        if not file.is_file():
            raise BadInput(f"{file} does not exist. Name files of reviews or of scored ideas (JSON lines, .gz too).")
        next(iter(read_records(file)), None)


def check_library(named: str) -> None:
    """Checks that a library exists: one that does not would be created, empty. Raises BadInput."""
    if "://" not in named and not (Path(named).expanduser() / DATABASE_FILE).is_file():
        raise BadInput(
            f"{named} holds no library ({DATABASE_FILE}). Name the folder of the one that the model was fitted to; "
            "`novum metrics fit` printed it."
        )


def _case(record: Mapping[str, Any], log: OutcomeLog, file: str) -> OutcomeCase | str:
    """The case, or what is missing in it. A paper's keywords are used as its topic."""
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
        topic=", ".join(each.strip() for each in _listed(record.get("keywords"))[:_MAX_KEYWORDS])[:_MAX_NAME],
        year=year,
        venue=venue,
        authors=tuple(_listed(record.get("authors"))),
    )
    accepted, highlighted, unsettled = parse_decision(_line(record, "decision"))
    if not subject.text.strip():
        return "no abstract or text"
    means, ratings = _ratings(record.get("reviews"), log)
    outcomes = means | _scores(record.get("scores"))
    decisions = {ACCEPTED: accepted, HIGHLIGHTED: highlighted}
    outcomes |= {name: value for name, value in decisions.items() if value is not None}
    return OutcomeCase(
        id=_key(record, subject),
        subject=subject,
        group=group_of(venue, year) or _line(record, "set") or file,
        outcomes=_limited(outcomes, log),
        ratings=ratings,
        unsettled=unsettled,
    )


def _key(record: Mapping[str, Any], subject: Subject) -> str:
    """The id with the title: files that number their records have the same id for different papers."""
    known = _line(record, "paper_id") or _line(record, "id") or subject.id
    return f"{known} {normal_title(subject.title) or subject.title}"


def group_of(venue: str, year: int | None) -> str:
    """`neurips 2025` for papers of one venue and year; empty where neither is known."""
    return " ".join(part for part in (normal_title(venue), str(year) if year else "") if part)


def parse_decision(text: str) -> tuple[float | None, float | None, str]:
    """Whether accepted (1, 0), whether highlighted (1, 0), and the text of a decision that is neither acceptance nor
    rejection."""
    words = text.casefold()
    if not words or any(each in words for each in _UNSETTLED):
        return None, None, text
    if "reject" in words:
        return 0.0, None, ""
    if any(each in words for each in ("oral", "spotlight", "notable", "award", "highlight")):
        return 1.0, 1.0, ""
    if "poster" in words:
        return 1.0, 0.0, ""
    return (1.0, None, "") if "accept" in words else (None, None, text)


def _ratings(reviews: object, log: OutcomeLog) -> tuple[dict[str, float], tuple[float, ...]]:
    """The mean of each rating over the reviews that give it, and the overall rating of each review. Ratings that no
    scale has are counted and left out."""
    given = [each for each in reviews[:_MAX_ITEMS] if isinstance(each, dict)] if isinstance(reviews, list) else []
    found = {name: [number for each in given if (number := _number(each.get(name))) is not None] for name in RATINGS}
    numbers = {name: [each for each in of if _LOWEST <= each <= _HIGHEST] for name, of in found.items()}
    log.out_of_range += sum(map(len, found.values())) - sum(map(len, numbers.values()))
    return {name: sum(of) / len(of) for name, of in numbers.items() if of}, tuple(numbers["rating"])


def _scores(scores: object) -> dict[str, float]:
    if not isinstance(scores, dict):
        return {}
    found = {
        _encodable(" ".join(str(name)[:_MAX_NAME].split())[:60]): _number(value)
        for name, value in list(scores.items())[:_MAX_ITEMS]
    }
    return {name: value for name, value in found.items() if name and value is not None and name not in _RESERVED}


def _limited(outcomes: dict[str, float], log: OutcomeLog) -> dict[str, float]:
    """Outcomes whose names are among the first `MAX_OUTCOMES`."""
    for name in outcomes:
        if name not in log.names and len(log.names) < MAX_OUTCOMES:
            log.names[name] = None
    known = {name: value for name, value in outcomes.items() if name in log.names}
    log.names_left_out += len(outcomes) - len(known)
    return known


def _number(value: object) -> float | None:
    """A number, or the number at the beginning of a text such as `6: marginally above`."""
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
    return _encodable(" ".join(value[: 4 * _MAX_NAME].split())[:_MAX_NAME]) if isinstance(value, str) else ""


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return _encodable(value[:_MAX_TEXT]) if isinstance(value, str) else ""


def _listed(value: object) -> list[str]:
    given = value[:_MAX_ITEMS] if isinstance(value, list) else []
    return [_encodable(each[:_MAX_NAME]) for each in given if isinstance(each, str)]


def _encodable(text: str) -> str:
    """The text without lone surrogates, which JSON allows and files and tokenizers do not."""
    return text.encode("utf-8", "replace").decode()


def read_records(file: Path) -> NumberedRows:
    """The records of a file of JSON lines, also gzipped, in bounded memory.

    Raises BadInput where the file cannot be read or has another ending.
    """
    if not file.name.lower().endswith(_ENDINGS):
        raise BadInput(f"{file} is none of {', '.join(_ENDINGS)}: save the records as JSON lines.")
    with open_text(file) as stream:
        number = 0
        for number, line in enumerate(_lines(stream), 1):
            if line is None:
                yield number, f"longer than {LONGEST_ROW:,} bytes"
            elif line.strip():
                yield number, json_row(line.decode("utf-8", "replace"))
        if stream.damage:
            yield number, stream.damage


def _lines(stream: TextStream) -> Iterator[bytes | None]:
    """The lines; None for one that is too long, which is skipped."""
    pending, too_long = bytearray(), False
    while piece := stream.chunk():
        head, *more = piece.split(b"\n")
        pending += head
        for following in more:
            yield None if too_long or len(pending) > LONGEST_ROW else bytes(pending)
            pending, too_long = bytearray(following), False
        if len(pending) > LONGEST_ROW:
            pending, too_long = bytearray(), True
    if pending or too_long:
        yield None if too_long else bytes(pending)
