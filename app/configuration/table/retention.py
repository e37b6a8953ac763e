"""Settings of how long what is done is kept."""

from app.configuration.kinds import Number, OrUnset
from app.configuration.setting import Section, Setting

CENTURY = 36_525.0
LEAST_DAYS = 35
"""Longer than the slowest report of any provider, so that one finds its message."""

RETENTION = Section(
    "Keeping what is done",
    "Nothing that is not done is ever removed.",
    (
        Setting(
            "MAX_FILES_AGE_IN_SECONDS",
            "dispatch.max_files_age_in_seconds",
            OrUnset(Number("seconds", CENTURY * 86_400, least=0)),
            "Attachments are removed so long after the last message that has them is done; 0 at"
            " once. A retry or a copy is then refused; a week leaves time for late bounces.",
            otherwise="they are kept",
        ),
        Setting(
            "HISTORY_KEEP_DAYS",
            "dispatch.history_keep_days",
            OrUnset(Number("days", CENTURY, least=LEAST_DAYS)),
            "Messages are removed so long after they are done, with their history.",
            otherwise="they are kept",
        ),
        Setting(
            "RAW_EVENT_KEEP_DAYS",
            "dispatch.raw_event_keep_days",
            Number("days", CENTURY, least=0),
            "What providers reported, word for word; what it meant is kept longer.",
            30.0,
        ),
    ),
)
