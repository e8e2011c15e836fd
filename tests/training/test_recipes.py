"""Recipes: presets, files, changes from the command line, and what is said of mistakes."""

import pytest

from novum.errors import BadInput
from novum.training.recipes import preset_names, preset_text, read_recipe


def test_the_presets_are_there_smallest_machine_first():
    assert preset_names() == ("cpu", "24gb", "7b", "72b")


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_copied_to_a_file_is_the_same_recipe(name, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(preset_text(name), encoding="utf-8")
    assert read_recipe(str(file)) == read_recipe(name)


def test_the_papers_two_sizes_are_qwen_and_the_small_one_needs_no_download():
    assert [read_recipe(name).base for name in ("7b", "72b")] == [
        "Qwen/Qwen2.5-7B-Instruct",
        "Qwen/Qwen2.5-72B-Instruct",
    ]
    assert read_recipe("cpu").base == "offline:smollm2-135m"
    assert read_recipe("24gb").precision.quantisation == "nf4"


def test_settings_can_be_changed_on_the_command_line():
    recipe = read_recipe(
        "cpu", base="mine", sets=["lora.rank=8", "keeping.tracker=wandb", "rows.tasks.idea-review=0"], seed=7
    )
    assert (recipe.base, recipe.lora.rank, recipe.keeping.tracker, recipe.seed) == ("mine", 8, "wandb", 7)
    assert recipe.rows.tasks["idea-review"] == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("lora.rnk=8", "no setting 'lora.rnk'; did you mean rank?"),
        ("rank=8", "did you mean lora.rank?"),
        ("lora.rank=0", "lora.rank = 0: input should be greater than or equal to 1"),
        ("optimizer.learning_rate=3", "less than or equal to 0.1"),
        ("precision.compute=int8", "'fp32', 'bf16' or 'fp16'"),
        ("lengths.prompt=300", "at least 32 tokens longer"),
        ("lengths.packing=true", "flash_attention_2"),
        ("lora=3", "lora = 3"),
        ("lora.rank.more=3", "rank is a single value"),
        ("lora.rank", "KEY=VALUE"),
        ("rows.tasks.poem=1", "original-review"),
        ("keeping.tracker=No Tracker!", "keeping.tracker"),
        ("optimizer.clip=inf", "optimizer.clip"),
        ("optimizer.learning_rate=nan", "optimizer.learning_rate"),
        ("rows.tasks.idea-review=inf", "rows.tasks.idea-review"),
        ("rows.most=1" + 400 * "0", "rows.most"),
        ("batch.rows=" + 5000 * "9", "batch.rows"),
        ("base=" + 5000 * "[", "base"),
    ],
)
def test_what_is_wrong_with_a_setting_is_reported_in_one_line(change, message):
    with pytest.raises(BadInput) as caught:
        read_recipe("cpu", sets=[change])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_four_bits_are_not_computed_with_in_fp32():
    with pytest.raises(BadInput, match="computes in bf16 or fp16"):
        read_recipe("cpu", sets=["precision.quantisation=nf4", "precision.compute=fp32"])


def test_tasks_without_any_share_teach_nothing():
    none = [f"rows.tasks.{task}=0" for task in ("original-review", "idea-review", "original-abstract", "idea-abstract")]
    with pytest.raises(BadInput, match="at least one task"):
        read_recipe("cpu", sets=none)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"base = ", "not valid TOML"),
        (b"seed = 1", "base is missing"),
        (b"seed = " + 5000 * b"9", "not valid TOML"),
        (b"\xff\xfe", "not valid TOML"),
        (b"#" * 1_000_001, "too large"),
    ],
)
def test_a_file_that_is_no_recipe_is_refused(content, message, tmp_path):
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    with pytest.raises(BadInput, match=message):
        read_recipe(str(file))


def test_a_recipe_that_is_not_there_is_reported_with_the_nearest():
    with pytest.raises(BadInput, match=r"Did you mean 24gb\?"):
        read_recipe("24bg")
    with pytest.raises(BadInput, match="cannot be read"):
        read_recipe("nowhere.toml")
