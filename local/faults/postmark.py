"""A Postmark server with moods."""

import json
from typing import Any, override
from uuid import UUID

from aiohttp import web
from yarl import URL

from local.faults.desk import Desk
from local.faults.ledger import Request, Told
from local.faults.moods import Reply
from local.faults.reporting import Post
from local.faults.spoilt import SPOILT
from tests.fakes.postmark.given import PASSWORD, ROUTE
from tests.fakes.postmark.messages import FakeMessage
from tests.fakes.postmark.reports import report_of
from tests.fakes.postmark.server import FakePostmark, accepted_answer, error

STORIES = (
    ("Delivery",),
    ("Delivery",),
    ("Delivery", "Open"),
    ("Bounce/Transient", "Delivery"),
    ("Bounce/HardBounce",),
    ("Delivery", "Bounce/HardBounce"),
    (),
)
WORDS = {"Delivery": "delivered", "Open": "delivered", "Bounce/HardBounce": "failed"}


class Postmark(FakePostmark):
    """Its streams are named after the workers that may use them, so it knows who asks."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk

    @override
    async def _send(self, request: web.Request) -> web.StreamResponse:
        message = FakeMessage(json.loads(await request.read()))
        item, attempt = (UUID(message.metadata[f"vdq_{key}"]) for key in ("queue_item", "attempt"))
        visit = self._desk.open(message.receiver, item, attempt, message.stream)

        def take() -> None:
            self.messages[message.id] = message
            self._desk.tell(visit, self._poster_of(message))

        await visit.weigh(take)
        return await reply(request, visit.entry, message)

    def _poster_of(self, message: FakeMessage) -> Post:
        """A report that is posted again is the same to the byte."""
        bodies: dict[str, Any] = {}

        async def post(told: Told, origin: str) -> int:
            if told.name not in bodies:
                bodies[told.name] = report_of(message, told.name)
                message.reported.append(told.name)
            url = URL(origin + ROUTE).with_user("hooks").with_password(PASSWORD)
            return await self.post(bodies[told.name], str(url))

        return post


async def reply(request: web.Request, entry: Request, message: FakeMessage) -> web.StreamResponse:
    said = entry.treatment.reply
    if said in SPOILT:
        return await SPOILT[said](request, {})
    entry.note_answer()
    match said:
        case Reply.BUSY:
            return error(429, "Too many requests.", 429, {"Retry-After": "1"})
        case Reply.FAIL:
            return error(100, "Something broke.", 503)
        case Reply.REFUSE:
            return error(300, "Invalid 'To' address.", 422)
        case _:
            return web.json_response(accepted_answer(message))
