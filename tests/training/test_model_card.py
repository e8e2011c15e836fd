"""The card of a trained model: what it says, where it is written, and how it gets to a hub."""

from __future__ import annotations

import json

import pytest
import yaml

from novum.core.trained import CurvePoint, TrainedModel
from novum.errors import BadInput
from novum.files.folder import CARD
from novum.training.finetuning.job import TuningJob, write_job
from novum.training.recipes import read_recipe
from novum.training.report.records import TrainingReport
from novum.training.weights.model_cards import public_base, upload_folder, write_model_cards
from novum.training.weights.trained_folder import write_trained
from tests.training.idea_files import preference_set

CURVE = (
    CurvePoint(step=0, seconds=1, held_out_loss=0.693, measures={"accuracy": 0.5, "margin": 0.0}),
    CurvePoint(step=8, seconds=60, held_out_loss=0.612, measures={"accuracy": 0.75, "margin": 0.4}),
)


def trained(place, name="phase-2", base="offline:smollm2-135m", data=None, merged=False, **more):
    """A folder as `novum train dpo` leaves it, with its report."""
    folder = place / name
    (folder / "adapter").mkdir(parents=True)
    (folder / "adapter" / "adapter_model.safetensors").write_bytes(b"numbers")
    settings = {"base_model_name_or_path": str(place / "somewhere"), "r": 8, "peft_type": "LORA"}
    (folder / "adapter" / "adapter_config.json").write_text(json.dumps(settings))
    if merged:
        (folder / "merged").mkdir()
        (folder / "merged" / "model.safetensors").write_bytes(b"numbers")
    recipe = read_recipe("cpu", str(base), kind="dpo")
    fields = {"name": name, "purpose": "ideas", "kind": "dpo", "base": str(base), "data": "5" * 16, "steps": 8,
              "seconds": 60, "tokens": 900, "curve": CURVE, "recipe": recipe.model_dump(mode="json"),
              "merged": "merged" if merged else "", "versions": {"trl": "1.16.0"}} | more  # fmt: skip
    model = write_trained(TrainedModel.model_validate(fields), folder)
    report = TrainingReport(model=model, best_step=8, rows=64, held_out_rows=12, rated_papers=0, choosing_rows=8,
                            held_out_split="test", constant_rmse=None, constant_rmse_centred=None)  # fmt: skip
    (folder / "report.json").write_text(report.model_dump_json())
    data = data or preference_set(place / f"pairs-of-{name}")
    write_job(TuningJob(name=name, kind="dpo", data=str(data), digest="", recipe=recipe, models_folder=""), folder)
    return folder


def data_set(place, **facts):
    """A data set whose card says so."""
    data = preference_set(place / "pairs")
    card = json.loads((data / CARD).read_text())
    (data / CARD).write_text(json.dumps(card | facts))
    return data


def card_of(folder):
    """The header and the text of a card."""
    _, header, text = (folder / "README.md").read_text("utf-8").split("---\n", 2)
    return yaml.safe_load(header), text


def test_the_card_of_an_adapter_has_what_a_hub_reads(tmp_path):
    folder = trained(tmp_path)
    assert write_model_cards(folder) == (folder / "adapter" / "README.md",)
    header, _ = card_of(folder / "adapter")
    assert header["license"] == "apache-2.0"
    assert header["base_model"] == "HuggingFaceTB/SmolLM2-135M-Instruct"
    assert (header["base_model_relation"], header["library_name"]) == ("adapter", "peft")
    assert {"dpo", "lora"} <= set(header["tags"])
    [result] = header["model-index"][0]["results"]
    assert {each["name"]: each["value"] for each in result["metrics"]} == {
        "loss (of the objective)": 0.612, "accuracy": 0.75, "margin": 0.4,
    }  # fmt: skip


def test_the_card_says_data_figures_settings_limits_and_licence(tmp_path):
    folder = trained(tmp_path, data=data_set(tmp_path, pairs={"train": 24}))
    write_model_cards(folder)
    _, text = card_of(folder / "adapter")
    assert "| rows for train | 24 |" in text and "| ranked by | made up |" in text
    assert "| used | 8 | 1.0 | 0.612 | 0.750 | 0.400 |" in text
    assert "optimizer.learning\\_rate" in text and "64 rows, 900 tokens, 8 steps" in text
    assert "an idea, not a finding" in text and "135 million parameters" in text
    assert "## Licence\n\nThat of its base, SmolLM2 135M Instruct (Q4\\_1): Apache-2.0." in text


def test_nothing_of_this_machine_is_in_what_would_be_shared(tmp_path):
    first = trained(tmp_path, "phase-1", merged=True)
    second = trained(tmp_path, "phase-2", base=first, merged=True)
    write_model_cards(second)
    shared = [file for place in ("adapter", "merged") for file in (second / place).iterdir()]
    assert {file.name for file in shared} >= {"README.md", "adapter_config.json"}
    assert not [file for file in shared if str(tmp_path).encode() in file.read_bytes()]


def test_an_adapter_on_an_earlier_training_says_so_and_the_complete_model_is_shared(tmp_path):
    first = trained(tmp_path, "phase-1", merged=True)
    second = trained(tmp_path, "phase-2", base=first, merged=True)
    write_model_cards(second)
    header, text = card_of(second / "adapter")
    assert "base_model" not in header and "phase-1 (dpo)" in text and "use the complete model" in text
    whole, _ = card_of(second / "merged")
    assert (whole["base_model_relation"], whole["library_name"]) == ("finetune", "transformers")
    assert upload_folder(second, complete=False) == second / "merged"


def test_of_a_base_in_a_folder_the_licence_is_that_of_its_own_card(tmp_path):
    (tmp_path / "my-base").mkdir()
    (tmp_path / "my-base" / "README.md").write_text("---\nlicense: llama3\n---\n# B\nlicense: mit\n")
    model = TrainedModel(
        name="n", purpose="ideas", base=str(tmp_path / "my-base"), data="", steps=1, seconds=1, tokens=1
    )
    assert (public_base(model).name, public_base(model).licence) == ("my-base", "llama3")


def test_an_unknown_licence_is_not_made_up(tmp_path):
    folder = trained(tmp_path, base="someone/some-model")
    write_model_cards(folder)
    header, text = card_of(folder / "adapter")
    assert "license" not in header and header["base_model"] == "someone/some-model"
    assert "look it up before you share" in text


def test_names_from_elsewhere_are_plain_text_in_a_card(tmp_path):
    folder = trained(tmp_path, data=data_set(tmp_path, objective="<script>x</script>\n---\n# [a](b)"))
    write_model_cards(folder)
    _, text = card_of(folder / "adapter")
    assert r"| ranked by | &lt;script&gt;x&lt;/script&gt; --- \# \[a\](b) |" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [({"complete": True}, r"no complete model to share.*--merged"), ({"complete": False}, "no model card")],
)
def test_what_cannot_be_shared_is_refused_with_what_to_do(options, message, tmp_path):
    with pytest.raises(BadInput, match=message):
        upload_folder(trained(tmp_path), **options)
