"""Studies: ideas judged by people, blind and in balanced random order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from novum.api.running import SettingOptions, synchronous
from novum.settings import LoadedSettings, load_settings
from novum.studies.records import CONSENT, Study
from novum.studies.results import StudyResult, study_result
from novum.studies.setup import StudyPlan, study_from
from novum.studies.storage import StudyStore
from novum.studies.tables import study_tables


def store_of(settings: LoadedSettings) -> StudyStore:
    """The studies of the settings' home folder. Raises StudyError."""
    return StudyStore(settings.values.home)


async def create_study_async(
    title: str,
    *,
    ideas: Sequence[str],
    questions: str = "ratings",
    per_participant: int = 10,
    checks: int = 1,
    consent: str = "",
    **settings: Unpack[SettingOptions],
) -> Study:
    """Sets up a study and stores it.

    `ideas`: runs of `ideate`, reports and tables of ideas. `questions`: the form: ratings, pairs, preference, grades or
    decision. `per_participant`: items that one participant judges. `checks`: attention checks among them. The setting
    `seed` is that of the random orders. Raises BadInput.
    """
    loaded = load_settings(dict(settings))
    plan = StudyPlan(title, questions, tuple(ideas), per_participant, checks, consent or CONSENT)
    study = study_from(replace(plan, seed=loaded.values.seed), loaded)
    return store_of(loaded).add(study)


async def study_results_async(study: str, **settings: Unpack[SettingOptions]) -> StudyResult:
    """Agreement of the participants, scores, and agreement with model judges. `study`: an id, or `last`."""
    store = store_of(load_settings(dict(settings)))
    found = store.study(study)
    return study_result(found, store.participants(found.id), store.answers(found.id), store.comments(found.id))


async def study_files_async(study: str, **settings: Unpack[SettingOptions]) -> dict[str, str]:
    """The answers and comments of a study as CSV texts, by the names of their files."""
    store = store_of(load_settings(dict(settings)))
    found = store.study(study)
    return study_tables(found, store.participants(found.id), store.answers(found.id), store.comments(found.id))


create_study = synchronous(create_study_async)
study_results = synchronous(study_results_async)
study_files = synchronous(study_files_async)

__all__ = [
    "create_study", "create_study_async", "study_files", "study_files_async", "study_results", "study_results_async",
]  # fmt: skip
