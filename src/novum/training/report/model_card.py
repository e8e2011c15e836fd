"""The card of a trained model in Markdown: how it is used, data, settings, held-out figures, limits, licence.

It is the README of a folder that model hubs read. Names from elsewhere are escaped, so that they are plain text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from novum.core.record import Value
from novum.core.trained import CurvePoint, Purpose, TrainedModel
from novum.reports.markdown import markdown_document, markdown_line, markdown_list, markdown_table
from novum.training.report import phrases as words
from novum.training.report.records import TrainingReport

_SMALL = 1e9
"""A model of fewer parameters is said to be a demonstration."""
_USES: Mapping[Purpose, str] = {
    "ideas": "It writes a title and an abstract of a research idea on a topic.",
    "judge": "It writes a review of a research paper or idea, and rates it.",
    "next-idea": "It writes a research idea from a context of papers, and refines it.",
}
_LIMITS: Mapping[Purpose, Sequence[str]] = {
    "ideas": (
        "It writes like an abstract of finished work, and states results that nobody has obtained: what it writes is "
        "an idea, not a finding.",
        "The figures above measure what it was trained for, not whether its ideas are good. Have its ideas judged "
        "blindly, by people or by a model that was not optimised, before relying on them.",
        "It may repeat a paper that it was trained on. Check an idea against the literature.",
    ),
    "judge": (
        "Its ratings follow the venues and years of its training data, and their biases.",
        "It must not decide about papers or people in place of a reviewer.",
    ),
    "next-idea": ("Its reward was similarity or a model's preference, neither of which is the value of an idea.",),
}
_LOSSES = {"judge": "nats per token", "sft": "nats per token", "dpo": "of the objective"}


class PublicBase(Value):
    """The base of a model as others know it."""

    name: str
    """In words."""
    hub: str = ""
    """Its name on the hub; empty where it has none."""
    licence: str = ""
    """Empty where it is not known."""
    parameters: int | None = None
    note: str = ""
    """What distinguishes the weights that were trained from those of that name."""


class ModelCardFacts(Value):
    """What a card is written from."""

    report: TrainingReport
    base: PublicBase
    data: tuple[tuple[str, str], ...] = ()
    """What is known of the training data, as pairs of name and value."""
    complete: bool
    """Whether the folder has the complete model, or its adapter alone."""
    earlier: tuple[str, ...] = ()
    """Earlier trainings that this one stands on, the first one first."""

    @property
    def loaded_base(self) -> str:
        """The name on the hub of what an adapter is put on; empty where that is an earlier training."""
        return "" if self.earlier and not self.complete else self.base.hub


def render_model_card(facts: ModelCardFacts) -> str:
    """The card, with the metadata block that hubs read."""
    return markdown_document(_blocks(facts))


def _blocks(facts: ModelCardFacts) -> Iterator[str]:
    model = facts.report.model
    yield "\n".join(_metadata(facts))
    yield f"# {markdown_line(model.name)}: {words.title(model)}"
    yield f"{_USES[model.purpose]} {markdown_line(words.headline(model))}"
    yield from _use(facts)
    yield "## Data"
    yield markdown_table(("", ""), (*facts.data, ("digest of its card", model.data)))
    yield "## Held-out figures"
    yield markdown_table(words.heads(model), words.rows(model))
    yield markdown_list(map(markdown_line, words.remarks(facts.report)))
    yield "## Training"
    yield markdown_list(map(markdown_line, (*_earlier(facts), *words.account(facts.report))))
    yield markdown_table(("setting", "value"), words.settings(facts.report))
    yield "## Limits"
    yield markdown_list(map(markdown_line, _limits(facts)))
    yield "## Licence"
    yield markdown_line(_licence(facts.base))


def _metadata(facts: ModelCardFacts) -> Iterator[str]:
    """The header in YAML, of which JSON is a part."""
    model, base = facts.report.model, facts.base
    adapted = "" if facts.complete else "adapter"
    values: dict[str, object] = {
        "license": base.licence.lower(),
        "base_model": facts.loaded_base,
        "base_model_relation": (adapted or "finetune") if facts.loaded_base else "",
        "library_name": "transformers" if facts.complete else "peft",
        "pipeline_tag": "text-generation",
        "language": ["en"],
        "tags": ["novum", "scientific-ideas", model.kind, *([] if facts.complete else [_adapter(model)])],
        "model-index": [{"name": model.name, "results": list(_results(model))}],
    }
    yield "---"
    yield from (f"{name}: {json.dumps(value)}" for name, value in values.items() if value)
    yield "---"


def _adapter(model: TrainedModel) -> str:
    tuning = model.recipe.get("tuning", "lora")
    return tuning if isinstance(tuning, str) else "lora"


def _results(model: TrainedModel) -> Iterator[dict[str, object]]:
    """The held-out figures of the model that is used."""
    end = words.end_of(model)
    figures = _figures(end, model) if end else {}
    if figures:
        yield {
            "task": {"type": "text-generation"},
            "dataset": {"type": "novum", "name": f"held-out rows of data set {model.data}"},
            "metrics": [
                {"type": name.partition(" (")[0], "name": name, "value": round(value, 6)}
                for name, value in figures.items()
            ],
        }


def _figures(point: CurvePoint, model: TrainedModel) -> dict[str, float]:
    named = {f"loss ({_LOSSES.get(model.kind, '')})": point.held_out_loss, "rating RMSE": point.rating_rmse}
    return {name: value for name, value in (named | point.measures).items() if value is not None}


def _use(facts: ModelCardFacts) -> Iterator[str]:
    model, place = facts.report.model, "FOLDER_OR_NAME"
    yield "## Use"
    yield "With Transformers (`FOLDER_OR_NAME`: this folder, or its name on the hub):"
    loading = [f'model = AutoModelForCausalLM.from_pretrained("{place}")']
    imports = "from transformers import AutoModelForCausalLM, AutoTokenizer"
    if not facts.complete:
        imports = f"from peft import PeftModel\n{imports}"
        base = json.dumps(facts.loaded_base or "FOLDER_OF_THE_BASE")
        loading = [f"base = AutoModelForCausalLM.from_pretrained({base})",
                   f'model = PeftModel.from_pretrained(base, "{place}")']  # fmt: skip
    lines = [imports, "", *loading, f'tokenizer = AutoTokenizer.from_pretrained("{place}")']
    yield "\n".join(["```python", *lines, "```"])
    if model.purpose == "ideas":
        yield (
            "It was trained on one form of request, which `novum ideate TOPIC --method topic-prompt --model "
            "local:NAME` sends."
        )


def _earlier(facts: ModelCardFacts) -> Iterator[str]:
    if facts.earlier:
        yield f"It stands on earlier trainings, in this order: {', '.join(facts.earlier)}."
        if not facts.complete:
            yield "The adapter changes the model after these trainings, not the base itself: use the complete model."


def _limits(facts: ModelCardFacts) -> Iterator[str]:
    yield from _LIMITS[facts.report.model.purpose]
    if facts.base.parameters and facts.base.parameters < _SMALL:
        yield (
            f"Its base has {facts.base.parameters / 1e6:,.0f} million parameters: it shows how the training works, and "
            "nothing about how good such models become."
        )
    if facts.base.note:
        yield facts.base.note


def _licence(base: PublicBase) -> str:
    rights = "The training texts belong to their authors or publishers."
    if base.licence:
        return f"That of its base, {base.name}: {base.licence}. {rights}"
    return f"That of its base, {base.name}: look it up before you share this model. {rights}"
