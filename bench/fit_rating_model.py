"""Fits the rating model and the table of fluency that come with Novum, and writes them into the package.

    python bench/fit_rating_model.py ../shared/data/reviews.jsonl.gz ../shared/data/reviews_scores_only.jsonl.gz

Only numbers are written: weights of hashed words, and counts of classes of words. No text can be read from them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from novum.benchmarks.metric_validation.outcomes import OutcomeLog
from novum.benchmarks.metric_validation.reviewed_texts import read_reviewed_texts
from novum.idea_metrics import fluency
from novum.idea_metrics.review_rating import fit_rating_model, save_rating_model, storage


def main(files: list[Path]) -> None:
    """Writes both files, and prints the card."""
    papers = read_reviewed_texts(files, OutcomeLog())
    table = fluency.Fluency.of_texts(each.whole for each in papers)
    np.savez_compressed(Path(fluency.__file__).with_name("fluency.npz"), **table.state().arrays)
    fluency.english.cache_clear()
    model = fit_rating_model(papers)
    save_rating_model(model, Path(storage.__file__).with_name("default"))
    print(model.card.model_dump_json(indent=1))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", nargs="+", type=Path, help="reviewed papers: JSON lines, also gzipped")
    main(options.parse_args().files)
