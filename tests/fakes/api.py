"""A provider's HTTP API on a real socket of the loopback, as far as all of them are alike.

::

    async with FakeResend() as resend:
        config = ResendConfig(api_key=resend.key, base_url=resend.base_url)

A subclass names its ``routes``: those that take a message end in :meth:`FakeApi.take`. It says what
the credentials must be (``refusal``), who the receiver is (``receiver_of``), what is answered
(``answer``), and what the keys of a message are (``metadata_of``).

Behaviour is changed while it runs: ``next_sends`` (faults for the next messages, in order),
``for_receiver`` (a fault for one address), ``accepted_before_fault`` (a message is taken although
its answer is spoiled), ``next_searches`` (faults for the next questions).

Seen afterwards: ``bodies`` and ``headers`` of each message as received, ``queries``, ``taken``
(bodies of the messages that were accepted), ``requests`` by kind, ``open_connections``. ``stop``
and ``start`` keep the port; ``go_deaf`` accepts connections there and never says a word.
"""

import asyncio
import ssl
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Self

from aiohttp import web

from local.ports import HOST, free_port
from tests.fakes.twilio_faults import Fault


def answer_with(body: Any, status: int = 200, **headers: str) -> Fault:
    """This answer, whatever was sent; header names with ``_`` for ``-``."""

    async def answer(request: web.Request, resource: dict[str, Any]) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.json_response(body, status=status, headers=named)

    return answer


class FakeApi:
    def __init__(self, *, tls: ssl.SSLContext | None = None) -> None:
        self.port = free_port()
        self.base_url = f"{'https' if tls else 'http'}://{HOST}:{self.port}"
        self.next_sends: list[Fault] = []
        self.next_searches: list[Fault] = []
        self.for_receiver: dict[str, Fault] = {}
        self.accepted_before_fault = False
        self.requests: Counter[str] = Counter()
        self.bodies: list[bytes] = []
        self.headers: list[Mapping[str, str]] = []
        self.queries: list[dict[str, str]] = []
        self.taken: list[bytes] = []
        self._tls = tls
        self._runner: web.AppRunner | None = None
        self._deaf: asyncio.Server | None = None
        self._silent: set[asyncio.StreamWriter] = set()

    # what a provider says of itself

    def routes(self) -> Sequence[web.RouteDef]:
        raise NotImplementedError

    def refusal(self, request: web.Request) -> web.StreamResponse | None:
        """For wrong credentials, or a body of a wrong type."""
        raise NotImplementedError

    def receiver_of(self, body: bytes) -> str:
        raise NotImplementedError

    def answer(self, body: bytes) -> Any:
        """The JSON of an acceptance."""
        raise NotImplementedError

    success = 200

    # taking a message

    async def take(self, request: web.Request) -> web.StreamResponse:
        self.requests["send"] += 1
        body = await request.read()
        self.bodies.append(body)
        self.headers.append(request.headers)
        refused = self.refusal(request)
        if refused is not None:
            return refused
        fault = self.next_sends.pop(0) if self.next_sends else None
        fault = fault or self.for_receiver.get(self.receiver_of(body))
        if fault is None or self.accepted_before_fault:
            self.taken.append(body)
        accepted = self.answer(body)
        if fault is not None:
            return await fault(request, accepted)
        return self.respond(accepted)

    def respond(self, accepted: Any) -> web.StreamResponse:
        return web.json_response(accepted, status=self.success)

    # the server

    @property
    def open_connections(self) -> int:
        server = self._runner.server if self._runner else None
        handlers = server.connections if server else []
        # A handler that hangs outlives its connection.
        return len(self._silent) + sum(handler.transport is not None for handler in handlers)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> None:
        if self._runner is not None:
            return
        await self.stop()
        app = web.Application(client_max_size=60_000_000)
        app.add_routes(self.routes())
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, self.port, ssl_context=self._tls, reuse_address=True)
        await site.start()

    async def stop(self) -> None:
        """Nothing listens any more, and no connection stays."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
        if self._deaf is not None:
            self._deaf.close()
            self._deaf.close_clients()
            await self._deaf.wait_closed()
            self._deaf = None

    async def go_deaf(self) -> None:
        """Accept connections, and never read or write on them: TLS is never agreed."""
        await self.stop()
        self._deaf = await asyncio.start_server(self._be_silent, HOST, self.port)

    async def _be_silent(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._silent.add(writer)
        try:
            while await reader.read(1000):
                pass
        finally:
            self._silent.discard(writer)
            writer.close()
