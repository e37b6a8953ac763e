"""Settings of what is shown to those who watch."""

from app.configuration.kinds import Text
from app.configuration.setting import Section, Setting

LEAST = 16

METRICS = Section(
    "Metrics and health",
    "Metrics for Prometheus are at `/metrics` of the web process and on a worker's"
    " `WORKER_METRICS_PORT`; [what they mean](metrics.md).",
    (
        Setting(
            "METRICS_TOKEN",
            "metrics.token",
            Text(f"{LEAST} characters or more", lambda text: not text or len(text) >= LEAST),
            "Sent as `Authorization: Bearer …`, it lets a scraper read metrics, and see at"
            " `/health` what is down. Unset, only this machine may read metrics.",
            secret=True,
        ),
    ),
)
