"""How many words a text has, also where words are not set apart.

A word is what stands between spaces and holds a letter or digit. In scripts written without spaces, two Chinese
characters or kana make a word, or five letters of Thai, Lao, Khmer or Burmese: what translators reckon with, so that a
limit in words asks the same of every language. Korean has spaces.
"""

from __future__ import annotations

import math
import re

_HAN_AND_KANA = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_SOUTH_EAST = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_LETTER = re.compile(r"[^\W_]")


def count_words(text: str) -> int:
    """Words of a text, by the rule above; parts of a word in scripts without spaces are rounded up once."""
    rest, han = _HAN_AND_KANA.subn(" ", text)
    rest, south_east = _SOUTH_EAST.subn(" ", rest)
    return sum(_LETTER.search(piece) is not None for piece in rest.split()) + math.ceil(han / 2 + south_east / 5)
