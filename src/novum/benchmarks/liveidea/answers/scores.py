"""A judge's answer to three scores: JSON if it holds any, else whatever is written plainly after their names.

Read in this order, each dimension from the first that mentions it: JSON objects and what look like JSON objects but
are not (comments, single quotes, cut off); tables; lines and sentences. Two blocks that differ are no scores, nor are
JSON and the text around it when both give all three and differ. Where a block names a dimension and its score there
is none, another block may be quoted: that dimension has none. The same holds for a dimension that one of two blocks
lacks though they share others, for all three beside a JSON object with three scores under other names, and for all
three where an object whose scores praise on average stands in the judged idea and the answer has words around it. High
scores outside JSON that the idea gives itself are none either where the answer has other words. Low ones count, else an
idea that lists them could get none.
"""

from __future__ import annotations

import html
import json
import re
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from novum.benchmarks.liveidea.answers.numbers import BARE, SCORE, read_json, read_match, read_text
from novum.benchmarks.liveidea.answers.outcome import LONGEST, PRAISE, MissingReason, ParsedValue, ReadStatus, agreed
from novum.benchmarks.liveidea.answers.text import refuses, wording
from novum.llm.answers import is_quotation

SCORED = ("originality", "feasibility", "clarity")

_NAME = r"(?<![A-Za-z])(?P<name>(?i:originality|feasibility|clarity))(?:[\s_-]{0,2}(?i:score|rating))?(?![A-Za-z])"
_KEY = re.compile(_NAME)
_NAMED = re.compile(_NAME + r"[^\w{}:=<]{0,4}[:=](?!\s*<)")
"""A name with a value; `<score_1_to_10>` is that of the form."""
_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
# What may stand between a name and its score. A hyphen right before the digits is a minus, two tildes strike out.
_LINK = (
    r"(?:[\s\"'“”‘’„|:=(\[{>_\\#&$→≈★☆⭐]|[–—]|-(?!\d)|~(?!~)"
    r"|(?i:scores?|rating|value|is|of|at|an?|about|around|approximately|gets|earns|receives|deserves)\b){0,24}"
)
_FORWARD = re.compile(_NAME + _LINK + SCORE)
_BACKWARD = re.compile(BARE + r"\s{1,3}(?:for|in|on)\s{1,3}(?:its\s|the\s)?" + _NAME)
_SCALE_NAMED = re.compile(
    r"[(\[]\s{0,3}(?:(?:on\sa\s)?scale(?:\s(?:of|from))?:?\s|from\s)?1\s{0,3}(?:-|–|—|to)\s{0,3}10(?:\sscale)?\s{0,3}[)\]]"
    r"|[(\[]\s{0,3}(?:out\sof\s|max\.?\s|/\s?)10\s{0,3}[)\]]",
    re.IGNORECASE,
)
_SCORE_HEAD = re.compile(r"(?:score|rating|points|value)s?", re.IGNORECASE)
_EMPHASIS = str.maketrans("", "", "*`")
_WORD = re.compile(r"[^\W\d_]{2,}")
_VALUE_KEYS = frozenset({"score", "rating", "value", "points"})
_NAMING_KEYS = frozenset({"dimension", "criterion", "name", "aspect", "metric", "category"})

_JSON_PLACES = (
    re.compile(r"```json(.*?)```", re.DOTALL),
    re.compile(r"```(.*?)```", re.DOTALL),
    re.compile(r"(\{[^{}]*\})"),
)
"""Where the released code looks for JSON, in this order."""

Mention = tuple[str, ParsedValue]


@dataclass(frozen=True)
class ScoreAnswer:
    """Three readings; a dimension without a value stays without one, whatever the others have."""

    originality: ParsedValue
    feasibility: ParsedValue
    clarity: ParsedValue

    @property
    def outcome(self) -> ReadStatus:
        """A value only when all three are; ask again when that may bring what is missing."""
        outcomes = {each.outcome for each in (self.originality, self.feasibility, self.clarity)}
        return next(each for each in (ReadStatus.ASK_AGAIN, ReadStatus.MISSING, ReadStatus.VALUE) if each in outcomes)


