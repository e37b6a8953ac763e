"""A SendGrid account over HTTP on a real socket of the loopback."""

import json
import ssl
from collections.abc import Sequence
from typing import Any, override

from aiohttp import web

from tests.fakes.api import FakeApi


class FakeSendgrid(FakeApi):
    success = 202

    def __init__(self, *, key: str = "fake-api-key", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls=tls)
        self.key = key

    @override
    def routes(self) -> Sequence[web.RouteDef]:
        return [web.post("/mail/send", self.take)]

    @override
    def refusal(self, request: web.Request) -> web.StreamResponse | None:
        if request.headers.get("Authorization") != f"Bearer {self.key}":
            return error(401, "The provided authorization grant is invalid")
        if request.content_type != "application/json":
            return error(415, "The content type must be JSON")
        return None

    @override
    def receiver_of(self, body: bytes) -> str:
        return json.loads(body)["personalizations"][0]["to"][0]["email"]

    @override
    def answer(self, body: bytes) -> Any:
        return f"sg{len(self.bodies):04}"

    @override
    def respond(self, accepted: Any) -> web.StreamResponse:
        return web.Response(status=self.success, headers={"X-Message-Id": accepted})


def error(status: int, text: str, field: str | None = None) -> web.StreamResponse:
    body = {"errors": [{"message": text, "field": field, "help": None}]}
    return web.json_response(body, status=status)
