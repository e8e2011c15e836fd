"""Splits text in which every field begins with a tag: RIS (`TY  - JOUR`) and PubMed's NBIB (`PMID- 123`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
"""Not `str.splitlines`, which also splits at characters that stand inside titles and abstracts."""


@dataclass(frozen=True)
class TagForm:
    """How the lines of a format look. `tag` matches a line; its groups are the tag and its value."""

    tag: re.Pattern[str]
    start: str
    """The tag with which a record begins."""
    end: str = ""
    """The tag after which a record is complete, if the format has one."""


@dataclass
class TaggedRecord:
    """The fields of one record, in order. `line`: where it begins, counted from 1."""

    line: int
    fields: list[tuple[str, list[str]]] = field(default_factory=list)
    """A tag, and the lines of its value."""

    def values(self, *tags: str) -> list[str]:
        """The values of these tags that are not empty, tag by tag, each on one line."""
        found = [" ".join(parts) for wanted in tags for tag, parts in self.fields if tag == wanted]
        return [value for value in found if value.strip()]

    def lines(self, tag: str) -> list[str]:
        """The lines of all values of a tag, for values of which each line is one."""
        return [line for found, parts in self.fields if found == tag for line in parts if line.strip()]

    def value(self, *tags: str) -> str:
        """The first of `values`; empty when there is none."""
        return next(iter(self.values(*tags)), "")


def tagged_records(text: str, form: TagForm) -> Iterator[TaggedRecord]:
    """The records of a text.

    A record ends at its end tag or where the next one begins, so that a missing end tag does not join two papers. What
    stands between records is passed over: databases write their queries and counters there. A line without a tag
    continues the value before it.
    """
    record: TaggedRecord | None = None
    for number, line in enumerate(_lines(text), 1):
        tagged = form.tag.match(line)
        tag = tagged.group(1) if tagged else ""
        if tag == form.start:
            if record:
                yield record
            record = TaggedRecord(number)
        if record is None:
            continue
        if tag and tag == form.end:
            yield record
            record = None
        elif tagged:
            record.fields.append((tag, [tagged.group(2).strip()]))
        elif continued := line.strip():
            record.fields[-1][1].append(continued)
    if record:
        yield record


def _lines(text: str) -> Iterator[str]:
    return (match.group() for match in _LINE.finditer(text))
