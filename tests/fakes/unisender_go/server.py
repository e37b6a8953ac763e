"""A Unisender Go account over HTTP on a real socket of the loopback."""

import json
import ssl
from collections.abc import Sequence
from typing import Any, override

from aiohttp import web

from tests.fakes.api import FakeApi


class FakeUnisenderGo(FakeApi):
    def __init__(self, *, key: str = "fake-api-key", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls=tls)
        self.key = key

    @override
    def routes(self) -> Sequence[web.RouteDef]:
        return [web.post("/email/send.json", self.take)]

    @override
    def refusal(self, request: web.Request) -> web.StreamResponse | None:
        if request.headers.get("X-API-KEY") == self.key:
            return None
        body = {"status": "error", "code": 102, "message": "Wrong API key"}
        return web.json_response(body, status=401)

    @override
    def receiver_of(self, body: bytes) -> str:
        return json.loads(body)["message"]["recipients"][0]["email"]

    @override
    def answer(self, body: bytes) -> Any:
        receivers = [one["email"] for one in json.loads(body)["message"]["recipients"]]
        job = f"job-{len(self.bodies)}"
        return {"status": "success", "job_id": job, "emails": receivers, "failed_emails": {}}
