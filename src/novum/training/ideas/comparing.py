"""Comparisons of trained idea models: tuning, phases, domains, ensemble, few-shot, fractions and years.

Each trains what it needs, evaluates all models on the same topics, and leaves every model and text in its folder, so
that the same call resumes. Sources: DBLP study, Tables 1, 2, 5, 6, 9 and 11, and Figure 3.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, get_args

from novum.core.record import Value
from novum.core.trained import TRAINED_FILE
from novum.errors import BadInput
from novum.files.tables import write_jsonl
from novum.lab import Workplace
from novum.training.finetuning.conversations import ConversationSet, open_ideas
from novum.training.ideas.aggregating import aggregated_ideas, build_aggregator_set
from novum.training.ideas.card import IdeaDataSettings
from novum.training.ideas.data_set import IdeaDataTask, make_idea_set
from novum.training.ideas.evaluation import EntrantModel, Evaluated, EvaluationSettings, evaluate, save
from novum.training.ideas.few_shot import nearest_examples
from novum.training.ideas.rounds import Stages
from novum.training.ideas.writing import read_topics, write_ideas
from novum.training.ideas.years import YearSimilarity, similarity_by_year
from novum.training.launching.session import TrainingOptions, prepare_training

ComparisonKind = Literal["tuning", "phases", "domains", "ensemble", "few-shot", "fractions", "years"]
KINDS: tuple[ComparisonKind, ...] = get_args(ComparisonKind)
RESULT, RECORDS = "comparison.json", "records.jsonl"


class ComparisonOptions(Value):
    """What is compared. `data`: a data set of ideas; `models`: trained ones, where none is trained here."""

    kind: ComparisonKind
    data: str = ""
    models: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Names of the models in tables; empty: those of their folders."""
    base: str = ""
    """What trainings start from; empty: the base of the recipe."""
    recipe: str = "cpu"
    overrides: tuple[str, ...] = ()
    topics: str = ""
    """A data set or a file; empty: those of `data`."""
    most_topics: int = 20
    fields: tuple[str, ...] = ()
    years: tuple[int, ...] = (2019, 2020, 2021, 2022)
    last_year: int = 2023
    shots: tuple[int, ...] = (0, 3, 6, 9)
    fractions: tuple[float, ...] = (0.01, 0.05, 0.1, 1.0)
    tunings: tuple[str, ...] = ("full", "qlora", "prefix", "lora")
    topic_numbers: tuple[int, ...] = (10, 20, 40)
    seed: int = 0


