"""Studies: arenas whose entrants are made from a table.

Three follow Chain of Ideas: what its parts are worth (section 5, Table 2), how long its chains should be (A.4,
Figure 4), and how many there should be (A.5, Figure 5). The fourth compares methods on quality, blind and in one form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from novum.benchmarks.arena.records import ArenaRun, ScheduleName, StudyName
from novum.core.comparison import Entrant
from novum.errors import BadInput
from novum.methods import get_method

CHAIN_OF_IDEAS = "chain-of-ideas"
BASELINES = ("plain", "plain-best-of-n")
"""Methods that a method must beat to be worth its cost."""
QUALITY_WORDS = 400
"""Words of an idea that judges see in a study of quality."""


@dataclass(frozen=True)
class StudyDesign:
    """What a study varies, and how its results are shown."""

    name: StudyName
    title: str
    question: str
    source: str = ""
    """The part of Chain of Ideas that it repeats; empty for a study of our own."""
    option: str = ""
    """The option whose values make a curve; empty: there is none."""
    values: tuple[int, ...] = ()
    variants: Mapping[str, Mapping[str, JsonValue]] = field(default_factory=dict)
    """Options by the name of the variant; the first entrant is the method as it is."""
    schedule: ScheduleName = "round-robin"


STUDIES: Mapping[str, StudyDesign] = {
    "ablation": StudyDesign(
        "ablation",
        "What the parts of chain-of-ideas are worth",
        "Does an idea get worse when a part of the method is left out?",
        "section 5, Table 2",
        variants={
            "without chain": {"length": 0},
            "without future direction": {"future": False},
            "without entities": {"entities": False},
        },
        schedule="reference",
    ),
    "length": StudyDesign(
        "length",
        "Ideas by the length of their chain",
        "Does a longer chain of papers lead to better ideas?",
        "appendix A.4, Figure 4",
        option="length",
        values=(0, 1, 3, 4, 5, 6),
    ),
    "width": StudyDesign(
        "width",
        "Ideas by the number of chains",
        "Do more chains lead to better ideas?",
        "appendix A.5, Figure 5",
        option="branches",
        values=(1, 2, 3, 4, 5),
    ),
    "quality": StudyDesign(
        "quality",
        "Quality of ideas, method by method",
        "Which methods have better ideas than a plain prompt, and at what cost?",
    ),
}


def ablation_entrants(
    shared: Mapping[str, JsonValue], more: Mapping[str, Mapping[str, JsonValue]] | None = None
) -> tuple[Entrant, ...]:
    """Chain of Ideas, and a variant without each of its parts. `shared`: options of all. `more`: further variants.

    Raises BadInput for an option that the method does not have.
    """
    variants = {CHAIN_OF_IDEAS: {}, **STUDIES["ablation"].variants, **(more or {})}
    return tuple(_entrant(name, {**shared, **options}) for name, options in variants.items())


def curve_entrants(study: str, shared: Mapping[str, JsonValue], values: Sequence[int] = ()) -> tuple[Entrant, ...]:
    """Chain of Ideas with each value of the option that the study varies. Raises BadInput as `ablation_entrants`, and
    for fewer than two values."""
    design = STUDIES[study]
    chosen = sorted(dict.fromkeys(values or design.values))
    if len(chosen) < 2:
        raise BadInput(f"A curve needs at least two values of {design.option}: name them as --values 1,3,5.")
    return tuple(_entrant(f"{design.option} {value}", {**shared, design.option: value}) for value in chosen)


def _entrant(name: str, options: Mapping[str, JsonValue]) -> Entrant:
    get_method(CHAIN_OF_IDEAS).options_from(options)
    return Entrant(name=name, method=CHAIN_OF_IDEAS, options=dict(options))


def baselines_of(run: ArenaRun) -> tuple[str, ...]:
    """The entrants of a run that are baselines, the plain prompt first; by their method, or by their name where ideas
    were made elsewhere."""
    return tuple(each.name for baseline in BASELINES for each in run.entrants if baseline == (each.method or each.name))


def value_of(design: StudyDesign, entrant: Entrant) -> float | None:
    """The value of the option that the study varies; None where it varies none."""
    value = entrant.options.get(design.option) if design.option else None
    return float(value) if isinstance(value, int | float | str) and str(value).replace(".", "", 1).isdigit() else None
