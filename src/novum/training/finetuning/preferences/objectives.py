"""The objectives of training on preferences without a reference model, as losses of the candidates' scores."""

from __future__ import annotations

import torch

from novum.training.recipes.recipe import Objective, Preference


def scores_of(log_probabilities: torch.Tensor, lengths: torch.Tensor, preference: Preference) -> torch.Tensor:
    """The scores s(x | p) of candidates, shape (n,): β times the log-probability of each (DBLP study, equation 27), or
    of its mean token. `lengths`: tokens of each."""
    if preference.score == "mean":
        log_probabilities = log_probabilities / lengths.clamp(min=1)
    return preference.beta * log_probabilities


def objective_loss(scores: torch.Tensor, rows: torch.Tensor, objective: Objective) -> torch.Tensor:
    """The mean loss of rows, in nats. `rows`: the number of each candidate's row, shape (n,); the first candidate of a
    row is the chosen one.

    `softmax`: −log exp(s) / (exp(s) + Σ_j exp(s̄_j)) over all candidates of a row (DBLP study, equations 14 to 16, and
    19). `pairwise`: the same for each rejected candidate alone, averaged over these (equations 24 and 25). With one
    rejected candidate both are −log σ(s − s̄).
    """
    losses = []
    for row in rows.unique():
        own = scores[rows == row]
        if objective == "softmax":
            losses.append(torch.logsumexp(own, dim=0) - own[0])
        else:
            losses.append(torch.nn.functional.softplus(own[1:] - own[0]).mean())
    return torch.stack(losses).mean()
