"""A Brevo account over HTTP on a real socket of the loopback.

It remembers idempotency keys, and lists the events of a message: those named in ``happened``.
"""

import json
import ssl
from collections.abc import Sequence
from typing import Any, override

from aiohttp import web

from tests.fakes.api import FakeApi


class FakeBrevo(FakeApi):
    success = 201

    def __init__(self, *, key: str = "fake-api-key", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls=tls)
        self.key = key
        self.keys: set[str] = set()
        self.happened: list[dict[str, Any]] = []

    @override
    def routes(self) -> Sequence[web.RouteDef]:
        return [
            web.post("/smtp/email", self.take_once),
            web.get("/smtp/statistics/events", self.list_events),
        ]

    @override
    def refusal(self, request: web.Request) -> web.StreamResponse | None:
        if request.headers.get("api-key") != self.key:
            return error(401, "unauthorized", "Key not found")
        return None

    @override
    def receiver_of(self, body: bytes) -> str:
        return json.loads(body)["to"][0]["email"]

    @override
    def answer(self, body: bytes) -> Any:
        return {"messageId": f"<{len(self.bodies)}.1@smtp-relay.mailin.fr>"}

    async def take_once(self, request: web.Request) -> web.StreamResponse:
        message = await request.json()
        if not message.get("htmlContent"):
            return error(400, "missing_parameter", "htmlContent is missing")
        key = message["headers"]["idempotencyKey"]
        if key in self.keys and not self.next_sends:
            self.bodies.append(await request.read())
            return error(400, "duplicate_parameter", "idempotencyKey was used before")
        answered = await self.take(request)
        if answered.status < 300:
            self.keys.add(key)
        return answered

    async def list_events(self, request: web.Request) -> web.StreamResponse:
        self.queries.append(dict(request.query))
        listed = {"events": self.happened} if self.happened else {}
        if self.next_searches:
            return await self.next_searches.pop(0)(request, listed)
        return self.refusal(request) or web.json_response(listed)


def error(status: int, code: str, text: str) -> web.StreamResponse:
    return web.json_response({"code": code, "message": text}, status=status)
