"""What a setting asks for that must be installed apart."""

from collections.abc import Iterator
from importlib.util import find_spec

from app.configuration.given import Readings
from app.configuration.problem import Problem

RABBITMQ = ("aiormq",)
TELEMETRY = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")


def find_problems(readings: Readings) -> Iterator[Problem]:
    """Looks for packages and imports none; so that what is off costs nothing."""
    if readings.text("QUEUE_CONNECTION") == "amqp" and not _are_installed(*RABBITMQ):
        yield Problem("QUEUE_CONNECTION", _say("a client of RabbitMQ", "amqp"))
    if readings.flag("OTEL_ENABLED") and not _are_installed(*TELEMETRY):
        yield Problem("OTEL_ENABLED", _say("OpenTelemetry", "telemetry"))


def _are_installed(*modules: str) -> bool:
    try:
        return all(find_spec(module) for module in modules)
    except ImportError:
        return False


def _say(what: str, extra: str) -> str:
    return (
        f"needs {what}, which is not installed. Install the extra `{extra}` of pyproject.toml"
        f" (`uv export --extra {extra}`), or set it otherwise."
    )
