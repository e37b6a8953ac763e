"""Calls our webhooks as a provider does: each message's reports in order, several at once."""

import asyncio
import contextlib
import itertools
import json
import uuid
from collections.abc import AsyncIterator, Iterable
from urllib.parse import parse_qs

import aiohttp

from bench.callbacks import Callback, of_email, of_sms

CONNECTIONS = 16
AGAIN_S = 0.5


class Reporter:
    """Repeats what is not answered by 2xx, as providers do."""

    def __init__(self, address: str, http: aiohttp.ClientSession) -> None:
        self._address = address
        self._http = http
        self._tasks: set[asyncio.Task[None]] = set()

    def report(self, head: bytes, body: bytes, key: uuid.UUID) -> None:
        """On the message that came with this request and got this id."""
        task = asyncio.create_task(self._post_all(self._callbacks(head, body, key)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _callbacks(self, head: bytes, body: bytes, key: uuid.UUID) -> Iterable[Callback]:
        if head.split(b" ", 2)[1].endswith(b"/Messages.json"):
            receiver = parse_qs(body.decode())["To"][0]
            return of_sms(self._address, f"SM{key.hex}", receiver)
        message = json.loads(body)
        receiver = message["To"].rpartition("<")[2].rstrip(">")
        return of_email(str(key), receiver, message.get("Metadata", {}))

    async def _post_all(self, callbacks: Iterable[Callback]) -> None:
        for one in callbacks:
            await self._post(one)

    async def _post(self, one: Callback) -> None:
        for wait in itertools.repeat(AGAIN_S):
            if await self._is_taken(one):
                return
            await asyncio.sleep(wait)

    async def _is_taken(self, one: Callback) -> bool:
        with contextlib.suppress(aiohttp.ClientError, TimeoutError):
            url = self._address + one.path
            async with self._http.post(url, data=one.body, headers=one.headers) as answer:
                await answer.read()
                return answer.ok
        return False


@contextlib.asynccontextmanager
async def reporting(address: str) -> AsyncIterator[Reporter]:
    connector = aiohttp.TCPConnector(limit=CONNECTIONS)
    async with aiohttp.ClientSession(connector=connector) as http:
        yield Reporter(address, http)
