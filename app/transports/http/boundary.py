"""The line in a call between "nothing was sent" and "it may have been sent".

The names of exceptions don't tell it: ``httpx-aiohttp`` 0.2 calls a refused connection, a server
that hangs up after reading the request and a reset in place of an answer all ``ConnectTimeout``.
So the line is drawn where it is: at the moment when aiohttp has a connection ready (resolved,
connected, TLS agreed) and is about to write the request to it.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from aiohttp import ClientRequest, ClientResponse
from aiohttp.connector import Connection

from app.transports.contract import Go


class WrittenTwice(ConnectionError):
    """A client tried to write a request again that had been written before."""


class Boundary:
    """Asks ``go`` last before the first byte, and remembers that bytes may have gone.

    Without ``go`` the request transmits no message, and a client may repeat what is safe to repeat.
    """

    def __init__(self, go: Go | None) -> None:
        self._go = go
        self.crossed = False

    def cross(self) -> None:
        if self._go is not None:
            if self.crossed:
                raise WrittenTwice
            self._go()
        self.crossed = True


_boundary: ContextVar[Boundary | None] = ContextVar("http_boundary", default=None)


@contextmanager
def guarded(go: Go | None) -> Generator[Boundary]:
    """Each request that this task writes inside has to cross the boundary."""
    boundary = Boundary(go)
    token = _boundary.set(boundary)
    try:
        yield boundary
    finally:
        _boundary.reset(token)


class GuardedRequest(ClientRequest):
    """aiohttp's request; ``send`` is where a request meets its connection."""

    async def send(self, conn: Connection) -> ClientResponse:
        boundary = _boundary.get()
        if boundary is not None:
            boundary.cross()
        return await super().send(conn)
