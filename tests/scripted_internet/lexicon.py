"""The vocabulary of the invented literature: 40 fields of ten subjects and five aspects each, hence 2,000 topics.

`lexicon.txt` holds a field a line (name, area of science, category at arXiv, group, words, methods), followed by its
subjects and, marked with `@`, its aspects, each with words of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("lexicon.txt")
_JOINTS = (
    "in the ",
    "on the ",
    "in ",
    "on ",
    "and its ",
    "and ",
    "under ",
    "with ",
    "for ",
    "from ",
    "after ",
    "among ",
)
"""What may stand before the name of an aspect, which is searched for without it."""


@dataclass(frozen=True)
class Part:
    """A subject or an aspect: how it is called in a title, its bare name, and its words."""

    phrase: str
    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Field:
    """A field of science. `group`: human, life, earth, physics or computing; `arxiv`: its category, or empty."""

    name: str
    area: str
    arxiv: str
    group: str
    words: tuple[str, ...]
    methods: tuple[str, ...]
    subjects: tuple[Part, ...]
    aspects: tuple[Part, ...]


@dataclass(frozen=True)
class Topic:
    """A subject of a field under one of its aspects."""

    field: Field
    subject: Part
    aspect: Part

    @property
    def name(self) -> str:
        """As a researcher would write it: `trade guilds in Flanders`."""
        return f"{self.subject.name} {self.aspect.phrase}"


@cache
def fields() -> tuple[Field, ...]:
    """All fields, in the order of the file."""
    blocks: list[list[str]] = []
    for line in FILE.read_text("utf-8").splitlines():
        if "|" in line:
            blocks.append([])
        blocks[-1].append(line)
    return tuple(map(_field, blocks))


@cache
def topics() -> tuple[Topic, ...]:
    """All topics; those of the benchmark come first."""
    found = [
        Topic(field, subject, aspect) for field in fields() for subject in field.subjects for aspect in field.aspects
    ]
    return tuple(sorted(found, key=lambda topic: topic.name not in QUERIES))


def _field(lines: list[str]) -> Field:
    name, area, arxiv, group, words, methods = (part.strip() for part in lines[0].split("|"))
    parts = [(line.startswith("@"), _part(line.removeprefix("@"))) for line in lines[1:]]
    return Field(
        name=name,
        area=area,
        arxiv=arxiv.strip("-"),
        group=group,
        words=tuple(words.split()),
        methods=tuple(method.strip() for method in methods.split(",")),
        subjects=tuple(part for is_aspect, part in parts if not is_aspect),
        aspects=tuple(part for is_aspect, part in parts if is_aspect),
    )


def _part(line: str) -> Part:
    phrase, _, words = line.strip().partition(": ")
    joint = next((joint for joint in _JOINTS if phrase.startswith(joint)), "")
    return Part(phrase, phrase.removeprefix(joint), tuple(words.split()))


QUERIES: dict[str, tuple[str, ...]] = {
    "trade guilds in Flanders": (
        "guild privileges medieval Flanders",
        "craft statutes and apprentices in Ghent and Bruges",
        "How did trade guilds regulate masters and apprentices in the cloth towns of Flanders?",
    ),
    "tuberculosis drug resistance": (
        "rifampicin isoniazid resistance tuberculosis",
        "mycobacterium mutations susceptibility",
        "Which mutations make tuberculosis isolates resistant to standard regimens?",
    ),
    "mountain glaciers retreat in the Alps": (
        "alpine glacier mass-balance",
        "mountain glaciers ablation Valais Tyrol",
        "How fast do mountain glaciers in the Alps shrink, and what drives their ablation?",
    ),
    "Bantu phonology and its reconstruction": (
        "Bantu tone reconstruction",
        "vowel harmony proto-language Bantu",
        "What do tone and vowel correspondences tell about the proto-language of Bantu?",
    ),
    "coral bleaching under marine heatwaves": (
        "coral bleaching heat mortality",
        "marine heatwave recovery of corals",
        "Why do some coral colonies survive marine heatwaves without bleaching?",
    ),
    "cheese ripening microbial communities": (
        "cheese ripening lactobacilli succession",
        "rennet curd proteolysis strains",
        "Which microbial strains decide how a cheese ripens and tastes?",
    ),
    "icon painting pigments in Byzantium": (
        "Byzantine icon pigments",
        "cinnabar azurite panels gilding",
        "Which pigments did painters of icons use in Constantinople?",
    ),
    "microbial respiration in boreal forests": (
        "soil microbial respiration boreal",
        "carbon decomposition spruce taiga",
        "How does microbial respiration control the carbon of boreal forest soils?",
    ),
    "dental implants in diabetic patients": (
        "implant osseointegration diabetes",
        "titanium implants glycaemic control healing",
        "Do dental implants fail more often in patients with poor glycaemic control?",
    ),
    "maternal mortality in rural Ethiopia": (
        "maternal deaths rural Ethiopia",
        "haemorrhage eclampsia health-posts distance",
        "What could lower maternal mortality where health posts are far away?",
    ),
    "neutron star mergers equation of state": (
        "neutron star merger tidal deformability",
        "kilonova ejecta equation of state",
        "What do gravitational waves of neutron star mergers say about the stiffness of nuclear matter?",
    ),
    "knot polynomials and categorification": (
        "Jones polynomial categorification",
        "Khovanov skein complexes",
        "Which knot polynomials have a categorification, and what does it detect?",
    ),
    "honeybee losses near oilseed rape": (
        "honeybee colony losses oilseed rape",
        "winter mortality seed-treatment fields",
        "Are winter losses of honeybee colonies higher near treated oilseed rape?",
    ),
    "subduction earthquakes off northern Chile": (
        "megathrust coupling Iquique",
        "subduction earthquakes Chile trench",
        "Which part of the seismic gap off northern Chile is still locked?",
    ),
    "microfinance loans and women's empowerment": (
        "microfinance women empowerment",
        "group lending repayment bargaining",
        "Does microfinance change who decides in the household?",
    ),
    "working memory in adolescence": (
        "working memory adolescence updating",
        "prefrontal maturation n-back teenagers",
        "How does the capacity of working memory change during puberty?",
    ),
    "river basin treaties in arid regions": (
        "transboundary river treaty scarcity",
        "riparian negotiation desert drought",
        "How do treaties on shared rivers deal with drought in arid regions?",
    ),
    "steel bridge fatigue life prediction": (
        "fatigue welds steel bridge remaining life",
        "crack inspection reliability girders",
        "How can the remaining fatigue life of welded steel bridges be predicted?",
    ),
    "wheat stem rust resistance genes": (
        "wheat stem rust resistance genes Ug99",
        "Puccinia pyramiding introgression",
        "Which combinations of resistance genes hold against new races of stem rust?",
    ),
    "consensus protocols under partial synchrony": (
        "consensus leader quorum partial synchrony",
        "liveness timeouts replicas agreement",
        "How few message delays does consensus need when the network is only partially synchronous?",
    ),
}
"""The twenty topics of the benchmark, and queries that a model would write for them: words, words, and a question."""
