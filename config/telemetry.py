"""OpenTelemetry, off unless it is asked for."""

from arvel import env

config = {
    "enabled": env("OTEL_ENABLED", False),
    "service_name": env("OTEL_SERVICE_NAME", "pillarbox"),
    "exporter": env("OTEL_TRACES_EXPORTER", "otlp"),
    "endpoint": env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318/v1/traces"),
    "prometheus": env("OTEL_PROMETHEUS", False),
    "sentry_dsn": env("SENTRY_DSN", ""),
}
