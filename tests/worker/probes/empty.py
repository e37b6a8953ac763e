"""A job that does nothing, for measuring what the way to it costs."""

from arvel.queue import Job


class Empty(Job):
    tries = 1

    def __init__(self, key: str) -> None:
        self.key = key

    async def handle(self) -> None: ...
