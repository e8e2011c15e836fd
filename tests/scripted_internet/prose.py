"""Titles and abstracts as templates whose slots are filled from a topic's vocabulary.

A slot is `{X}`: S subject, A aspect, P aspect as a phrase, s word of the subject, a word of the aspect, f word of the
field, m method, c the paper's own coined term, r the coined term of a paper that it cites, x word of another subject.
"""

from __future__ import annotations

import re

SLOT = re.compile(r"\{([SAPsafmcrx])\}")

TITLES = (
    "{S} {P}: the {c} hypothesis",
    "{c} and the {s} of {S} {P}",
    "A {m} of {S} {P}: evidence on {c}",
    "{S} {P} and the {a} of {c}",
    "Rethinking {S} {P}: {c}, {s} and {a}",
    "{c} {f} in {S} {P}",
    "On {s} and {a}: {S} {P} in the light of {c}",
    "The {f} of {S}: {c} {P}",
    "{S} and {x}: {c} revisited {P}",
    "Toward an account of {c} in {S} {P}",
)
"""Of articles. Every one names the subject, the aspect and the paper's own term."""
NOTICES = (
    "Editorial: new perspectives on {S} {P}",
    "Correction to: {S} {P} and {c}",
    "Front Matter",
    "Letter to the editor: comments on {c} in {S}",
    'Review for "{S} {P}: the {c} hypothesis"',
)
"""Titles of what is no article, in the order of `corpus.NOTICE_KINDS`."""

OPENINGS = (
    "{S} {P} have long been studied, yet the role of {s} remains unclear.",
    "Research on {S} has mostly neglected {A}, although {a} and {s} are closely linked.",
    "Little is known about {s} in {S} {P}.",
    "Debates on {A} rarely consider {S}, and {f} is seldom measured.",
)
BACKGROUNDS = (
    "The {r} account holds that {s} depends on {a}, but the {f} evidence for it is limited.",
    "Building on {r}, we ask whether {s} can explain differences in {a}.",
    "Earlier work proposed {r} to connect {f} with {s}.",
    "In contrast to {r}, we treat {a} and {x} together.",
)
METHODS = (
    "We combine {m} with {m} of {f} and {s}.",
    "Using {m}, we compare {s}, {s} and {f} across several cases.",
    "Here we apply {m} to a large collection of {f} data on {a}.",
    "A {m} was designed to separate {s} from {a}.",
)
RESULTS = (
    "We find that {s} increases with {a}, an effect that we call {c}.",
    "The results show that {c} accounts for a large part of the variation in {s} and {f}.",
    "Contrary to expectation, {a} had little influence on {s}, whereas {c} did.",
    "Both {s} and {f} respond to {a} through {c}.",
)
DETAILS = (
    "The effect persists when {f} and {x} are controlled for.",
    "It is strongest where {a} coincides with {s}.",
    "A reanalysis of the {r} data supports this reading.",
    "Neither {f} nor {a} alone is sufficient.",
)
CLOSINGS = (
    "These findings suggest a revised understanding of {S} {P}.",
    "We discuss what {c} implies for {A} and for future work on {s}.",
    "The approach may be extended to {x} and to other aspects of {f}.",
    "Open questions concern the {a} of {S} and the limits of {c}.",
)
SENTENCES = (OPENINGS, BACKGROUNDS, METHODS, RESULTS, DETAILS, CLOSINGS)
"""An abstract is one sentence of each, in this order."""


def slots(template: str) -> list[str]:
    """The kinds of a template's slots, in order."""
    return SLOT.findall(template)
