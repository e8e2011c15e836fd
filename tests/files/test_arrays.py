"""Stored arrays: what is read is what was written, or it is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.files.arrays import ModelState, load_state, save_state

STATE = ModelState({"a": np.arange(12.0).reshape(3, 4), "b": np.ones(2)}, {"size": 3}, {"words.txt": b"lever\n"})
FILES = ("m.safetensors", "m.json", "m/words.txt")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("state")
    save_state(folder, "m", STATE)
    return folder


def test_what_was_written_is_read(written):
    state = load_state(written, "m")
    assert np.array_equal(state.arrays["a"], STATE.arrays["a"])
    assert (dict(state.facts), dict(state.files)) == ({"size": 3}, {"words.txt": b"lever\n"})


@given(name=st.sampled_from(FILES), place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_a_single_bit_that_changed_is_noticed(written, name, place, bit):
    file = written / name
    before = file.read_bytes()
    damaged = bytearray(before)
    damaged[place % len(damaged)] ^= 1 << bit
    file.write_bytes(damaged)
    try:
        state = load_state(written, "m")
    except (ValueError, OSError):
        return
    finally:
        file.write_bytes(before)
    assert name == "m.json"  # a name in another spelling, such as that of the checksum itself, which is then missing
    assert "checksum" not in json.loads(bytes(damaged).decode("utf-8", "replace"))
    assert np.array_equal(state.arrays["a"], STATE.arrays["a"])


def test_a_state_of_a_former_version_has_no_checksum_and_is_read(written, tmp_path):
    save_state(tmp_path, "m", STATE)
    (tmp_path / "m.json").write_text('{"size": 3}')
    assert dict(load_state(tmp_path, "m").facts) == {"size": 3}
