"""The application's service providers; those of arvel and of packages are found by themselves."""

from app.providers.api import ApiProvider
from app.providers.commands import CommandProvider
from app.providers.configuration import ConfigurationProvider
from app.providers.console import ConsoleProvider
from app.providers.database import DatabaseProvider
from app.providers.dispatch import DispatchProvider
from app.providers.metrics import MetricsProvider
from app.providers.queue import QueueProvider
from app.providers.telemetry import TelemetryProvider
from app.providers.transports import TransportProvider

providers = [
    ConfigurationProvider,
    TelemetryProvider,
    DatabaseProvider,
    QueueProvider,
    DispatchProvider,
    CommandProvider,
    MetricsProvider,
    TransportProvider,
    ApiProvider,
    ConsoleProvider,
]
