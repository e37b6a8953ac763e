"""A worker that stops at a named place until it is told to go on.

``python -m tests.faults.worker_process`` with ``FAULT_POINT`` and ``FAULT_FOLDER`` in its
environment: it writes ``reached`` there the first time it comes to that place, and waits for
``go``.
"""

import asyncio
import os
from pathlib import Path

from arvel.kernel.bootstrap import lifespan

from app.jobs import faults
from app.worker.pace import Pace
from app.worker.queue import Queue
from bootstrap.app import create_app

PACE = Pace(heartbeat=0.5, abandoned=2.0, look=0.5, block=0.5)
"""Everything as in real life, but in less time."""


def stop_at(point: str, folder: Path) -> None:
    async def hook(reached: str) -> None:
        if reached != point or (folder / "reached").exists():
            return
        (folder / "reached").touch()
        while not (folder / "go").exists():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.02)

    faults.use(hook)


async def main() -> None:
    point = os.environ.get("FAULT_POINT")
    if point:
        stop_at(point, Path(os.environ["FAULT_FOLDER"]))
    async with lifespan(create_app()) as application:
        queue: Queue = application.make("queue")
        queue.pace = PACE
        await queue.work()


if __name__ == "__main__":
    asyncio.run(main())