class Comparison(Value):
    """The outcome: groups of entrants, each compared with its first one; for years, similarities."""

    options: ComparisonOptions
    groups: dict[str, Evaluated]
    years: tuple[YearSimilarity, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparing:
    """What a comparison works with."""

    options: ComparisonOptions
    settings: EvaluationSettings
    folder: Path
    models_folder: Path
    stages: Stages
    notes: list[str] = field(default_factory=list)

    @property
    def topics(self) -> list[str]:
        """The topics that all models write on. Raises BadInput where there are none."""
        place = self.options.topics or self.options.data
        if not place:
            raise BadInput(f"`compare {self.options.kind}` needs topics: --topics DIR|FILE, or --data DIR.")
        return read_topics(Path(place))[: self.options.most_topics]

    def sft(self, name: str, data: Path, overrides: Sequence[str] = ()) -> str:
        """The folder of a model that is trained on `data`, unless it is there already."""
        folder, options = self.folder / "models" / name, self.options
        session = prepare_training(
            data, folder, self.models_folder,
            TrainingOptions(
                recipe=options.recipe, name=f"{self.folder.name}-{name}".lower(), base=options.base or None,
                overrides=(*options.overrides, *overrides), seed=options.seed, kind="sft",
            ),
        )  # fmt: skip
        if not (folder / TRAINED_FILE).exists():
            self.stages.note(f"Training {name}")
        self.stages.train(session)
        return str(folder.resolve())

    def ideas_of(self, name: str, settings: IdeaDataSettings) -> Path:
        """A data set of ideas from the library, built once."""
        place = self.folder / "data" / name
        if not place.exists():
            self.stages.note(f"Building the data set {name}")
            self.stages.run(lambda workplace: make_idea_set(workplace, IdeaDataTask(place, settings)))
        return place

    def evaluate(self, group: str, entrants: Sequence[EntrantModel], topics: Sequence[str]) -> Evaluated:
        """The entrants of a group on the same topics."""
        self.stages.note(f"Evaluating {', '.join(each.name for each in entrants)} on {len(topics)} topics")
        place = self.folder / "written" / group
        return self.stages.run(lambda workplace: evaluate(workplace, entrants, topics, self.settings, place))


def compare(
    options: ComparisonOptions, settings: EvaluationSettings, folder: Path, models_folder: Path, stages: Stages
) -> Comparison:
    """Carries out a comparison, and writes its result and raw records. Raises BadInput where something is missing."""
    comparing = Comparing(options, settings, folder, models_folder, stages)
    found = _COMPARISONS[options.kind](comparing)
    done = found.model_copy(update={"notes": tuple(comparing.notes)})
    save(folder, RESULT, done)
    rows = (record.model_dump(mode="json") for each in done.groups.values() for record in each.records)
    write_jsonl(rows, folder / RECORDS)
    return done


def _data(comparing: Comparing) -> tuple[Path, ConversationSet]:
    if not comparing.options.data:
        raise BadInput(f"`compare {comparing.options.kind}` needs --data DIR, a data set of `novum data build ideas`.")
    place = Path(comparing.options.data)
    return place, open_ideas(place)


def _tuning(comparing: Comparing) -> Comparison:
    """Table 1: all weights, QLoRA and a prefix; LoRA in 16 bits as well."""
    place, _ = _data(comparing)
    entrants = []
    for tuning in comparing.options.tunings:
        if tuning == "qlora" and find_spec("bitsandbytes") is None:
            comparing.notes.append("QLoRA was left out: bitsandbytes is not installed (`pip install bitsandbytes`).")
            continue
        entrants.append(EntrantModel(tuning, comparing.sft(tuning, place, TUNINGS[tuning])))
    return _one_group(comparing, entrants)


TUNINGS: Mapping[str, tuple[str, ...]] = {
    "lora": ("tuning=lora", "precision.quantisation=none"),
    "qlora": ("tuning=lora", "precision.quantisation=nf4", "precision.compute=bf16"),
    "full": ("tuning=full", "precision.quantisation=none", "optimizer.learning_rate=1e-5"),
    "prefix": ("tuning=prefix", "precision.quantisation=none", "optimizer.learning_rate=1e-2"),
}
"""The settings of a recipe that each way of tuning stands for; learning rates are usual ones, not tuned."""


def _phases(comparing: Comparing) -> Comparison:
    """Tables 2 and 5: models that were trained, in the order of their phases."""
    models = comparing.options.models
    if len(models) < 2:
        raise BadInput(
            "`compare phases` needs models: the base, then each phase, such as offline:smollm2-135m p1 p2 p3."
        )
    names = comparing.options.names or [Path(name).name for name in models]
    return _one_group(comparing, [EntrantModel(*each) for each in zip(names, models, strict=True)])


def _fractions(comparing: Comparing) -> Comparison:
    """Table 6, without examples: shares of the training rows."""
    place, data = _data(comparing)
    rows = len(data.about("train"))
    entrants = []
    for share in sorted(comparing.options.fractions):
        number = max(2, round(share * rows))
        name = f"{share * 100:g}-percent"
        entrants.append(EntrantModel(name, comparing.sft(name, place, (f"rows.most={number}",))))
    return _one_group(comparing, entrants)


def _few_shot(comparing: Comparing) -> Comparison:
    """Table 6: examples from the training rows, found by similarity search."""
    _, data = _data(comparing)
    if len(comparing.options.models) != 1:
        raise BadInput("`compare few-shot` needs one model: a folder, local:NAME, or offline:NAME.")
    model, topics = comparing.options.models[0], comparing.topics
    examples = comparing.stages.run(
        lambda workplace: nearest_examples(workplace, data, topics, max(comparing.options.shots))
    )
    entrants = [
        EntrantModel(f"{shots}-shot", model, {topic: found[:shots] for topic, found in examples.items()})
        for shots in comparing.options.shots
    ]
    return _one_group(comparing, entrants)


def _domains(comparing: Comparing) -> Comparison:
    """Table 11: on topics of each field, the general model and the model of the field."""
    fields, groups = _fields(comparing), {}
    general = comparing.sft("general", comparing.ideas_of("general", _settings(comparing)))
    for name in fields:
        place = comparing.ideas_of(_plain(name), _settings(comparing, name))
        own = comparing.sft(_plain(name), place)
        topics = read_topics(place)[: comparing.options.most_topics]
        entrants = [EntrantModel("general", general), EntrantModel("of the field", own)]
        groups[name] = comparing.evaluate(_plain(name), entrants, topics)
    return Comparison(options=comparing.options, groups=groups)


def _ensemble(comparing: Comparing) -> Comparison:
    """Table 9: on topics of two fields, the general model and an ensemble: models of fields, and an aggregator that was
    tuned to make one idea of theirs."""
    fields = _fields(comparing)
    whole = comparing.ideas_of("general", _settings(comparing))
    general = comparing.sft("general", whole)
    places = {name: comparing.ideas_of(_plain(name), _settings(comparing, name)) for name in fields}
    experts = {name: comparing.sft(_plain(name), place) for name, place in places.items()}
    merged = comparing.folder / "data" / "merged"
    if not merged.exists():
        comparing.stages.note("Writing ideas of the fields for the aggregator")
        comparing.stages.run(
            lambda workplace: build_aggregator_set(
                workplace, open_ideas(whole), experts, comparing.settings.writing, merged
            )
        )
    aggregator = comparing.sft("aggregator", merged, ("rows.tasks.idea=0", "rows.tasks.merged-idea=1"))
    topics = list(interdisciplinary(places, comparing.options.most_topics))
    comparing.stages.note(f"Writing ideas of the ensemble on {len(topics)} topics of two fields")
    ideas = comparing.stages.run(
        lambda workplace: aggregated_ideas(
            workplace,
            aggregator,
            experts,
            topics,
            comparing.settings.writing,
            comparing.folder / "written" / "ensemble",
        )
    )
    entrants = [EntrantModel("general", general), EntrantModel("ensemble", aggregator, ideas=ideas)]
    return Comparison(options=comparing.options, groups={"all": comparing.evaluate("ensemble", entrants, topics)})


def interdisciplinary(places: Mapping[str, Path], most: int) -> Iterator[str]:
    """Topics of two fields: the first words of a topic of each, for every two fields in turn."""
    topics = {name: read_topics(place) for name, place in places.items()}
    names = sorted(topics)
    pairs = [(one, other) for at, one in enumerate(names) for other in names[at + 1 :]]
    found = 0
    for number in range(max(map(len, topics.values()))):
        for one, other in pairs:
            if found < most and number < min(len(topics[one]), len(topics[other])):
                found += 1
                yield f"{_beginning(topics[one][number])}, {_beginning(topics[other][number])}"


def _beginning(topic: str) -> str:
    return ", ".join(topic.split(", ")[:3])


def _years(comparing: Comparing) -> Comparison:
    """Figure 3: a model of the papers until each year, and the similarity of its ideas to the papers of later years."""
    found: list[list[YearSimilarity]] = []
    for year in comparing.options.years:
        place = comparing.ideas_of(f"until-{year}", _settings(comparing, before=year + 1))
        model = comparing.sft(f"until-{year}", place)
        found.append(comparing.stages.run(_year_job(comparing, year, model)))
    return Comparison(options=comparing.options, groups={}, years=tuple(each for some in found for each in some))


def _year_job(comparing: Comparing, year: int, model: str) -> Callable[[Workplace], Awaitable[list[YearSimilarity]]]:
    options, writing = comparing.options, comparing.settings.writing

    async def job(workplace: Workplace) -> list[YearSimilarity]:
        return await similarity_by_year(
            workplace, year, range(year + 1, options.last_year + 1), options.most_topics,
            lambda topics, name: write_ideas(
                workplace, model, topics, writing, comparing.folder / "written" / f"until-{year}-{name}.jsonl"
            ),
            options.topic_numbers, options.seed,
        )  # fmt: skip

    return job


def _settings(comparing: Comparing, name: str = "", before: int | None = None) -> IdeaDataSettings:
    options = comparing.options
    first = min(options.years) if options.kind == "years" else 2019
    return IdeaDataSettings(
        since=min(first, (before or 2024) - 3) if options.kind == "years" else 2019,
        before=before or 2024,
        fields=(name,) if name else (),
        split="by-chance",
        topics=options.topic_numbers,
        seed=options.seed,
    )


def _fields(comparing: Comparing) -> list[str]:
    if len(comparing.options.fields) < 2:
        raise BadInput(
            f"`compare {comparing.options.kind}` needs two fields of the library: --field NAME --field NAME."
        )
    return list(comparing.options.fields)


def _one_group(comparing: Comparing, entrants: Sequence[EntrantModel]) -> Comparison:
    found = comparing.evaluate("all", entrants, comparing.topics)
    return Comparison(options=comparing.options, groups={"all": found})


def _plain(name: str) -> str:
    plain = "".join(char if char.isalnum() else "-" for char in name.lower()).strip("-")
    return plain[:40] or "field"


_COMPARISONS: Mapping[ComparisonKind, Callable[[Comparing], Comparison]] = {
    "tuning": _tuning,
    "phases": _phases,
    "domains": _domains,
    "ensemble": _ensemble,
    "few-shot": _few_shot,
    "fractions": _fractions,
    "years": _years,
}
