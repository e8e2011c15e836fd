"""Commands for processes that may not write everywhere, also where the tests run as root."""

from __future__ import annotations

import os
import shutil

import pytest

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
UNPRIVILEGED = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all"] if ROOT else []
"""Put before a command: without what allows root to write everywhere."""
needs_permissions = pytest.mark.skipif(
    os.name != "posix" or (ROOT and shutil.which("setpriv") is None), reason="needs a user who may not write everywhere"
)
