"""A Mailjet account over HTTP on a real socket of the loopback.

``status`` is what it tells of each message when it is asked; ``ignores_filters`` lists them all.
"""

import base64
import json
import ssl
from collections.abc import Sequence
from typing import Any, override

from aiohttp import web

from tests.fakes.api import FakeApi

KEY = "fake-key"
FIRST = 1152921500000000081
"""Ids are numbers that JavaScript can't hold."""


class FakeMailjet(FakeApi):
    def __init__(self, *, secret: str = "fake-secret", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls=tls)
        self.secret = secret
        self.status = "sent"
        self.ignores_filters = False

    @override
    def routes(self) -> Sequence[web.RouteDef]:
        return [
            web.post("/v3.1/send", self.take),
            web.get("/v3/REST/message", self.list_messages),
            web.get("/v3/REST/message/{id}", self.list_messages),
        ]

    @override
    def refusal(self, request: web.Request) -> web.StreamResponse | None:
        expected = base64.b64encode(f"{KEY}:{self.secret}".encode()).decode()
        if request.headers.get("Authorization") != f"Basic {expected}":
            body = {"ErrorCode": "mj-0002", "StatusCode": 401, "ErrorMessage": "bad key"}
            return web.json_response(body, status=401)
        if request.method == "POST" and request.content_type != "application/json":
            return web.Response(status=415)
        return None

    @override
    def receiver_of(self, body: bytes) -> str:
        return message_in(body)["To"][0]["Email"]

    @override
    def answer(self, body: bytes) -> Any:
        message, number = message_in(body), FIRST + len(self.taken) - 1
        to = [{"Email": message["To"][0]["Email"], "MessageUUID": "u", "MessageID": number}]
        success = {"Status": "success", "CustomID": message["CustomID"], "To": to}
        return {"Messages": [{**success, "Cc": [], "Bcc": []}]}

    async def list_messages(self, request: web.Request) -> web.StreamResponse:
        self.queries.append(dict(request.query))
        if self.next_searches:
            return await self.next_searches.pop(0)(request, {})
        rows = [
            {"ID": FIRST + n, "Status": self.status, "CustomID": message_in(body)["CustomID"]}
            for n, body in enumerate(self.taken)
        ]
        wanted_id, wanted = request.match_info.get("id"), request.query.get("CustomID")
        fitting = [r for r in rows if str(r["ID"]) == wanted_id or r["CustomID"] == wanted]
        listed = rows if self.ignores_filters else fitting
        return self.refusal(request) or web.json_response({"Count": len(listed), "Data": listed})


def message_in(body: bytes) -> dict[str, Any]:
    [message] = json.loads(body)["Messages"]
    return message
