"""An application's own provider, beside ours."""

from typing import override

from arvel.kernel import Application, ServiceProvider

from app.models.sender import Sender
from app.providers.database import DatabaseProvider
from app.providers.queue import QueueProvider
from app.worker.queue import Queue
from bootstrap.app import BASE_PATH
from tests.worker.documented.jobs import CALLBACKS, JOBS, LISTENERS


class OwnProvider(ServiceProvider):
    @override
    def boot(self) -> None:
        queue: Queue = self.app.make("queue")
        queue.allow_queue("mail", on="high")
        queue.allow_context("tenant", "user_id")
        queue.allow_model(Sender)
        for job_cls in JOBS:
            queue.allow(job_cls)
        for function in CALLBACKS:
            queue.allow_callback(function)
        for listener_cls in LISTENERS:
            queue.allow_listener(listener_cls)


def create_app() -> Application:
    return (
        Application.configure(str(BASE_PATH))
        .with_config_dir(BASE_PATH / "config")
        .with_providers([DatabaseProvider, QueueProvider, OwnProvider])
        .create()
    )
