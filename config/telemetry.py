"""OpenTelemetry, off unless it is asked for."""

from arvel import env

# Arvel reads this section before anything has looked at it: whatever is given must have a type
# that fits, or not even `arvel --help` would know the commands that say what is wrong.
ON = (True, "1")

config = {
    "enabled": env("OTEL_ENABLED", False) in ON,
    "service_name": str(env("OTEL_SERVICE_NAME", "pillarbox")),
    "exporter": str(env("OTEL_TRACES_EXPORTER", "otlp")),
    "endpoint": str(env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318/v1/traces")),
    "prometheus": env("OTEL_PROMETHEUS", False) in ON,
    "sentry_dsn": str(env("SENTRY_DSN", "")),
}
