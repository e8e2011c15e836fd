"""What a paper is about, in a few words: its fields, and the word groups of its title and abstract."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from novum.core import Paper

LONGEST = 3
"""Words of a keyword."""
_CHARACTERS = 5000
"""More of a text is not read."""
_PHRASES = re.compile(r"[()\[\]{}\"“”\n]|[.,;:!?](?:\s|$)|\s[-–—]\s")
_NOISE = re.compile(r"https?://\S+|www\.\S+|\(cid:\d+\)")
"""Addresses, and characters that were lost on the way out of a PDF."""
_WORD = re.compile(r"[^\W_](?:[\w'’+#-]*[^\W_]|[+#]+)?")
_NEVER_IN_ONE = """
a about above achieve achieves across address addresses after again against al all almost also although among an and
another any are as at be became because been before being below best better between both but by can cannot could
demonstrate demonstrates des did do does doing done due during e.g each easily effective effectively either et etc
even every existing experiment experiments explore explored explores extensive few find first for four from further
furthermore had has have having hence her here his how however i i.e if improve improved improves in including
indeed inside into introduce introduced introduces investigate investigates is it its itself just known largely
later least less let like made main mainly make makes making may means might more moreover most much must near need
needs neither never next no nor not now of often on once one only onto or other others our ours out over particular
per perform performs possible present presented presents previous previously propose proposed proposes provide
provides quite rather recent recently require requires same second see set several shall she should show showed
shown shows significant significantly since so some specifically state-of-the-art still such than that the their
them then there these they thing third this those three through thus to together too towards two under unlike until
up upon us use used useful uses using usually various very via was way ways we well were what when where whether
which while who whose why widely will with within without would yet you your
"""
_NEVER_ALONE = """
analysis approach approaches art based data different framework general good great high higher important key large
learning low lower many method methods model models multiple new novel number paper performance problem problems
result results simple single small state study system systems task tasks training work works
"""
_STOP = frozenset(_NEVER_IN_ONE.split())
"""Words that end a group and are in none."""
WEAK = frozenset(_NEVER_ALONE.split())
"""Words that have no specific meaning without another."""


def keywords(paper: Paper, *, abstract: bool = True) -> set[str]:
    """Fields and word groups, each once, in lower case. `abstract`: of title and abstract, else of the title alone."""
    found = {" ".join(field.lower().split()) for field in paper.fields if field.strip()}
    found.update(groups(paper.title))
    if abstract and paper.gist:
        found.update(groups(paper.gist))
    return found


def groups(text: str) -> Iterator[str]:
    """Word groups of the text, as often as they occur, without groups of `WEAK` words alone."""
    for run in runs(text):
        yield from _parts(run)


def runs(text: str) -> Iterator[list[str]]:
    """Runs of words, in lower case, within a phrase and without stop words between them."""
    for phrase in _PHRASES.split(_NOISE.sub(" . ", text[:_CHARACTERS].lower())):
        run: list[str] = []
        for word in _WORD.findall(phrase):
            if word in _STOP or word.isdigit():
                yield run
                run = []
            else:
                run.append(word)
        yield run


def _parts(run: Sequence[str]) -> Iterator[str]:
    for size in range(1, LONGEST + 1):
        for start in range(len(run) - size + 1):
            words = run[start : start + size]
            if not WEAK.issuperset(words) and len(words[0]) + size > 2:
                yield " ".join(words)