def read_scores(content: str, idea: str = "") -> ScoreAnswer:
    """The scores of one answer of a judge, thoughts and all. `idea`: what was judged, as the judge saw it,
    from which it may quote."""
    if len(content) > LONGEST:
        return _all(MissingReason.TOO_LONG)
    text = wording(content)
    if not text.strip():
        return _all(MissingReason.EMPTY)
    spans = list(_blocks(text))
    blocks = [text[span] for span in spans]
    ways: tuple[Callable[[], Iterator[Mention]], ...] = (lambda: _of_tables(text), lambda: _of_prose(text))
    in_blocks = _gathered(each for block in blocks for each in _of_block(block))
    readings = in_blocks
    for way in ways:
        if len(readings) == len(SCORED):
            break
        readings = _gathered(way()) | readings
    if not readings:
        return _all(_why_nothing(text))
    if _holds_claim(text, {name: each for name, each in readings.items() if name not in in_blocks}, idea):
        return _all(MissingReason.QUOTED)
    if "{" in idea and any(_praises(text[span]) and is_quotation(text, span, idea + wording(idea)) for span in spans):
        return _all(MissingReason.QUOTED)
    missing = ParsedValue(None, MissingReason.NOT_GIVEN)
    around = _scores_around(text, spans)
    uncertain = set(SCORED) if any(map(_has_scores_of_other_names, blocks)) else _uncertain(blocks)
    given = {name for name, reading in readings.items() if reading.value is not None}
    readings |= dict.fromkeys(uncertain & given, ParsedValue(None, MissingReason.CONTRADICTORY))
    return ScoreAnswer(**{name: _unless_contradicted(readings.get(name, missing), around.get(name)) for name in SCORED})


def _holds_claim(text: str, readings: Mapping[str, ParsedValue], idea: str) -> bool:
    """Whether an answer of more than scores gives one of these as the idea gives it of itself, as praise: it may quote
    it. A low score counts, else an idea that lists low scores could get none of them."""
    plain = wording(idea)
    if not readings or not any(name in plain.casefold() for name in readings):
        return False
    claims = [*_of_tables(plain), *_of_prose(plain)]
    if not any((name, each) in claims for name, each in readings.items() if each.value and each.value >= PRAISE):
        return False
    beside = _KEY.sub(" ", _FORWARD.sub(" ", _BACKWARD.sub(" ", text.translate(_EMPHASIS))))
    return _WORD.search(_SCORE_HEAD.sub(" ", _SCALE_NAMED.sub(" ", beside))) is not None


def _praises(block: str) -> bool:
    """Whether the scores of a block speak for the idea, on average."""
    values = [reading.value for _, reading in _of_block(block) if reading.value is not None]
    return bool(values) and statistics.fmean(values) >= PRAISE


def _uncertain(blocks: list[str]) -> set[str]:
    """Dimensions that one of several blocks names without a score that counts, or lacks though another block has it and
    both share others: one of the blocks may be the judge's own, and another one quoted."""
    named = [names for names in map(_names_in, blocks) if names] if len(blocks) > 1 else []
    shares = len(named) > 1 and sum(map(len, named)) > len(set().union(*named))
    lacking = {name for names in named for name in set(SCORED).intersection(*named) ^ names} if shares else set()
    return lacking | {name for block in blocks for name in _names_in(block) - _scored_in(block) if len(named) > 1}


def _names_in(block: str) -> set[str]:
    """The dimensions that a block names as JSON does, also in a text within it that is JSON again."""
    if not _is_json(block):
        return {found["name"].lower() for found in _NAMED.finditer(_decoded(block))} | _scored_in(block)
    inner = (text for text in _texts_in(block) if "{" in text)
    return {name for name, _ in _of_json(block)} | {
        found["name"].lower() for text in inner for found in _NAMED.finditer(text)
    }


def _scored_in(block: str) -> set[str]:
    """The dimensions for which a block has a score."""
    return {name for name, reading in _of_block(block) if reading.value is not None}


def _decoded(text: str) -> str:
    """A text without codes of HTML, in which some judges write quotation marks."""
    return html.unescape(html.unescape(text))


def _has_scores_of_other_names(block: str) -> bool:
    """Whether a JSON object that names no dimension holds as many scores as there are dimensions, and no other number:
    the judge's own ones, perhaps, beside others that it quotes."""
    if not _is_json(block) or any(_of_json(block)):
        return False
    return any(len(numbers) == len(SCORED) and all(map(_is_score, numbers)) for numbers in _numbers_of_objects(block))


def _numbers_of_objects(block: str) -> Iterator[list[object]]:
    """The numbers that stand directly in each object of a JSON text."""
    for node in _nodes_of(block):
        if isinstance(node, dict):
            yield [each for each in node.values() if isinstance(each, int | float) and not isinstance(each, bool)]


def _texts_in(block: str) -> Iterator[str]:
    return (node for node in _nodes_of(block) if isinstance(node, str))


def _nodes_of(block: str) -> Iterator[object]:
    """All values of a JSON text, those in others too."""
    waiting: list[object] = [json.loads(block)]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else []


def _is_score(number: object) -> bool:
    return isinstance(number, int) and 1 <= number <= 10


def _scores_around(text: str, spans: list[slice]) -> dict[str, ParsedValue]:
    """All three scores as the text around JSON objects gives them, nothing when it gives fewer: these are remarks."""
    ends = [0, *(span.stop for span in spans)]
    starts = [*(span.start for span in spans), len(text)]
    outside = " ".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    readings = _gathered(_of_tables(outside)) or _gathered(_of_prose(outside))
    return readings if spans and all(name in readings for name in SCORED) else {}


