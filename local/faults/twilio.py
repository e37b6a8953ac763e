"""A Twilio account with moods."""

import uuid
from typing import Any, override
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from aiohttp import web

from local.faults.desk import Desk
from local.faults.ledger import Request, Told
from local.faults.moods import Reply
from local.faults.spoilt import SPOILT
from tests.fakes.twilio import FAILED, FakeMessage, FakeTwilio, refuse

STORIES = (
    ("queued", "sent", "delivered"),
    ("queued", "sent", "delivered"),
    ("sent", "delivered"),
    ("queued", "sent", "undelivered"),
    ("failed",),
    ("sent",),
    (),
)
WORDS = {"delivered": "delivered", "undelivered": "failed", "failed": "failed"}
RANKS = ("queued", "sent", "undelivered", "failed", "delivered")


class Twilio(FakeTwilio):
    """The addresses that it reports to name the worker that handed the message over."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._truth: dict[str, str] = {}

    @override
    async def _create(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        message = FakeMessage(
            sid="SM" + uuid.uuid4().hex,
            receiver=str(form["To"]),
            sender=str(form["From"]),
            body=str(form["Body"]),
            callback_url=str(form["StatusCallback"]),
        )
        keys = parse_qs(urlsplit(message.callback_url).query)
        item, attempt = (UUID(keys[name][0]) for name in ("queue_item", "attempt"))
        visit = self._desk.open(message.receiver, item, attempt, keys["worker"][0])
        first = self._resource(message)

        def take() -> None:
            self.messages[message.sid] = message

            async def post(told: Told, origin: str) -> int:
                self.deliver_to = origin
                code = self.callback_error if told.name in FAILED else None
                return await self.report(message.sid, told.name, error_code=code)

            told = self._desk.tell(visit, post)
            self._truth[message.sid] = max(
                (t.name for t in told), key=RANKS.index, default="queued"
            )

        await visit.weigh(take)
        return await reply(request, visit.entry, first)

    @override
    def _resource(self, message: FakeMessage) -> dict[str, Any]:
        """Reports may come in any order; who asks is told where the message has come to."""
        status = self._truth.get(message.sid, "queued")
        code = self.callback_error if status in FAILED else None
        return super()._resource(message) | {"status": status, "error_code": code}


async def reply(
    request: web.Request, entry: Request, resource: dict[str, Any]
) -> web.StreamResponse:
    said = entry.treatment.reply
    if said in SPOILT:
        return await SPOILT[said](request, resource)
    entry.note_answer()
    match said:
        case Reply.BUSY:
            return refuse(429, 20429, "Too many requests")
        case Reply.FAIL:
            return refuse(503, 20503, "Service unavailable")
        case Reply.REFUSE:
            return refuse(400, 21211, "Invalid 'To' number")
        case _:
            return web.json_response(resource, status=201)
