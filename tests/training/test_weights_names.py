"""A trained model has a name: `judge:NAME` is asked like any other, or says in one line what is missing."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil

import pytest

from novum.errors import BadInput
from novum.llm import CallSettings, Connections, ModelName, ModelRoles, ModelSettings
from novum.llm.offline import DEFAULT_MODEL, install
from novum.llm.offline.trained import locate_trained, remove_receipt, trained_models, trained_state, unreadable_receipts
from novum.llm.wire import ChatRequest
from novum.prompts import Message
from novum.training.weights.registering import register
from novum.training.weights.serving import serve_lines
from novum.training.weights.trained_folder import read_trained
from tests.offline.test_install import has_smollm2
from tests.training.trained_models import trained_folder

WEIGHTS = b"GGUF and then numbers"
needs_offline_model = pytest.mark.skipif(
    not has_smollm2() or importlib.util.find_spec("xllamacpp") is None, reason="the offline model is not installed"
)


@pytest.fixture
def models(tmp_path):
    return tmp_path / "models"


@pytest.fixture
def mini(tmp_path):
    return trained_folder(tmp_path / "mini", gguf=WEIGHTS)


def test_a_registered_model_is_found_by_its_name_and_its_files_stay_where_they_are(mini, models):
    register(mini, "mine", models)
    assert locate_trained("mine", models) == mini / "judge.gguf"
    assert [(each.name, each.purpose, trained_state(each)) for each in trained_models(models)] == [
        ("mine", "judge", "ready")
    ]


def test_a_name_that_is_given_again_means_the_new_model(mini, models, tmp_path):
    better = trained_folder(tmp_path / "better", gguf=WEIGHTS + b"!")
    register(mini, "mine", models)
    register(better, "mine", models)
    assert locate_trained("mine", models) == better / "judge.gguf"
    assert (mini / "judge.gguf").is_file()


def test_what_the_model_before_answered_is_not_taken_for_an_answer_of_the_new_one(mini, models, tmp_path):
    def weights_told():
        return connections(models).weights_of(ModelName.parse("judge:mine"))

    register(mini, "mine", models)
    before = weights_told()
    register(trained_folder(tmp_path / "better", gguf=WEIGHTS + b"!"), "mine", models)
    assert before
    assert weights_told() not in {before, ""}
    assert connections(models).weights_of(ModelName.parse(f"offline:{DEFAULT_MODEL}")) == ""


def test_forgetting_leaves_the_folder_alone(mini, models):
    register(mini, "mine", models)
    assert remove_receipt("mine", models).folder == str(mini)
    assert trained_models(models) == []
    assert read_trained(mini).gguf == "judge.gguf"


@pytest.mark.parametrize("name", ["", "../up", "With Space", "a/b"])
def test_a_name_that_would_lead_elsewhere_is_refused_and_never_found(name, mini, models):
    with pytest.raises(BadInput, match="cannot name a model"):
        register(mini, name, models)
    with pytest.raises(BadInput, match="trained here"):
        locate_trained(name, models)


def move_away(folder):
    folder.rename(folder.with_name("elsewhere"))


def delete_the_file(folder):
    (folder / "judge.gguf").unlink()


def write_another(folder):
    (folder / "judge.gguf").write_bytes(b"GGUF of somebody else")


@pytest.mark.parametrize(
    ("happens", "seen", "message"),
    [
        (move_away, "its folder is gone", r"not there any more .*`novum train export FOLDER --name mine --no-merged"),
        (delete_the_file, "its file is gone or changed", r"not there any more: make it anew with `novum train export"),
        (write_another, "its file is gone or changed", r"not the file that was registered: make it anew with `novum"),
    ],
)
def test_a_model_that_was_moved_or_changed_is_reported_in_one_line(happens, seen, message, mini, models):
    register(mini, "mine", models)
    happens(mini)
    assert [trained_state(each) for each in trained_models(models)] == [seen]
    with pytest.raises(BadInput, match=message) as caught:
        locate_trained("mine", models)
    assert "\n" not in str(caught.value)


def test_a_copy_with_the_same_content_and_another_time_is_the_same_model(mini, models):
    register(mini, "mine", models)
    write_another(mini)
    (mini / "judge.gguf").write_bytes(WEIGHTS)
    assert locate_trained("mine", models) == mini / "judge.gguf"
    assert [trained_state(each) for each in trained_models(models)] == ["ready"]


def test_an_unknown_name_is_reported_with_the_nearest_known_one(mini, models):
    with pytest.raises(BadInput, match="None was trained here yet"):
        locate_trained("minne", models)
    register(mini, "mine", models)
    with pytest.raises(BadInput, match="Did you mean judge:mine"):
        locate_trained("minne", models)


def test_what_is_noted_of_a_model_and_cannot_be_read_is_reported(mini, models):
    register(mini, "mine", models)
    (models / "torn.trained.json").write_text('{"name": "to')
    (models / "odd.trained.json").mkdir()
    assert [each.name for each in trained_models(models)] == ["mine"]
    assert list(unreadable_receipts(models)) == ["odd", "torn"]
    with pytest.raises(BadInput, match=r"the trained model torn cannot be read \(.*torn.trained.json\)"):
        locate_trained("torn", models)


def test_a_folder_that_cannot_be_looked_at_is_no_reason_to_end_a_list(mini, models):
    receipt = register(mini, "mine", models)
    assert trained_state(receipt.model_copy(update={"folder": "/" + "x" * 5000})) == "its folder cannot be read"


# -- models that are served ---------------------------------------------------------------------------------------


def test_without_a_file_for_this_machine_it_says_how_it_is_served(models, tmp_path):
    large = trained_folder(tmp_path / "large", base="org/model-7b")
    register(large, "large", models)
    with pytest.raises(BadInput) as caught:
        ask("judge:large", models)
    assert f"--max-lora-rank 16 --lora-modules large={large / 'adapter'}`" in str(caught.value)
    assert "judge:large@http://HOST:8000/v1" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_at_an_address_it_is_asked_like_any_server_registered_here_or_not(models, serve):
    server = serve(lambda request: "Rating: 0.70")
    _, _, address = server.model.partition("@")
    assert ask(f"judge:large@{address}", models) == "Rating: 0.70"


def test_a_server_takes_many_calls_at_once_and_the_processor_few():
    here, served = map(ModelName.parse, ("judge:x", "judge:x@http://10.0.0.1:8000/v1"))
    settings = ModelSettings(ModelRoles(here, here, (here,)))
    assert [settings.limits_for(each).in_flight for each in (here, served)] == [4, 32]


def test_the_merged_model_is_the_plainer_one_to_serve(tmp_path):
    folder = trained_folder(tmp_path / "a b", base="org/model-7b", merged=True)
    merged, adapter = serve_lines(folder, read_trained(folder), "mine")
    assert merged == f"vllm serve '{folder}/merged' --served-model-name mine"
    assert adapter.startswith("vllm serve org/model-7b --enable-lora ")


@pytest.mark.parametrize(
    "made", [{"base": "offline:smollm2-135m"}, {"use_dora": True}, {"modules_to_save": ["lm_head"]}, {"rank": 4000}]
)
def test_an_adapter_that_cannot_be_served_as_it_is_has_to_be_merged_first(made, tmp_path, models):
    folder = trained_folder(tmp_path / "x", **({"base": "org/model-7b"} | made))
    assert serve_lines(folder, read_trained(folder), "mine") == []
    with pytest.raises(BadInput, match="novum train export"):
        register(folder, "mine", models)


# -- folders that are none ----------------------------------------------------------------------------------------


def test_a_folder_without_a_trained_model_is_reported(tmp_path, models):
    with pytest.raises(BadInput, match="holds no trained model"):
        register(tmp_path, "mine", models)


@pytest.mark.parametrize("part", ["../secrets", "/etc"])
def test_a_folder_whose_parts_lie_outside_of_it_is_refused(part, mini, models):
    text = (mini / "trained.json").read_text()
    (mini / "trained.json").write_text(text.replace('"judge.gguf"', f'"{part}"'))
    with pytest.raises(BadInput, match="lies outside its folder"):
        register(mini, "mine", models)


def test_a_file_that_is_no_gguf_is_not_registered(tmp_path, models):
    with pytest.raises(BadInput, match="is not a GGUF file"):
        register(trained_folder(tmp_path / "page", gguf=b"<html>"), "mine", models)


# -- the real thing -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@needs_offline_model
def test_a_judge_with_a_file_runs_on_this_machine_when_it_is_first_asked(tmp_path, models):
    mini = trained_folder(tmp_path / "mini", gguf=b"")
    shutil.copy(install(DEFAULT_MODEL, models), mini / "judge.gguf")
    register(mini, "mine", models)
    assert ask("judge:mine", models) == ask(f"offline:{DEFAULT_MODEL}", models) != ""


def connections(models):
    name = ModelName.parse(f"offline:{DEFAULT_MODEL}")
    return Connections(ModelSettings(ModelRoles(name, name, (name,)), CallSettings()), models)


def ask(model, models, question="What do you think of it?"):
    async def inside():
        opened = connections(models)
        try:
            endpoint = await opened.endpoint(ModelName.parse(model))
            reply = await endpoint.chat(ChatRequest([Message("user", question)], 0.0, 20), 60.0, lambda *_: None)
            return reply.content
        finally:
            await opened.close()

    return asyncio.run(inside())
