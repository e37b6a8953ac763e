"""A SparkPost account over HTTP on a real socket of the loopback.

``happened``: the events that its list shows.
"""

import json
import ssl
from collections.abc import Sequence
from typing import Any, override

from aiohttp import web

from tests.fakes.api import FakeApi


class FakeSparkpost(FakeApi):
    def __init__(self, *, key: str = "fake-api-key", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls=tls)
        self.key = key
        self.happened: list[dict[str, Any]] = []

    @override
    def routes(self) -> Sequence[web.RouteDef]:
        return [
            web.post("/transmissions/", self.take),
            web.get("/events/message", self.list_events),
        ]

    @override
    def refusal(self, request: web.Request) -> web.StreamResponse | None:
        if request.headers.get("Authorization") != self.key:
            return web.json_response({"errors": [{"message": "Unauthorized."}]}, status=401)
        return None

    @override
    def receiver_of(self, body: bytes) -> str:
        return json.loads(body)["recipients"][0]["address"]["email"]

    @override
    def answer(self, body: bytes) -> Any:
        number = len(self.bodies)
        accepted = len(json.loads(body)["recipients"])
        return {
            "results": {
                "total_rejected_recipients": 0,
                "total_accepted_recipients": accepted,
                "id": f"{7_000_000_000_000_000_000 + number}",
            }
        }

    async def list_events(self, request: web.Request) -> web.StreamResponse:
        self.queries.append(dict(request.query))
        if self.next_searches:
            return await self.next_searches.pop(0)(request, {})
        return self.refusal(request) or web.json_response({"results": self.happened})
