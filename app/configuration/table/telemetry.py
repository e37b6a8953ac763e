"""Settings of OpenTelemetry and Sentry."""

from app.configuration.kinds import Choice, Flag, Text
from app.configuration.kinds_of_text import SERVICE_ADDRESS
from app.configuration.setting import Section, Setting

TELEMETRY = Section(
    "Telemetry",
    "Off unless it is asked for; see [how to trace](../how-to/trace.md).",
    (
        Setting(
            "OTEL_ENABLED",
            "",
            Flag(),
            "Sends traces and metrics; wants the extra `telemetry`.",
            False,
        ),
        Setting(
            "OTEL_SERVICE_NAME", "telemetry.service_name", Text(), "Our name there.", "pillarbox"
        ),
        Setting(
            "OTEL_TRACES_EXPORTER",
            "telemetry.exporter",
            Choice(("otlp", "console", "memory")),
            "Where traces go.",
            "otlp",
        ),
        Setting(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "telemetry.endpoint",
            SERVICE_ADDRESS,
            "The collector.",
            "http://localhost:4318/v1/traces",
        ),
        Setting(
            "OTEL_PROMETHEUS",
            "",
            Flag(),
            "Keeps OpenTelemetry from pushing metrics; `/metrics` shows those of Pillarbox anyway.",
            False,
        ),
        Setting(
            "SENTRY_DSN",
            "telemetry.sentry_dsn",
            Text(),
            "Sends the kinds and places of errors to Sentry, while `OTEL_ENABLED` is on.",
            secret=True,
        ),
    ),
)
