"""A Postmark server (an account's set of streams) over HTTP on a real socket of the loopback.

::

    async with FakePostmark() as postmark:
        config = PostmarkConfig(server_token=postmark.token, base_url=postmark.base_url)
        ...
        await postmark.settle()                     # all reports are posted
        assert postmark.by_item[str(item_id)] == 1  # taken once

Behaviour is changed while it runs: ``latency``; ``next_sends`` (faults for the next messages, in
order), ``for_receiver`` (a fault for one address), ``next_searches``; ``accepted_before_fault``
counts a message as taken although its answer is spoiled; ``reports`` (names of reports posted after
acceptance, in order, see :mod:`tests.fakes.postmark.reports`), ``report_before_answer``,
``webhook_url`` (with user and password in it, as Postmark wants it); ``refuses_metadata``;
``hides_metadata`` (searches don't show it); ``total`` (what a search says there are).

Seen afterwards: ``messages`` by id, ``by_receiver``, ``by_item``, ``requests`` by kind, ``bodies``
(each message as received), ``headers``, ``in_flight_peak``, ``report_statuses``,
``open_connections``. ``stop`` and ``start`` keep the port; ``go_deaf`` accepts connections there
and never says a word.
"""

import asyncio
import json
import ssl
from collections import Counter
from datetime import datetime
from typing import Any, Self, override

import aiohttp
from aiohttp import web
from yarl import URL

from tests.fakes.api import FakeApi
from tests.fakes.postmark.messages import FakeMessage
from tests.fakes.postmark.reports import report_of
from tests.fakes.twilio_faults import Fault

METADATA_REFUSED = (
    "Invalid metadata content. Field names are limited to 20 characters and field values are"
    " limited to 80 characters in length."
)


def refuse(code: int, text: str = "", *, status: int = 422, **headers: str) -> Fault:
    """An error in Postmark's form. Its text quotes the receiver, as Postmark's do."""

    async def answer(request: web.Request, resource: dict[str, Any]) -> web.StreamResponse:
        return error(code, text or f"Not for {resource['To']}.", status, headers)

    return answer


def changed(**fields: Any) -> Fault:
    """An acceptance with other fields; ``None`` leaves one out."""

    async def answer(request: web.Request, resource: dict[str, Any]) -> web.StreamResponse:
        answered = {n: v for n, v in (resource | fields).items() if v is not None}
        return web.json_response(answered)

    return answer


def error(
    code: int, text: str, status: int, headers: dict[str, str] | None = None
) -> web.StreamResponse:
    body = {"ErrorCode": code, "Message": text}
    return web.json_response(body, status=status, headers=headers)