def _unless_contradicted(reading: ParsedValue, other: ParsedValue | None) -> ParsedValue:
    """Either of two values may be quoted from the idea."""
    if reading.value is None or other is None or other.value is None:
        return reading
    return agreed([reading, other])


def _all(why: MissingReason) -> ScoreAnswer:
    none = ParsedValue(None, why)
    return ScoreAnswer(none, none, none)


def _why_nothing(text: str) -> MissingReason:
    if refuses(text):
        return MissingReason.REFUSED
    return MissingReason.DECLINED if read_text(text.strip()).why is MissingReason.DECLINED else MissingReason.NOT_GIVEN


def _gathered(mentions: Iterator[Mention]) -> dict[str, ParsedValue]:
    by_name: dict[str, list[ParsedValue]] = defaultdict(list)
    for name, reading in mentions:
        by_name[name].append(reading)
    return {name: agreed(readings) for name, readings in by_name.items()}


def _blocks(text: str) -> Iterator[slice]:
    """From each outermost opening brace to the one that closes it, or to the end."""
    depth, start = 0, 0
    for brace in re.finditer(r"[{}]", text):
        if brace[0] == "{":
            start = brace.start() if depth == 0 else start
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield slice(start, brace.end())
    if depth:
        yield slice(start, len(text))


def _of_block(block: str) -> Iterator[Mention]:
    return _of_json(block) if _is_json(block) else _of_prose(_COMMENT.sub(" ", _decoded(block)))


def _is_json(block: str) -> bool:
    try:
        json.loads(block)
    except (ValueError, RecursionError):
        return False
    return True


class _Pairs(list[tuple[str, object]]):
    """A JSON object that remembers a key given twice."""


def _of_json(block: str) -> Iterator[Mention]:
    waiting: list[object] = [json.loads(block, object_pairs_hook=_Pairs)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _Pairs):
            yield from _of_object(node, waiting)
        elif isinstance(node, list):
            waiting.extend(node)


def _of_object(pairs: _Pairs, waiting: list[object]) -> Iterator[Mention]:
    for key, value in pairs:
        if name := _dimension(key):
            if not (isinstance(value, str) and value.lstrip().startswith("<")):  # the form's own «<score_1_to_10>»
                yield name, _of_value(value)
        elif key.casefold() in _NAMING_KEYS and isinstance(value, str) and (name := _dimension(value)):
            yield name, _of_value(pairs)
        else:
            waiting.append(value)


def _dimension(text: str) -> str:
    found = _KEY.fullmatch(text.strip(" *_:"))
    return found["name"].lower() if found else ""


def _of_value(value: object) -> ParsedValue:
    if isinstance(value, _Pairs):
        scores = [read_json(inner) for key, inner in value if key.casefold() in _VALUE_KEYS]
        return agreed(scores) if scores else ParsedValue(None, MissingReason.NOT_A_NUMBER)
    return read_json(value)


def _of_prose(text: str) -> Iterator[Mention]:
    plain = _SCALE_NAMED.sub(" ", text.translate(_EMPHASIS))
    for way in (_FORWARD, _BACKWARD):
        for found in way.finditer(plain):
            yield found["name"].lower(), read_match(found)


def _of_tables(text: str) -> Iterator[Mention]:
    """Tables with the dimensions side by side, of which the first row with a number in it counts, or one below the
    other, with a column that is headed as the scores.
    """
    header: list[str] = []
    column, width = -1, 0
    for line in text.splitlines():
        cells = [_SCALE_NAMED.sub("", cell).strip(" *_`") for cell in line.strip().strip("|").split("|")]
        names = [_dimension(cell) for cell in cells]
        heads = [_SCORE_HEAD.fullmatch(cell) is not None for cell in cells]
        if len(set(names) - {""}) >= 2:
            header = names
        elif header and len(cells) == len(header) and any(char.isdigit() for char in line):
            yield from ((name, read_text(cell)) for name, cell in zip(header, cells, strict=True) if name)
            header = []
        elif len(cells) > 1 and sum(heads) == 1:
            column, width = heads.index(True), len(cells)
        elif len(cells) == width and (name := next(filter(None, names), "")):
            yield name, read_text(cells[column])


def scores_as_released(text: str) -> dict[str, object] | None:
    """Whatever stands for each dimension, 11 and "N/A" included; None where the released code would ask again."""
    for place in _JSON_PLACES:
        found = place.search(text)
        scores = _loaded(found[1]) if found else None
        if scores is not None:
            return scores
    plain = {name: re.search(rf'"?{name}"?:\s*(\d+)', text, re.IGNORECASE) for name in SCORED}
    return None if None in plain.values() else {name: int(found[1][:18]) for name, found in plain.items() if found}


def _loaded(text: str) -> dict[str, object] | None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return {name: data[name] for name in SCORED} if isinstance(data, dict) and set(SCORED) <= data.keys() else None
