"""What a worker needs of the application's service providers: nothing that serves pages."""

from app.providers.commands import CommandProvider
from app.providers.configuration import ConfigurationProvider
from app.providers.database import DatabaseProvider
from app.providers.dispatch import DispatchProvider
from app.providers.metrics import MetricsProvider
from app.providers.queue import QueueProvider
from app.providers.telemetry import TelemetryProvider

providers = [
    ConfigurationProvider,
    TelemetryProvider,
    DatabaseProvider,
    QueueProvider,
    DispatchProvider,
    CommandProvider,
    MetricsProvider,
]
