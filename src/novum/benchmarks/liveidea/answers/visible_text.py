"""What a judge said, without its thoughts and the tags of HTML, full-width letters and digits made plain."""

from __future__ import annotations

import re

from novum.llm.answers import split_reasoning

_PLAIN = {0xFF01 + place: 0x21 + place for place in range(94)} | {0x3000: 0x20}
# Not all of Unicode's compatible forms: some of them make eighteen characters of one.
_TAG = re.compile(
    r"</?(?:b|strong|i|em|u|p|br|span|div|ul|ol|li|table|thead|tbody|tr|td|th|h[1-6])(?:\s[^<>]{0,200})?/?>",
    re.IGNORECASE,
)


def wording(content: str) -> str:
    """The text to read; empty where there are thoughts alone."""
    return _TAG.sub(" ", split_reasoning(content).text.translate(_PLAIN))
