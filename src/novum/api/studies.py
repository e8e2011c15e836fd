"""Studies: ideas judged by people, blind and in balanced random order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from novum.api.running import SettingOptions
from novum.settings import LoadedSettings, load_settings
from novum.studies.records import CONSENT, Study
from novum.studies.results import StudyResult, ratings_of, study_result
from novum.studies.setup import StudyPlan, study_from
from novum.studies.storage import StudyStore
from novum.studies.tables import study_tables


def store_of(settings: LoadedSettings) -> StudyStore:
    """The studies of the settings' home folder. Raises StudyError."""
    return StudyStore(settings.values.home)


def create_study(
    title: str,
    *,
    ideas: Sequence[str],
    form: str = "ratings",
    per_participant: int = 10,
    checks: int = 1,
    consent: str = "",
    **settings: Unpack[SettingOptions],
) -> Study:
    """Sets up a study and stores it.

    `ideas`: runs of `ideate`, reports and tables of ideas. `form`: ratings, pairs, preference, grades or decision.
    `per_participant`: items that one participant judges. `checks`: attention checks among them. The setting `seed` is
    that of the random orders. Raises BadInput.
    """
    loaded = load_settings(dict(settings))
    plan = StudyPlan(title, form, tuple(ideas), per_participant, checks, consent or CONSENT)
    study = study_from(replace(plan, seed=loaded.values.seed), loaded)
    return store_of(loaded).add(study)


def study_results(study: str, **settings: Unpack[SettingOptions]) -> StudyResult:
    """Agreement of the participants, scores, and agreement with model judges. `study`: an id, or `last`."""
    store = store_of(load_settings(dict(settings)))
    found = store.study(study)
    return study_result(found, store.participants(found.id), store.answers(found.id), store.comments(found.id))


def study_files(study: str, **settings: Unpack[SettingOptions]) -> dict[str, str]:
    """The answers of a study as CSV texts, by the names of their files."""
    store = store_of(load_settings(dict(settings)))
    found = store.study(study)
    return study_tables(found, ratings_of(found, store.participants(found.id), store.answers(found.id)))


__all__ = ["create_study", "study_files", "study_results"]
