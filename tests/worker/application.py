"""The application with its database and queue alone, for processes that work on throw-away jobs."""

from typing import Any, override

from arvel.kernel import Application

from app.providers.database import DatabaseProvider
from app.providers.queue import QueueProvider
from app.worker.known import Known
from app.worker.queue import Queue
from bootstrap.app import BASE_PATH
from tests.worker import probes


class ProbesProvider(QueueProvider):
    @override
    def _queue(self, _old: Any, app: Any) -> Queue:
        return Queue(app, known=Known(probes))


def create_app() -> Application:
    return (
        Application.configure(str(BASE_PATH))
        .with_config_dir(BASE_PATH / "config")
        .with_providers([DatabaseProvider, ProbesProvider])
        .create()
    )
