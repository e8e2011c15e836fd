"""Who judges or reads answers without chance, and who writes does not: by the form of the answer, in every method."""

from __future__ import annotations

import pytest

WITHOUT_CHANCE = {
    "Acceptance", "AnchorChoice", "CrossRelations", "GroupRouting", "IdeaParts", "InnerRelations", "Signals",
    "Appraisal", "Assessments", "Ballot", "Comparison", "Critique", "Criticism",
    "Finding", "Findings", "Grades", "Likeness", "Prospects", "Reading",
    "Remark", "Screening", "SeedChoices", "Sharper", "WeaknessQuestion",
}  # fmt: skip
QUICK = {
    "ai-researcher": {"seeds": 3, "batch": 3, "proposals": 2, "rounds": 1, "searches": 1},
    "ai-scientist": {"ideas": 1},
    "chain-of-ideas": {"branches": 2},
    "evolution": {"population": 2, "generations": 1, "offspring": 1, "tournament_rounds": 1},
    "gpt-researcher": {"questions": 1},
    "plain": {"drafts": 2, "novelty": True},
    "portfolio": {"seeds": 6, "developed": 2, "attack_rounds": 1},
    "rag": {"drafts": 2, "novelty": True},
    "research-agent": {"rounds": 1},
    "deep-innovator": {"nearest": 2, "rounds": 1},
    "sci-agents": {"ideas": 1},
    "spark": {"ideas": 2, "rounds": 1, "judge": "reader"},
    "virtual-team": {"members": 2, "rounds": 1},
}


@pytest.mark.parametrize("method", QUICK)
def test_answers_that_judge_or_read_are_asked_for_at_temperature_zero_and_others_are_not(generate, serve, method):
    server = serve()
    generate(server, method=method, **QUICK[method])
    assert server.asked
    at_zero = {asked.form for asked in server.asked if asked.body["temperature"] == 0}
    others = {asked.form for asked in server.asked if asked.body["temperature"] > 0}
    expected = WITHOUT_CHANCE - ({"Remark"} if method == "virtual-team" else set())  # there a remark is written
    assert at_zero <= expected
    assert others & expected == set()
