"""Where real papers lie, on machines that have them."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(os.environ.get("NOVUM_TEST_DATA", Path(__file__).parents[4] / "shared" / "data")) / "pdf"
PAPERS = sorted(FOLDER.glob("*.pdf"))
PARSED = [path for path in PAPERS if path.with_suffix(".tei.xml").exists()]
