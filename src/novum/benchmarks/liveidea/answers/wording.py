"""What a judge said, without its thoughts, full-width letters and digits made plain."""

from __future__ import annotations

from novum.llm.answers import split_reasoning

_PLAIN = {0xFF01 + place: 0x21 + place for place in range(94)} | {0x3000: 0x20}
# Not all of Unicode's compatible forms: some of them make eighteen characters of one.


def wording(content: str) -> str:
    """The text to read; empty where there are thoughts alone."""
    return split_reasoning(content).text.translate(_PLAIN)
