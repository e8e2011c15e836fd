"""Files are written over files alone."""

from __future__ import annotations

import os
import stat

import pytest

from novum.files.atomic import write_atomic
from novum.files.tables import write_rows


@pytest.mark.parametrize("through_a_link", [False, True])
def test_a_pipe_is_not_replaced_by_a_file(tmp_path, through_a_link):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    name = pipe
    if through_a_link:
        name = tmp_path / "link"
        name.symlink_to(pipe)
    for write in (lambda: write_atomic(name, "text"), lambda: write_rows([{"a": 1}], ["a"], name)):
        with pytest.raises(OSError, match="a pipe or a socket, and a file is wanted"):
            write()
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert name.is_symlink() == through_a_link
    assert len(list(tmp_path.iterdir())) == 1 + through_a_link
