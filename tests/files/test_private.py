"""The home is for its owner alone, whatever the umask; a settings file with a password is to be so too."""

from __future__ import annotations

import os
import stat
import warnings

import pytest

from novum.errors import CredentialsExposed
from novum.files.private import make_private_folder
from novum.ledger import Ledger
from novum.literature import Library
from novum.settings import load_settings


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request):
    before = os.umask(request.param)
    yield
    os.umask(before)


def others(place):
    return stat.S_IMODE(place.stat().st_mode) & 0o077


@pytest.mark.usefixtures("umask")
def test_what_is_made_below_home_is_for_its_owner_alone(tmp_path):
    home = tmp_path / "deep" / "home"
    with Ledger.open(home / "ledger.sqlite"), Library.open(home / "library"):
        pass
    assert not any(map(others, (home, home.parent, home / "ledger.sqlite", home / "library")))
    assert not [file for file in home.rglob("ledger.sqlite*") if others(file)]


@pytest.mark.usefixtures("umask")
def test_so_is_what_a_link_in_the_home_names(tmp_path):
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    make_private_folder(home / "library")
    elsewhere.mkdir()
    (home / "ledger.sqlite").symlink_to(elsewhere / "ledger.sqlite")
    (home / "library" / "library.db").symlink_to(elsewhere / "library.db")
    with Ledger.open(home / "ledger.sqlite"), Library.open(home / "library"):
        pass
    assert {file.name for file in elsewhere.iterdir()} >= {"ledger.sqlite", "library.db"}
    assert not [file for file in elsewhere.iterdir() if others(file)]


def test_a_folder_that_exists_keeps_its_permissions(tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o775)
    make_private_folder(tmp_path / "shared" / "new")
    assert others(tmp_path / "shared") == 0o075
    assert not others(tmp_path / "shared" / "new")


def load(folder, text, mode):
    file = folder / "novum.toml"
    file.write_text(text)
    file.chmod(mode)
    return load_settings({"home": str(folder)}, environment={}, folder=folder / "elsewhere")


WITH_PASSWORD = (
    'base_url = "http://me:a-password@127.0.0.1:9/v1"',
    'judges = "server:m@http://127.0.0.1:9/v1?api_key=a-long-key-1"',
    'library = "postgresql://me:a-password@127.0.0.1:9/papers"',
    '[source_addresses]\nopenalex = "http://me:a-password@127.0.0.1:9"',
)


@pytest.mark.parametrize("text", WITH_PASSWORD)
def test_a_settings_file_with_a_password_that_others_may_read_is_warned_of(tmp_path, text):
    with pytest.warns(CredentialsExposed, match="chmod 600"):
        load(tmp_path, text, 0o644)


@pytest.mark.parametrize(("text", "mode"), [(WITH_PASSWORD[0], 0o600), ("seed = 1", 0o644)])
def test_no_warning_where_nothing_is_exposed(tmp_path, text, mode):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load(tmp_path, text, mode)
