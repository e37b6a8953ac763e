"""A Scaleway project over HTTP on a real socket of the loopback.

``status``: what became of every message that is asked for.
"""

import json
import ssl
from collections.abc import Sequence
from typing import Any, override

from aiohttp import web

from tests.fakes.api import FakeApi

EMAILS = "/transactional-email/v1alpha1/regions/fr-par/emails"


class FakeScaleway(FakeApi):
    def __init__(self, *, key: str = "fake-secret", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls=tls)
        self.key = key
        self.status = "new"
        self.asked_for: list[str] = []

    @override
    def routes(self) -> Sequence[web.RouteDef]:
        return [web.post(EMAILS, self.take), web.get(f"{EMAILS}/{{id}}", self.show)]

    @override
    def refusal(self, request: web.Request) -> web.StreamResponse | None:
        if request.headers.get("X-Auth-Token") == self.key:
            return None
        body = {"type": "denied_authentication", "message": "authentication is denied"}
        return web.json_response(body, status=401)

    @override
    def receiver_of(self, body: bytes) -> str:
        return json.loads(body)["to"][0]["email"]

    @override
    def answer(self, body: bytes) -> Any:
        message = json.loads(body)
        number = len(self.bodies)
        receivers = [one for name in ("to", "cc", "bcc") for one in message.get(name, [])]
        return {"emails": [email(f"s{number}", one["email"]) for one in receivers]}

    async def show(self, request: web.Request) -> web.StreamResponse:
        self.asked_for.append(request.match_info["id"])
        if self.next_searches:
            return await self.next_searches.pop(0)(request, {})
        shown = email(request.match_info["id"], "receiver@example.com") | {"status": self.status}
        return self.refusal(request) or web.json_response(shown)


def email(number: str, receiver: str) -> dict[str, Any]:
    tried = {"rank": 1, "code": 550, "message": "5.1.1 no such user"}
    return {
        "id": number,
        "message_id": f"<{number}@tem>",
        "mail_rcpt": receiver,
        "rcpt_type": "to",
        "status": "new",
        "updated_at": "2026-09-21T14:13:20Z",
        "try_count": 1,
        "last_tries": [tried],
    }
