"""A literature made up for tests: concepts of a few communities, met by papers that mostly stay in one of them."""

from __future__ import annotations

import random

from novum.core import Paper
from novum.literature import Entry, Library, Reference

_ONSETS, _ENDS = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r"], ["anto", "elka", "imur", "orvex", "ulin"]
NAMES = [f"{onset}{end} {end[:2]}{onset}{end[1:]}" for onset in _ONSETS for end in _ENDS]
"""Fifty concepts of two words each, that stand nowhere else; those of one first letter are a community."""
_FILLER = "We show that {one} and {other} go together. It is then asked whether {third} helps."


def literature(papers=600, years=12, first=2008, seed=0, **same):
    """Papers with three concepts each, which come up one after the other; each cites an earlier paper of its
    community."""
    rng = random.Random(seed)
    by_head: dict[str, list[int]] = {}
    for number in range(papers):
        known = NAMES[: 20 + 30 * number // papers]
        head = rng.choice(sorted({name[0] for name in known}))
        own = [name for name in known if name.startswith(head)]
        one, other, third = (_drawn(rng, own if rng.random() < 0.5 else known) for _ in range(3))
        fields = {
            "title": f"The {one} of {other} with {third}: report {number}",
            "abstract": _FILLER.format(one=one, other=other, third=third),
            "year": first + number * years // papers,
            "venue": f"Annals of {head}",
            "fields": (head,),
            "citation_count": int(rng.paretovariate(1.1)),
        }
        cited = rng.sample(by_head.get(head, []), min(2, len(by_head.get(head, []))))
        by_head.setdefault(head, []).append(number)
        references = tuple(Reference(scheme="key", value=f"row/{each}") for each in cited)
        yield Entry(paper=Paper(**(fields | same)), key=f"row/{number}", references=references)


def _drawn(rng, names):
    """The earlier ones more often: what is known gets known better."""
    return rng.choices(names, [1 / (2 + place) for place in range(len(names))])[0]


def library_of(folder, entries):
    """A library that holds them, open."""
    library = Library.open(folder)
    library.add(entries)
    return library


def paper(title, year, abstract="", key="", cites=(), **more):
    """One entry."""
    references = tuple(Reference(scheme="key", value=each) for each in cites)
    return Entry(paper=Paper(title=title, year=year, abstract=abstract, **more), key=key, references=references)
