"""OpenTelemetry, off unless it is asked for.

Arvel reads ``enabled`` here, which is not set: what it would start by itself sends more than may
leave. ``app/providers/telemetry.py`` starts it in its place.
"""

from arvel import env

# Arvel reads this section before anything has looked at it: whatever is given must have a type
# that fits, or not even `arvel --help` would know the commands that say what is wrong.
ON = (True, "1")

config = {
    "on": env("OTEL_ENABLED", False) in ON,
    "service_name": str(env("OTEL_SERVICE_NAME", "pillarbox")),
    "exporter": str(env("OTEL_TRACES_EXPORTER", "otlp")),
    "endpoint": str(env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318/v1/traces")),
    "prometheus": env("OTEL_PROMETHEUS", False) in ON,
    "sentry_dsn": str(env("SENTRY_DSN", "")),
}
