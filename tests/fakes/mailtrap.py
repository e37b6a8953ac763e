"""A Mailtrap account over HTTP on a real socket of the loopback."""

import json
import ssl
import uuid
from collections.abc import Sequence
from typing import Any, override

from aiohttp import web

from tests.fakes.api import FakeApi


class FakeMailtrap(FakeApi):
    def __init__(self, *, token: str = "fake-token", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls=tls)
        self.token = token

    @override
    def routes(self) -> Sequence[web.RouteDef]:
        return [web.post("/api/send", self.take), web.post("/api/send/{inbox}", self.take)]

    @override
    def refusal(self, request: web.Request) -> web.StreamResponse | None:
        if request.headers.get("Api-Token") != self.token:
            return web.json_response({"errors": ["Unauthorized"]}, status=401)
        if request.content_type != "application/json":
            return web.Response(status=415)
        return None

    @override
    def receiver_of(self, body: bytes) -> str:
        return json.loads(body)["to"][0]["email"]

    @override
    def answer(self, body: bytes) -> Any:
        return {"success": True, "message_ids": [str(uuid.uuid4())]}
