"""A client of Redis that writes once for all who ask in the same turn of the event loop."""

import asyncio
from typing import Any, cast, override

from redis.asyncio import Redis

type Asked = tuple[tuple[Any, ...], dict[str, Any], asyncio.Future[Any]]
"""A command, its options, and who waits for the answer."""


class Gathered(Redis):
    """Commands share round trips; each has an answer or an error of its own."""

    def __init__(self, **options: Any) -> None:
        cast("Any", super()).__init__(**options)
        self._asked: list[Asked] = []
        self._exchanges: set[asyncio.Task[None]] = set()

    @override
    async def execute_command(self, *args: Any, **options: Any) -> Any:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        self._asked.append((args, options, answer))
        if len(self._asked) == 1:
            loop.call_soon(self._send)
        return await answer

    def _send(self) -> None:
        asked, self._asked = self._asked, []
        exchange = asyncio.create_task(self._exchange(asked))
        self._exchanges.add(exchange)
        exchange.add_done_callback(self._exchanges.discard)

    async def _exchange(self, asked: list[Asked]) -> None:
        pipeline: Any = self.pipeline(transaction=False)
        for args, options, _ in asked:
            pipeline.execute_command(*args, **options)
        answers: list[Any]
        try:
            answers = await pipeline.execute(raise_on_error=False)
        except Exception as error:
            answers = [error] * len(asked)
        for (_, _, answer), said in zip(asked, answers, strict=True):
            if answer.done():
                continue  # whoever asked has given up
            if isinstance(said, BaseException):
                answer.set_exception(said)
            else:
                answer.set_result(said)
