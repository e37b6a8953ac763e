"""Settings of the REST API."""

from app.configuration.kinds import Number, Whole
from app.configuration.setting import Section, Setting

API = Section(
    "The REST API",
    "Bounds of single tokens are set where a token is issued (`arvel dispatch:token`).",
    (
        Setting(
            "API_RATE_LIMIT",
            "api.rate_limit",
            Whole(1, 1_000_000),
            "Requests that a token may make in a minute.",
            600,
        ),
        Setting(
            "API_IDEMPOTENCY_KEEP_HOURS",
            "api.idempotency_keep_hours",
            Number("hours", 8760, least=24),
            "How long an `Idempotency-Key` is remembered at least, and what it was answered with.",
            168.0,
        ),
    ),
)
