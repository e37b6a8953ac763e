"""A MailerSend account over HTTP on a real socket of the loopback."""

import json
import ssl
from collections.abc import Sequence
from typing import Any, override

from aiohttp import web

from tests.fakes.api import FakeApi


class FakeMailersend(FakeApi):
    success = 202

    def __init__(self, *, token: str = "fake-token", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls=tls)
        self.token = token

    @override
    def routes(self) -> Sequence[web.RouteDef]:
        return [web.post("/email", self.take)]

    @override
    def refusal(self, request: web.Request) -> web.StreamResponse | None:
        if request.headers.get("Authorization") != f"Bearer {self.token}":
            return web.json_response({"message": "Unauthenticated."}, status=401)
        if request.content_type != "application/json":
            return web.Response(status=415)
        return None

    @override
    def receiver_of(self, body: bytes) -> str:
        return json.loads(body)["to"][0]["email"]

    @override
    def answer(self, body: bytes) -> Any:
        return f"msg{len(self.bodies):04}"

    @override
    def respond(self, accepted: Any) -> web.StreamResponse:
        """Nothing, and that as HTML."""
        headers = {"X-Message-Id": accepted}
        return web.Response(status=self.success, headers=headers, content_type="text/html")
