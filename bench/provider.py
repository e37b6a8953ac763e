"""A provider that accepts everything after a fixed time, at less than 0.1 ms of CPU a message.

``python -m bench.provider PORT LATENCY [ADDRESS]``: it answers as Postmark and as Twilio do, and,
for the floor, with the id alone. It parses no more than where a request ends; but given the address
of our web process it reads each message and reports three times on it.
"""

import asyncio
import contextlib
import sys
import uuid
from typing import override

from bench.reporter import Reporter, reporting
from local.ports import HOST

HEAD_ENDS = b"\r\n\r\n"
LENGTH = b"content-length:"


class Connection(asyncio.Protocol):
    """One client; it may send the next request only after the answer, as HTTP clients do."""

    def __init__(self, latency: float, reporter: Reporter | None) -> None:
        self._reporter = reporter
        self._latency = latency
        self._loop = asyncio.get_running_loop()
        self._got = bytearray()
        self._transport: asyncio.Transport | None = None

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    @override
    def data_received(self, data: bytes) -> None:
        self._got += data
        while (end := self._got.find(HEAD_ENDS)) >= 0:
            head = bytes(self._got[:end])
            whole = end + len(HEAD_ENDS) + length_of(head)
            if len(self._got) < whole:
                return
            body = bytes(self._got[end + len(HEAD_ENDS) : whole])
            del self._got[:whole]
            key = uuid.uuid4()
            self._loop.call_later(self._latency, self._answer, answer_to(head, key))
            if self._reporter is not None:
                self._loop.call_later(self._latency, self._reporter.report, head, body, key)

    def _answer(self, answer: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(answer)


def length_of(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(LENGTH):
            return int(line[len(LENGTH) :])
    return 0


def answer_to(head: bytes, key: uuid.UUID) -> bytes:
    path = head.split(b" ", 2)[1].decode()
    if path.endswith("/Messages.json"):
        account = path.split("/")[-2]
        said = f'"sid":"SM{key.hex}","account_sid":"{account}","status":"queued"'
        return response(201, f'{{{said},"error_code":null}}')
    if path.endswith("/email"):
        return response(200, f'{{"ErrorCode":0,"Message":"OK","MessageID":"{key}"}}')
    return response(200, f'{{"id":"{key}"}}')


def response(status: int, body: str) -> bytes:
    return (
        f"HTTP/1.1 {status} OK\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


async def serve(port: int, latency: float, address: str = "") -> None:
    async with contextlib.AsyncExitStack() as stack:
        reporter = None
        if address:
            reporter = await stack.enter_async_context(reporting(address))
        server = await asyncio.get_running_loop().create_server(
            lambda: Connection(latency, reporter), HOST, port, backlog=1024
        )
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), float(sys.argv[2]), *sys.argv[3:]))
