"""Settings of the REST API."""

from app.configuration.kinds import Whole
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
    ),
)
