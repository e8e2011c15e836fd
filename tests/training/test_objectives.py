"""The objectives on preferences, against their equations computed by hand."""

import math

import pytest

from novum.training.recipes.recipe import Preference

pytestmark = pytest.mark.train


def loss(scores, rows, objective):
    import torch

    from novum.training.finetuning.preferences.objectives import objective_loss

    return float(objective_loss(torch.tensor(scores), torch.tensor(rows), objective))


def test_softmax_is_minus_the_log_of_the_share_of_the_chosen_one():
    scores = [1.0, 0.2, -0.5]
    share = math.exp(1.0) / sum(map(math.exp, scores))
    assert loss(scores, [0, 0, 0], "softmax") == pytest.approx(-math.log(share))


def test_pairwise_is_the_mean_over_the_rejected_ones():
    by_hand = [-math.log(math.exp(1.0) / (math.exp(1.0) + math.exp(worse))) for worse in (0.2, -0.5)]
    assert loss([1.0, 0.2, -0.5], [0, 0, 0], "pairwise") == pytest.approx(sum(by_hand) / 2)


def test_with_one_rejected_idea_both_are_the_same():
    scores, rows = [0.3, 0.9, -2.0, 1.0], [0, 0, 1, 1]
    assert loss(scores, rows, "softmax") == pytest.approx(loss(scores, rows, "pairwise"))


def test_rows_count_equally_however_many_candidates_they_have():
    both = loss([1.0, 0.0, 0.5, 0.1, 0.2], [0, 0, 1, 1, 1], "softmax")
    alone = loss([1.0, 0.0], [0, 0], "softmax"), loss([0.5, 0.1, 0.2], [0, 0, 0], "softmax")
    assert both == pytest.approx(sum(alone) / 2)


def test_a_mean_score_does_not_prefer_short_ideas():
    import torch

    from novum.training.finetuning.preferences.objectives import scores_of

    log_probabilities, lengths = torch.tensor([-10.0, -20.0]), torch.tensor([10, 20])
    mean = scores_of(log_probabilities, lengths, Preference(score="mean", beta=1.0))
    assert mean.tolist() == pytest.approx([-1, -1])
    assert scores_of(log_probabilities, lengths, Preference(beta=0.5)).tolist() == pytest.approx([-5, -10])


def test_a_batch_has_the_chosen_candidate_of_each_row_first():
    from novum.training.finetuning.preferences.trainer import CandidateCollator

    rows = [
        {"prompt_ids": [1, 2], "chosen_ids": [3], "rejected_ids": [4, 5], "more_ids": [[6]]},
        {"prompt_ids": [7], "chosen_ids": [8], "rejected_ids": [9], "more_ids": []},
    ]
    batch = CandidateCollator(0)(rows)
    assert batch["rows"].tolist() == [0, 0, 0, 1, 1]
    assert batch["input_ids"].tolist() == [[1, 2, 3, 0], [1, 2, 4, 5], [1, 2, 6, 0], [7, 8, 0, 0], [7, 9, 0, 0]]
    assert batch["completion_mask"].tolist() == [[0, 0, 1, 0], [0, 0, 1, 1], [0, 0, 1, 0], [0, 1, 0, 0], [0, 1, 0, 0]]