class FakePostmark(FakeApi):
    def __init__(
        self, *, token: str = "fake-server-token", tls: ssl.SSLContext | None = None
    ) -> None:
        super().__init__(tls=tls)
        self.token = token
        self.latency = 0.0
        self.refuses_metadata = False
        self.hides_metadata = False
        self.total: int | None = None
        self.reports: list[str] = []
        self.report_before_answer = False
        self.webhook_url = ""
        self.messages: dict[str, FakeMessage] = {}
        self.report_statuses: Counter[int] = Counter()
        self.in_flight = 0
        self.in_flight_peak = 0
        self._tasks: set[asyncio.Task[None]] = set()

    # what was seen

    @property
    def by_receiver(self) -> Counter[str]:
        return Counter(message.receiver for message in self.messages.values())

    @property
    def by_item(self) -> Counter[str]:
        keys = (message.metadata.get("vdq_queue_item") for message in self.messages.values())
        return Counter(key for key in keys if key)

    async def settle(self) -> None:
        """Wait until every report under way is posted."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def report(self, message: FakeMessage, name: str, *, url: str = "", **fields: Any) -> int:
        """Post one report; the HTTP status of the application's answer."""
        status = await self.post(report_of(message, name) | fields, url or self.webhook_url)
        message.reported.append(name)
        return status

    async def post(self, report: Any, url: str) -> int:
        async with self._session.post(URL(url), json=report) as response:
            self.report_statuses[response.status] += 1
            return response.status

    # the server

    @override
    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=15))
        return await super().__aenter__()

    @override
    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._session.close()
        await super().__aexit__()

    @override
    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/email", self._send),
            web.post("/email/batch", self._send_batch),
            web.get("/messages/outbound", self._list),
            web.get("/messages/outbound/{id}/details", self._details),
        ]

    async def _send(self, request: web.Request) -> web.StreamResponse:
        self.requests["send"] += 1
        body = await request.read()
        self.bodies.append(body)
        self.headers.append(request.headers)
        refused = self._refusal(request)
        if refused is not None:
            return refused
        message = FakeMessage(json.loads(body))
        if message.metadata and self.refuses_metadata:
            return error(300, METADATA_REFUSED, 422)
        fault = self.next_sends.pop(0) if self.next_sends else None
        fault = fault or self.for_receiver.get(message.receiver)
        if fault is None or self.accepted_before_fault:
            await self._accept(message)
        if self.latency:
            await self._wait()
        accepted = accepted_answer(message)
        return await fault(request, accepted) if fault else web.json_response(accepted)

    async def _send_batch(self, request: web.Request) -> web.StreamResponse:
        self.requests["batch"] += 1
        refused = self._refusal(request)
        if refused is not None:
            return refused
        messages = [FakeMessage(one) for one in await request.json()]
        for message in messages:
            await self._accept(message)
        return web.json_response([accepted_answer(message) for message in messages])

    def _refusal(self, request: web.Request) -> web.StreamResponse | None:
        if request.headers.get("X-Postmark-Server-Token") != self.token:
            return error(10, "The Server Token you provided does not match.", 401)
        json_wanted = request.method == "POST" and request.content_type != "application/json"
        return error(409, "The request must be JSON.", 422) if json_wanted else None

    async def _accept(self, message: FakeMessage) -> None:
        self.messages[message.id] = message
        if not (self.reports and self.webhook_url):
            return
        if self.report_before_answer:
            await self._report_all(message)
            return
        task = asyncio.create_task(self._report_all(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _report_all(self, message: FakeMessage) -> None:
        for name in tuple(self.reports):
            await self.report(message, name)

    async def _wait(self) -> None:
        self.in_flight += 1
        self.in_flight_peak = max(self.in_flight_peak, self.in_flight)
        try:
            await asyncio.sleep(self.latency)
        finally:
            self.in_flight -= 1

    async def _list(self, request: web.Request) -> web.StreamResponse:
        self.requests["search"] += 1
        self.queries.append(dict(request.query))
        refused = self._refusal(request)
        if refused is not None:
            return refused
        if self.next_searches:
            return await self.next_searches.pop(0)(request, {"To": request.query["recipient"]})
        rows = [m.row() for m in reversed(self.messages.values()) if fits(m, dict(request.query))]
        if self.hides_metadata:
            rows = [{n: v for n, v in row.items() if n != "Metadata"} for row in rows]
        listed = rows[: int(request.query["count"])]
        total = len(rows) if self.total is None else self.total
        return web.json_response({"TotalCount": total, "Messages": listed})

    async def _details(self, request: web.Request) -> web.StreamResponse:
        self.requests["details"] += 1
        message = self.messages.get(request.match_info["id"])
        if message is None:
            return error(701, "This message was not found.", 422)
        return web.json_response(message.details())


def fits(message: FakeMessage, query: dict[str, str]) -> bool:
    """Whether a search finds the message: by receiver, by first day, by metadata."""
    if query.get("recipient", message.receiver).lower() != message.receiver.lower():
        return False
    first_day = query.get("fromdate")
    if first_day and message.received.date() < datetime.fromisoformat(first_day).date():
        return False
    wanted = {n.removeprefix("metadata_"): v for n, v in query.items() if n.startswith("metadata_")}
    return wanted.items() <= message.metadata.items()


def accepted_answer(message: FakeMessage) -> dict[str, Any]:
    return {
        "To": message.request["To"],
        "SubmittedAt": message.received.isoformat(),
        "MessageID": message.id,
        "ErrorCode": 0,
        "Message": "OK",
    }
