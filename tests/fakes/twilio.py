"""A Twilio account over HTTP on a real socket of the loopback.

::

    async with FakeTwilio() as twilio:
        config = TwilioConfig(
            account_sid=twilio.account_sid, auth_token=twilio.auth_token,
            base_url=twilio.base_url, from_number="+15005550006", webhook_url=…)
        ...
        await twilio.settle()                    # all callbacks are posted
        assert twilio.by_item[str(item_id)] == 1  # transmitted once

Behaviour is changed while it runs: ``latency``; ``next_creates`` (faults for the next requests, in
order), ``for_receiver`` and ``for_sid`` (faults for one number or one fetched message);
``callbacks`` (statuses posted after acceptance, in order), ``callback_error`` (the ErrorCode of
failed and undelivered), ``callback_delay``, ``callback_before_answer``; ``deliver_to`` (post
callbacks to this origin, as behind a proxy, while they are signed for the URL that was given).
``accepted_before_fault`` counts a message as taken although its answer is spoiled.

Seen afterwards: ``messages`` by sid, ``by_receiver``, ``by_item``, ``requests`` by kind,
``creates`` (each form as received), ``in_flight_peak``, ``callback_statuses``.
"""

import asyncio
import uuid
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

import aiohttp
from aiohttp import web
from twilio.request_validator import RequestValidator
from yarl import URL

from tests.fakes.twilio_faults import Fault, error_body

FAILED = {"failed", "undelivered"}


@dataclass
class FakeMessage:
    sid: str
    receiver: str
    sender: str
    body: str
    callback_url: str
    status: str = "queued"
    error_code: int | None = None

    @property
    def item(self) -> str:
        return parse_qs(urlsplit(self.callback_url).query).get("queue_item", [""])[0]


