"""Model cards in the folders of an adapter and of a complete model, so that each is a folder as hubs have them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from novum.core.trained import TrainedModel
from novum.errors import BadInput
from novum.files.atomic import write_all_atomic
from novum.files.folder import CARD
from novum.files.inputs import read_plain
from novum.llm.offline import CATALOGUE
from novum.training.finetuning.job import read_job
from novum.training.launching.estimate import shape_of
from novum.training.report.model_card import ModelCardFacts, PublicBase, render_model_card
from novum.training.report.records import TrainingReport
from novum.training.weights.base import OFFLINE, origin_of
from novum.training.weights.trained_folder import ADAPTER_CONFIG, adapter_of, is_trained, merged_of, read_trained

README = "README.md"
_HUB = "https://huggingface.co/"
_LICENCE = re.compile(r"^license:\s*\"?([\w.+-]+)\"?\s*$", re.MULTILINE)


def write_model_cards(folder: Path) -> tuple[Path, ...]:
    """Write the card of the trained model in `folder` beside its adapter and its complete weights. Returns the cards;
    none where the training left no report.

    The configuration of the adapter names the base as others know it, not a folder of this machine. Raises BadInput if
    there is no trained model, OSError if the disk is full.
    """
    facts = _facts(folder)
    if facts is None:
        return ()
    model = read_trained(folder)
    adapter, merged = adapter_of(folder, model), merged_of(folder, model)
    files = {
        place / README: render_model_card(facts.model_copy(update={"complete": place is merged}))
        for place in (adapter, merged)
        if place
    }
    cards = tuple(files)
    if adapter and (settings := _public_settings(adapter / ADAPTER_CONFIG, facts.base)):
        files[adapter / ADAPTER_CONFIG] = settings
    write_all_atomic(files)
    return cards


def _facts(folder: Path) -> ModelCardFacts | None:
    try:
        report = TrainingReport.model_validate_json(read_plain(folder / "report.json"))
    except (OSError, ValidationError):
        return None
    model = read_trained(folder)
    base = public_base(model)
    recipe = model.recipe | ({"base": base.hub or base.name} if model.recipe else {})
    public = model.model_copy(update={"base": base.name, "recipe": recipe})
    job = read_job(folder)
    return ModelCardFacts(
        report=report.model_copy(update={"model": public}),
        base=base,
        data=tuple(_data_facts(Path(job.data))) if job else (),
        complete=True,
        earlier=tuple(_earlier(model)),
    )


def public_base(model: TrainedModel) -> PublicBase:
    """The base that the trainings of a model began with, as others know it. Raises BadInput if one of them is gone."""
    origin = origin_of(model)
    shape = shape_of(origin)
    size = shape.parameters if shape else None
    known = CATALOGUE.get(origin.removeprefix(OFFLINE)) if origin.startswith(OFFLINE) else None
    if known:
        hub = known.origin.partition(_HUB)[2].removesuffix("-GGUF")
        note = (
            f"It was trained on the weights of {known.title}, which are rounded; on those of {hub} it differs a little."
        )
        return PublicBase(name=known.title, hub=hub, licence=known.licence, parameters=size, note=note)
    folder = Path(origin).expanduser()
    if folder.is_dir():
        return PublicBase(name=folder.name, licence=_licence_in(folder), parameters=size)
    hub = "" if origin.startswith(OFFLINE) else origin
    return PublicBase(name=origin, hub=hub, parameters=size)


def _licence_in(folder: Path) -> str:
    """The licence that the card of a base states; empty where there is none."""
    try:
        card = read_plain(folder / README).decode("utf-8", "replace")
    except OSError:
        return ""
    found = _LICENCE.search(card.partition("\n---")[0])
    return found[1] if found else ""


def _earlier(model: TrainedModel) -> Iterator[str]:
    """The names of the trainings before, the first one first."""
    if is_trained(folder := Path(model.base).expanduser()):
        before = read_trained(folder)
        yield from _earlier(before)
        yield f"{before.name} ({before.kind})"


def _public_settings(file: Path, base: PublicBase) -> str:
    try:
        settings = json.loads(read_plain(file))
    except (OSError, ValueError):  # reported when the adapter is loaded
        return ""
    return json.dumps(settings | {"base_model_name_or_path": base.hub or base.name}, indent=2) + "\n"


def _data_facts(folder: Path) -> Iterator[tuple[str, str]]:
    """What the card of a data set says of it; nothing where it is gone."""
    try:
        card: dict[str, Any] = orjson.loads(read_plain(folder / CARD))
    except (OSError, orjson.JSONDecodeError):
        return
    for name, told in (("name", "data set"), ("library", "from"), ("objective", "ranked by"), ("made", "made")):
        if text := card.get(name):
            yield told, str(text)
    for split, rows in _rows_by_split(card).items():
        yield f"rows for {split}", f"{rows:,}"


def _rows_by_split(card: dict[str, Any]) -> dict[str, int]:
    if isinstance(pairs := card.get("pairs"), dict):
        return pairs
    splits = card.get("splits", [])
    rows = {split["name"]: split.get("rows", split.get("pairs", 0)) for split in splits}
    return {name: sum(many.values()) if isinstance(many, dict) else many for name, many in rows.items()}


def upload_folder(folder: Path, *, complete: bool) -> Path:
    """The folder of a trained model that is to be shared, with its card. Raises BadInput if it has none.

    `complete`: the complete model; also where the adapter stands on another trained model, which others do not have.
    """
    model = read_trained(folder)
    adapter, merged = adapter_of(folder, model), merged_of(folder, model)
    needs_merging = complete or is_trained(Path(model.base).expanduser()) or adapter is None
    place = merged if needs_merging else adapter
    if place is None:
        raise BadInput(f"{folder} has no complete model to share: `novum train export {folder} --merged` makes it.")
    if not (place / README).is_file():
        raise BadInput(f"{place} has no model card: `novum train export {folder}` writes it.")
    return place
