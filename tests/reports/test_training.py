"""The report of a training: both curves beside the base, and no claim that was not measured."""

import json

import pytest

from novum.core.trained import CurvePoint, TrainedModel, best_point
from novum.training.report.page import render_training, render_training_page, write_training
from novum.training.report.phrases import headline, rows
from novum.training.report.plots import plots
from novum.training.report.records import TrainingReport


def point(step, loss, rmse=None, choosing=None):
    return CurvePoint(
        step=step, seconds=60 * step, held_out_loss=loss, by_task={"all": loss, "idea-review": loss + 0.1},
        rating_rmse=rmse, rating_rmse_centred=rmse and rmse / 2, choosing_loss=choosing,
    )  # fmt: skip


CURVE = (point(0, 3.0, 0.24, 3.0), point(10, 2.5, 0.16, 2.4), point(20, 2.6, 0.17, 2.6))


def report(curve=CURVE, **more):
    model = TrainedModel(
        name="bees", purpose="judge", base="offline:small", data="d", tasks=("idea-review",), rating_at="start",
        recipe={"lora": {"rank": 16}, "base": "offline:small"}, steps=20, seconds=300, tokens=12345, curve=curve,
        versions={"torch": "2.13"},
    )  # fmt: skip
    told = {
        "best_step": 10, "rows": 200, "held_out_rows": 32, "rated_papers": 40, "choosing_rows": 12,
        "held_out_split": "test", "constant_rmse": 0.16, "constant_rmse_centred": 0.1,
    }  # fmt: skip
    return TrainingReport(model=model, **told | more)


def test_the_headline_sets_what_is_kept_beside_the_base():
    said = headline(report().model)
    assert "held-out loss 2.500 instead of 3.000, better" in said
    assert "expected rating 0.160 instead of 0.240, better" in said


def test_a_change_for_the_worse_is_reported():
    worse = (point(0, 2.0, 0.1), point(10, 2.5, 0.2))
    assert headline(report(worse).model).count("no better") == 3


def test_without_evaluations_the_change_is_unknown():
    assert "the change is unknown" in headline(report(()).model)
    assert plots(report(())) == ()
    assert "Nothing was evaluated" in render_training_page(report(()))


def test_the_adapter_that_is_used_is_marked_in_the_table():
    assert [row[0] for row in rows(report().model)] == ["base", "used", ""]
    assert best_point(CURVE).step == 10


def test_both_curves_are_drawn_with_the_base_and_what_a_constant_would_do(tmp_path):
    found = plots(report())
    assert [plot.name for plot in found] == ["loss", "rating"]
    assert "one rating for all" in json.dumps(found[1].specification)
    files = write_training(report(), tmp_path)
    assert files.html.is_file()
    assert sorted(file.name for file in (tmp_path / "charts").iterdir()) == [
        "loss.png",
        "loss.svg",
        "rating.png",
        "rating.svg",
    ]


def test_without_ratings_there_is_one_curve_and_no_word_of_the_other():
    bare = report((point(0, 3.0), point(10, 2.5)), rated_papers=0, constant_rmse=None, constant_rmse_centred=None)
    assert [plot.name for plot in plots(bare)] == ["loss"]
    assert "RMSE of" not in render_training(bare)
    assert "expected rating" not in render_training(bare)


@pytest.mark.parametrize("render", [render_training_page, render_training])
def test_a_hostile_name_stays_text(render):
    named = report().model.model_copy(update={"name": "<script>alert(1)</script>", "base": "a|b<img src=x>"})
    page = render(report().model_copy(update={"model": named}))
    assert "<script" not in page and "<img src=x" not in page


def test_a_training_that_was_stopped_says_so():
    stopped = report().model.model_copy(update={"finished": False})
    assert "stopped before the recipe's end" in headline(stopped)


def test_a_model_that_tells_no_papers_apart_is_not_praised_without_saying_so():
    level = {"constant_rmse_centred": 0.07}
    assert "one rating for all papers has an error of 0.070" in render_training(report(**level))
    assert "does not distinguish papers yet" in render_training_page(report(**level))
    assert "does not distinguish papers yet" not in render_training(report())


def test_rows_that_were_cut_are_reported():
    told = render_training(report(prompts_cut=180, completions_cut=1, left_out=2))
    assert "Cut to length: 180 prompts and 1 completion; 2 rows did not fit and were skipped." in told
    assert "Cut to length" not in render_training(report())
