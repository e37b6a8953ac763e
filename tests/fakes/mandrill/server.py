"""A Mandrill account over HTTP on a real socket of the loopback. Its key stands in each body.

``hidden``: the search does not show messages yet. ``states`` by id: what became of them.
"""

import json
import ssl
from collections.abc import Sequence
from typing import Any, override

from aiohttp import web

from tests.fakes.api import FakeApi


class FakeMandrill(FakeApi):
    def __init__(self, *, key: str = "fake-api-key", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls=tls)
        self.key = key
        self.hidden = False
        self.states: dict[str, str] = {}
        self.questions: list[dict[str, Any]] = []

    @override
    def routes(self) -> Sequence[web.RouteDef]:
        return [
            web.post("/messages/send.json", self.take_with_key),
            web.post("/messages/info.json", self.info),
            web.post("/messages/search.json", self.search),
        ]

    async def take_with_key(self, request: web.Request) -> web.StreamResponse:
        if (await request.json())["key"] != self.key:
            return error("Invalid_Key", "Invalid API key")
        return await self.take(request)

    @override
    def refusal(self, request: web.Request) -> web.StreamResponse | None:
        is_json = request.content_type == "application/json"
        return None if is_json else error("ValidationError", "You must specify a key value")

    @override
    def receiver_of(self, body: bytes) -> str:
        return json.loads(body)["message"]["to"][0]["email"]

    @override
    def answer(self, body: bytes) -> Any:
        [receiver] = json.loads(body)["message"]["to"]
        return [{"email": receiver["email"], "status": "sent", "_id": self.id_of(body)}]

    def id_of(self, body: bytes) -> str:
        return f"{self.bodies.index(body):032x}"

    def rows(self) -> list[dict[str, Any]]:
        return [self._row(body) for body in self.taken]

    def _row(self, body: bytes) -> dict[str, Any]:
        message = json.loads(body)["message"]
        message_id = self.id_of(body)
        return {
            "_id": message_id,
            "ts": 1790000000,
            "email": message["to"][0]["email"],
            "state": self.states.get(message_id, "sent"),
            "metadata": message.get("metadata", {}),
        }

    async def info(self, request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        self.questions.append(asked)
        if self.next_searches:
            return await self.next_searches.pop(0)(request, {})
        known = [row for row in self.rows() if row["_id"] == asked["id"]]
        return web.json_response(known[0]) if known else error("Unknown_Message", "No message")

    async def search(self, request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        self.questions.append(asked)
        if asked["key"] != self.key:
            return error("Invalid_Key", "Invalid API key")
        if self.next_searches:
            return await self.next_searches.pop(0)(request, {})
        return web.json_response([] if self.hidden else self.rows())


def error(name: str, text: str) -> web.StreamResponse:
    body = {"status": "error", "code": -1, "name": name, "message": text}
    return web.json_response(body, status=500)
