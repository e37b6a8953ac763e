"""A Resend account over HTTP on a real socket of the loopback.

It answers a repeated idempotency key as the first time, and refuses it with another content.
``last_event`` is what it tells of a message when it is asked.
"""

import json
import ssl
import uuid
from collections.abc import Sequence
from typing import Any, override

from aiohttp import web

from tests.fakes.api import FakeApi

TAGS_REFUSED = "Tags should only contain ASCII letters, numbers, underscores, or dashes."


class FakeResend(FakeApi):
    def __init__(self, *, key: str = "fake-api-key", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls=tls)
        self.key = key
        self.by_key: dict[str, tuple[bytes, str]] = {}
        self.refuses_tags = False
        self.last_event = "delivered"

    @override
    def routes(self) -> Sequence[web.RouteDef]:
        return [web.post("/emails", self.take_once), web.get("/emails/{id}", self.show)]

    @override
    def refusal(self, request: web.Request) -> web.StreamResponse | None:
        if request.headers.get("Authorization") != f"Bearer {self.key}":
            return error(401, "missing_api_key", "Missing API key.")
        if request.method == "POST" and request.content_type != "application/json":
            return error(415, "validation_error", "not JSON")
        return None

    @override
    def receiver_of(self, body: bytes) -> str:
        return json.loads(body)["to"][0].rpartition("<")[2].removesuffix(">")

    @override
    def answer(self, body: bytes) -> Any:
        return {"id": str(uuid.uuid4())}

    async def take_once(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        key = request.headers.get("Idempotency-Key", "")
        if not 1 <= len(key) <= 256:
            return error(400, "invalid_idempotency_key", "1 to 256 characters")
        if self.refuses_tags and json.loads(body).get("tags"):
            self.bodies.append(body)
            return error(422, "validation_error", TAGS_REFUSED)
        if key in self.by_key:
            self.bodies.append(body)
            first, message_id = self.by_key[key]
            if first != body:
                return error(409, "invalid_idempotent_request", "another content")
            return web.json_response({"id": message_id})
        answered = await self.take(request)
        if answered.status == 200 and body in self.taken:
            assert isinstance(answered, web.Response)
            assert answered.text
            self.by_key[key] = body, json.loads(answered.text)["id"]
        return answered

    async def show(self, request: web.Request) -> web.StreamResponse:
        self.requests["show"] += 1
        message_id = request.match_info["id"]
        shown = {"object": "email", "id": message_id, "last_event": self.last_event}
        if self.next_searches:
            return await self.next_searches.pop(0)(request, shown)
        known = message_id in {one for _, one in self.by_key.values()}
        return web.json_response(shown) if known else error(404, "not_found", "Email not found")


def error(status: int, name: str, text: str) -> web.StreamResponse:
    return web.json_response({"statusCode": status, "name": name, "message": text}, status=status)
