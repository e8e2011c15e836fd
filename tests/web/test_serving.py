"""Starting the workbench where something is in its way."""

from __future__ import annotations

import pytest

from novum.errors import LedgerError
from novum.settings import load_settings
from novum.web.options import WebOptions

pytest.importorskip("uvicorn")


def test_a_damaged_ledger_ends_the_start_in_one_error_without_a_traceback(home, capfd):
    from novum.web.server import serve

    home.mkdir()
    (home / "ledger.sqlite").write_bytes(b"no database " * 1000)
    said = []
    with pytest.raises(LedgerError, match="ledger"):
        serve(WebOptions(port=0), load_settings({"sources": ["none"]}), said.append)
    assert said == []
    assert "Traceback" not in capfd.readouterr().err
