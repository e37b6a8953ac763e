"""The application with its database and queue alone, for processes that work on throw-away jobs."""

from typing import Any, override

from arvel.kernel import Application

from app.providers.database import DatabaseProvider
from app.providers.queue import QueueProvider
from app.worker.guard import KnownJob
from app.worker.known import Known
from app.worker.queue import Queue
from bootstrap.app import BASE_PATH
from tests.worker import probes
from tests.worker.probes.callbacks import caught, finished
from tests.worker.probes.notes import note
from tests.worker.probes.stored import STORED


class ProbesProvider(QueueProvider):
    @override
    def _queue(self, _old: Any, app: Any) -> Queue:
        queue = Queue(app, known=Known(probes))
        for job_cls in STORED:
            queue.allow(job_cls)
        queue.allow_callback(caught)
        queue.allow_callback(finished)
        queue.on_poisoned = note_poisoned
        return queue


async def note_poisoned(job: KnownJob) -> None:
    await note("poisoned", f"{job.job_cls.__name__} {job.arguments['key']}")


def create_app() -> Application:
    return (
        Application.configure(str(BASE_PATH))
        .with_config_dir(BASE_PATH / "config")
        .with_providers([DatabaseProvider, ProbesProvider])
        .create()
    )
