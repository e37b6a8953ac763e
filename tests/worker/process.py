"""A worker in a process of its own: ``python -m tests.worker.process '{"pace": {…}, …}'``."""

import asyncio
import json
import sys
from typing import Any

from arvel.kernel.bootstrap import lifespan

from app.worker.pace import Pace
from app.worker.queue import Queue
from tests.worker.application import create_app


async def main(pace: dict[str, float], work: dict[str, Any]) -> None:
    async with lifespan(create_app()) as application:
        queue: Queue = application.make("queue")
        queue.pace = Pace(**pace)
        queue.ticks = []
        await queue.work(**work)


if __name__ == "__main__":
    asyncio.run(main(**json.loads(sys.argv[1])))
