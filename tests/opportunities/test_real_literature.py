"""On genuine papers, where they are at hand: the forecast ranks pairs better than any simple score."""

import asyncio
import os
from pathlib import Path

import pytest

from novum.literature import Library, import_file
from novum.opportunities.building import evaluate_forecast
from novum.opportunities.settings import OpportunitySettings

DATA = Path(os.environ.get("NOVUM_TEST_DATA", Path(__file__).parents[3] / "shared" / "data"))
FILES = [file for name in ("papers_aan.jsonl.gz", "papers.jsonl.gz") if (file := DATA / name).is_file()]


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_model_is_surely_better_than_the_best_simple_score(file, tmp_path):
    with Library.open(tmp_path / "library") as library:
        import_file(library, file)
        found = asyncio.run(evaluate_forecast(library, OpportunitySettings(), years=2, most=100_000, draws=40))
    sure = {margin.measure: margin.sure for margin in found.margins}
    assert sure["auc"]
    assert sure["average_precision"]
    assert 0.6 < found.calibration.ratio.value < 1.6
