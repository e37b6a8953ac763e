"""The application's service providers; those of arvel and of packages are found by themselves."""

from app.providers.dispatch import DispatchProvider
from app.providers.queue import QueueProvider

from app.providers.database import DatabaseProvider

providers = [DatabaseProvider, QueueProvider, DispatchProvider]
