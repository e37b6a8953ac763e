"""The HTTP requests that a web process is answering now."""

import asyncio
from typing import Any

from app.worker.names import log


class OpenRequests:
    """Goes around an ASGI application, so that what is open can be ended."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def around(self, application: Any) -> Any:
        async def served(scope: Any, receive: Any, send: Any) -> None:
            task = asyncio.current_task() if scope["type"] == "http" else None
            if task is None:
                await application(scope, receive, send)
                return
            self._tasks.add(task)
            try:
                await application(scope, receive, send)
            finally:
                self._tasks.discard(task)

        return served

    def cancel(self) -> None:
        """End them all, whatever they wait for."""
        if self._tasks:
            log().warning("requests_cancelled", requests=len(self._tasks))
        for task in list(self._tasks):
            task.cancel()
