"""Users can bring a model file of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from novum.errors import BadInput
from novum.llm.offline import DEFAULT_MODEL, installed_models, locate_model, register, remove


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "mine.gguf"
    path.write_bytes(b"GGUF my own weights")
    return path


def test_a_registered_file_stays_where_it_is(own: Path, folder: Path) -> None:
    receipt = register(own, "mine", folder)
    assert locate_model("mine", folder) == own
    assert installed_models(folder) == [receipt]


def test_a_registered_file_that_changed_must_be_registered_again(own: Path, folder: Path) -> None:
    register(own, "mine", folder)
    own.write_bytes(b"GGUF other weights")
    with pytest.raises(BadInput, match=r"novum models install FILE.gguf --name mine"):
        locate_model("mine", folder)


def test_forgetting_a_registered_file_does_not_delete_it(own: Path, folder: Path) -> None:
    register(own, "mine", folder)
    remove("mine", folder)
    assert own.exists()
    assert installed_models(folder) == []


@pytest.mark.parametrize("name", [DEFAULT_MODEL, "", "../up", "With Space"])
def test_a_name_that_is_taken_or_no_name_is_refused(name: str, own: Path, folder: Path) -> None:
    with pytest.raises(BadInput, match="cannot name a model"):
        register(own, name, folder)


def test_a_file_of_another_kind_is_refused(tmp_path: Path, folder: Path) -> None:
    page = tmp_path / "page.gguf"
    page.write_text("<html>")
    with pytest.raises(BadInput, match="not a GGUF file"):
        register(page, "page", folder)
