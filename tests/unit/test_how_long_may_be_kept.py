"""Settings that would lose what is still needed are refused with what to do."""

import msgspec
import pytest

from app.settings import RetentionSettings


def test_history_is_not_kept_for_less_than_35_days() -> None:
    with pytest.raises(msgspec.ValidationError, match="HISTORY_KEEP_DAYS must be at least 35"):
        RetentionSettings.from_source({"history_keep_days": 34.9})
    assert RetentionSettings.from_source({"history_keep_days": "35"}).history_keep_days == 35


@pytest.mark.parametrize("name", ["max_files_age_in_seconds", "raw_event_keep_days"])
def test_nothing_is_kept_for_less_than_no_time(name: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="0 or more"):
        RetentionSettings.from_source({name: -1})


def test_without_settings_files_and_history_are_kept_for_good() -> None:
    settings = RetentionSettings.from_source({})
    assert settings.max_files_age_in_seconds is None
    assert settings.history_keep_days is None


@pytest.mark.parametrize("age", [0, 59, 60, 604_800])
def test_what_a_late_look_missed_is_seen_by_the_next(age: float) -> None:
    settings = RetentionSettings.from_source({"max_files_age_in_seconds": age})
    assert settings.clean_window >= 3 * settings.clean_every
    assert settings.clean_every <= max(5, age)