class FakeTwilio:
    def __init__(
        self, *, account_sid: str = "AC" + "0" * 32, auth_token: str = "fake-auth-token"
    ) -> None:
        self.account_sid = account_sid
        self.auth_token = auth_token
        self.credentials = (account_sid, auth_token)
        self.base_url = ""
        self.latency = 0.0
        self.next_creates: list[Fault] = []
        self.for_receiver: dict[str, Fault] = {}
        self.for_sid: dict[str, Fault] = {}
        self.accepted_before_fault = False
        self.callbacks: list[str] = []
        self.callback_error = 30003
        self.callback_delay = 0.0
        self.callback_before_answer = False
        self.deliver_to = ""
        self.messages: dict[str, FakeMessage] = {}
        self.requests: Counter[str] = Counter()
        self.creates: list[dict[str, list[str]]] = []
        self.headers: list[dict[str, str]] = []
        self.callback_statuses: Counter[int] = Counter()
        self.in_flight = 0
        self.in_flight_peak = 0
        self._tasks: set[asyncio.Task[None]] = set()

    # what was seen

    @property
    def by_receiver(self) -> Counter[str]:
        return Counter(message.receiver for message in self.messages.values())

    @property
    def by_item(self) -> Counter[str]:
        return Counter(message.item for message in self.messages.values() if message.item)

    async def settle(self) -> None:
        """Wait until every callback under way is posted."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def report(
        self, sid: str, status: str, *, error_code: int | None = None, url: str = ""
    ) -> int:
        """Post one status callback by hand; the HTTP status of the application's answer.

        ``url`` for a sid that was never issued here.
        """
        message = self.messages.get(sid)
        if message is not None:
            message.status, message.error_code = status, error_code
        fields = {
            "AccountSid": self.account_sid,
            "ApiVersion": "2010-04-01",
            "From": message.sender if message else "+15005550006",
            "MessageSid": sid,
            "MessageStatus": status,
            "SmsSid": sid,
            "SmsStatus": status,
            "To": message.receiver if message else "+15005550009",
        }
        if error_code is not None:
            fields["ErrorCode"] = str(error_code)
        return await self.post(url or (message.callback_url if message else ""), fields)

    async def post(self, url: str, fields: dict[str, str]) -> int:
        """Post a form to ``url``, signed for ``url``."""
        signature = RequestValidator(self.auth_token).compute_signature(url, fields)
        target = URL(url, encoded=True)
        if self.deliver_to:
            target = URL(self.deliver_to.rstrip("/") + target.raw_path_qs, encoded=True)
        async with self._session.post(
            target, data=fields, headers={"X-Twilio-Signature": signature}
        ) as response:
            self.callback_statuses[response.status] += 1
            return response.status

    # the server

    async def __aenter__(self) -> Self:
        messages = "/2010-04-01/Accounts/{account}/Messages"
        app = web.Application()
        app.add_routes(
            [
                web.post(messages + ".json", self._create),
                web.get(messages + ".json", self._list),
                web.get(messages + "/{sid}.json", self._fetch),
            ]
        )
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port: int = self._runner.addresses[0][1]
        self.base_url = f"http://127.0.0.1:{port}"
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=15))
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._session.close()
        await self._runner.cleanup()

    async def _create(self, request: web.Request) -> web.StreamResponse:
        self.requests["create"] += 1
        form = await request.post()
        self.creates.append({name: [str(v) for v in form.getall(name)] for name in form})
        self.headers.append(dict(request.headers))
        if not self._knows(request):
            return refuse(401, 20003, "Authenticate")
        message = FakeMessage(
            sid="SM" + uuid.uuid4().hex,
            receiver=str(form.get("To", "")),
            sender=str(form.get("From", "")),
            body=str(form.get("Body", "")),
            callback_url=str(form.get("StatusCallback", "")),
        )
        fault = self.next_creates.pop(0) if self.next_creates else None
        fault = fault or self.for_receiver.get(message.receiver)
        first = self._resource(message)
        if fault is None or self.accepted_before_fault:
            await self._accept(message)
        if self.latency:
            await self._wait()
        return await fault(request, first) if fault else web.json_response(first, status=201)

    async def _accept(self, message: FakeMessage) -> None:
        self.messages[message.sid] = message
        if not (self.callbacks and message.callback_url):
            return
        if self.callback_before_answer:
            await self._call_back(message)
            return
        task = asyncio.create_task(self._call_back(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _call_back(self, message: FakeMessage) -> None:
        for status in tuple(self.callbacks):
            await asyncio.sleep(self.callback_delay)
            code = self.callback_error if status in FAILED else None
            await self.report(message.sid, status, error_code=code)

    async def _wait(self) -> None:
        self.in_flight += 1
        self.in_flight_peak = max(self.in_flight_peak, self.in_flight)
        try:
            await asyncio.sleep(self.latency)
        finally:
            self.in_flight -= 1

    async def _fetch(self, request: web.Request) -> web.StreamResponse:
        self.requests["fetch"] += 1
        sid = request.match_info["sid"]
        message = self.messages.get(sid)
        fault = self.for_sid.get(sid)
        if fault is not None:
            return await fault(request, self._resource(message) if message else {})
        if message is None:
            return refuse(404, 20404, "The requested resource was not found")
        return web.json_response(self._resource(message))

    async def _list(self, request: web.Request) -> web.StreamResponse:
        self.requests["list"] += 1
        rows = [self._resource(message) for message in reversed(self.messages.values())]
        receiver = request.query.get("To")
        kept = [row for row in rows if not receiver or row["to"] == receiver]
        return web.json_response({"messages": kept[:1000], "next_page_uri": None})

    def _knows(self, request: web.Request) -> bool:
        expected = aiohttp.encode_basic_auth(*self.credentials)
        return (
            request.headers.get("Authorization") == expected
            and request.match_info["account"] == self.account_sid
        )

    def _resource(self, message: FakeMessage) -> dict[str, Any]:
        when = format_datetime(datetime.now(UTC))
        return {
            "account_sid": self.account_sid,
            "api_version": "2010-04-01",
            "body": message.body,
            "date_created": when,
            "date_sent": None,
            "date_updated": when,
            "direction": "outbound-api",
            "error_code": message.error_code,
            "error_message": None,
            "from": message.sender or None,
            "messaging_service_sid": None,
            "num_media": "0",
            "num_segments": "1",
            "price": None,
            "price_unit": "USD",
            "sid": message.sid,
            "status": message.status,
            "to": message.receiver,
            "uri": f"/2010-04-01/Accounts/{self.account_sid}/Messages/{message.sid}.json",
        }


def refuse(status: int, code: int, text: str) -> web.Response:
    return web.json_response(error_body(status, code, text), status=status)
