"""A Resend account with moods. It knows a message again by its idempotency key."""

import base64
import hashlib
import hmac
import json
import time
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Self, override
from uuid import UUID

import aiohttp
from aiohttp import web

from local.faults.desk import Desk
from local.faults.ledger import Request, Told
from local.faults.moods import FINE, Reply
from local.faults.reporting import Post
from local.faults.spoilt import SPOILT
from tests.fakes.resend import FakeResend, error

STORIES = (
    ("email.sent", "email.delivered"),
    ("email.delivered", "email.opened"),
    ("email.delivery_delayed", "email.delivered"),
    ("email.sent", "email.bounced"),
    ("email.delivered", "email.bounced"),
    (),
)
WORDS = {
    "email.delivered": "delivered",
    "email.opened": "delivered",
    "email.bounced": "failed",
}
KEY = b"a key that was made for a campaign"
SECRET = f"whsec_{base64.b64encode(KEY).decode()}"
ROUTE = "/webhooks/email/resend"


class Resend(FakeResend):
    """Each worker has an address of its own, by which the account knows who asks."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.last_event = "sent"

    @override
    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=15))
        return await super().__aenter__()

    @override
    async def __aexit__(self, *_: object) -> None:
        await self._session.close()
        await super().__aexit__()

    @override
    def routes(self) -> Sequence[web.RouteDef]:
        return [
            web.post("/{worker}/emails", self.take_once),
            web.get("/{worker}/emails/{id}", self.show),
        ]

    @override
    async def take_once(self, request: web.Request) -> web.StreamResponse:
        body, key = await request.read(), request.headers["Idempotency-Key"]
        message = json.loads(body)
        tags = {tag["name"]: tag["value"] for tag in message["tags"]}
        item, worker = UUID(tags["vdq_queue_item"]), request.match_info["worker"]
        # A message that is sent again carries the key of the attempt that it repeats.
        visit = self._desk.open(self.receiver_of(body), item, None, worker)
        visit.entry.deduplication = key
        if key in self.by_key and visit.entry.treatment.reply is Reply.REFUSE:
            visit.treat(FINE)  # what was taken is not refused when it comes again

        def take() -> None:
            if key not in self.by_key:
                self.by_key[key] = body, str(uuid.uuid4())
                data = {"email_id": self.by_key[key][1], "to": message["to"], "tags": tags}
                self._desk.tell(visit, self._poster_of(data))

        await visit.weigh(take)
        return await reply(request, visit.entry, self.by_key.get(key), body)

    def _poster_of(self, data: dict[str, Any]) -> Post:
        """A report that is posted again is signed anew, and else the same."""
        at = datetime.now(UTC).isoformat()

        async def post(told: Told, origin: str) -> int:
            body = json.dumps({"type": told.name, "created_at": at, "data": data}).encode()
            async with self._session.post(
                origin + ROUTE, data=body, headers=signed(body)
            ) as response:
                return response.status

        return post


def signed(body: bytes) -> dict[str, str]:
    """The headers of a report, as Svix signs."""
    message, now = f"msg_{uuid.uuid4().hex}", str(int(time.time()))
    digest = hmac.digest(KEY, f"{message}.{now}.".encode() + body, hashlib.sha256)
    return {
        "Content-Type": "application/json",
        "svix-id": message,
        "svix-timestamp": now,
        "svix-signature": f"v1,{base64.b64encode(digest).decode()}",
    }


async def reply(
    request: web.Request, entry: Request, taken: tuple[bytes, str] | None, body: bytes
) -> web.StreamResponse:
    said = entry.treatment.reply
    if said in SPOILT:
        return await SPOILT[said](request, {})
    entry.note_answer()
    if taken is not None and taken[0] != body:
        return error(409, "invalid_idempotent_request", "another content")
    match said:
        case Reply.BUSY:
            return error(429, "rate_limit_exceeded", "Too many requests")
        case Reply.FAIL:
            return error(500, "internal_server_error", "Something broke")
        case Reply.REFUSE:
            return error(422, "validation_error", "Invalid `to` field")
        case _:
            return web.json_response({"id": taken[1] if taken else ""})
