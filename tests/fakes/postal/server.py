"""A mail server of a Postal installation over HTTP on a real socket of the loopback.

It answers everything with status 200. ``deliveries``: what became of each message that is asked
for.
"""

import json
import ssl
from collections.abc import Sequence
from typing import Any, override

from aiohttp import web

from tests.fakes.api import FakeApi


class FakePostal(FakeApi):
    def __init__(self, *, key: str = "fake-api-key", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls=tls)
        self.key = key
        self.deliveries: list[dict[str, Any]] = []
        self.questions: list[dict[str, Any]] = []

    @override
    def routes(self) -> Sequence[web.RouteDef]:
        return [
            web.post("/api/v1/send/raw", self.take),
            web.post("/api/v1/messages/deliveries", self.list_deliveries),
        ]

    @override
    def refusal(self, request: web.Request) -> web.StreamResponse | None:
        """The real one quotes the wrong key too."""
        key = request.headers.get("X-Server-API-Key")
        if key == self.key:
            return None
        return error("InvalidServerAPIKey", message="The API token was not valid.", token=key)

    @override
    def receiver_of(self, body: bytes) -> str:
        return json.loads(body)["rcpt_to"][0]

    @override
    def answer(self, body: bytes) -> Any:
        receivers = json.loads(body)["rcpt_to"]
        number = 811 + len(self.bodies)
        ids = {one: {"id": number, "token": "t"} for one in receivers}
        return success({"message_id": "x@example.com", "messages": ids})

    async def list_deliveries(self, request: web.Request) -> web.StreamResponse:
        self.questions.append(await request.json())
        if self.next_searches:
            return await self.next_searches.pop(0)(request, {})
        return self.refusal(request) or web.json_response(success(self.deliveries))


def success(data: Any) -> dict[str, Any]:
    return {"status": "success", "time": 0.02, "flags": {}, "data": data}


def error(code: str, **data: Any) -> web.StreamResponse:
    return web.json_response({"status": "error", "time": 0.0, "data": {**data, "code": code}})
