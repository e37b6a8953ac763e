"""What Twilio's callbacks say."""

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlencode
from uuid import uuid7

import pytest
from aiohttp import web

from app.transports.contract import (
    Accepted,
    EventType,
    Found,
    ProviderEvent,
    RawRequest,
    Report,
    WebhookRefused,
    WebhookUnreadable,
)
from app.transports.sms.twilio import TwilioTransport
from app.transports.sms.twilio_config import TwilioConfig
from app.transports.sms.twilio_webhook import TwilioWebhook
from tests.fakes.twilio import FakeTwilio
from tests.fakes.twilio_given import RECEIVER, an_sms, config_for, go

SID = "SM" + "a" * 32
ACCOUNT = "AC" + "0" * 32


def parse(
    fields: dict[str, str], query: str = "", content_type: str = "application/x-www-form-urlencoded"
) -> list[ProviderEvent]:
    return parse_body(urlencode(fields).encode(), query, content_type)


def parse_body(body: bytes, query: str = "", content_type: str = "") -> list[ProviderEvent]:
    request = RawRequest(
        method="POST",
        urls=(f"https://hooks.example.com/t?{query}",),
        query_string=query.encode("latin-1"),
        headers={"content-type": content_type},
        body=body,
    )
    return TwilioWebhook(TwilioConfig(account_sid=ACCOUNT, auth_token="t")).parse(request)


def report(status: str, **fields: str) -> ProviderEvent:
    given = {"MessageSid": SID, "SmsSid": SID, "MessageStatus": status, "To": RECEIVER}
    [event] = parse(given | fields)
    return event


@pytest.mark.parametrize(
    ("status", "says"),
    [
        ("delivered", Report.DELIVERED),
        ("read", Report.DELIVERED),
        ("partially_delivered", Report.DELIVERED),
        ("undelivered", Report.FAILED),
        ("failed", Report.FAILED),
        ("canceled", Report.FAILED),
        ("accepted", Report.IN_FLIGHT),
        ("scheduled", Report.IN_FLIGHT),
        ("queued", Report.IN_FLIGHT),
        ("sending", Report.IN_FLIGHT),
        ("sent", Report.IN_FLIGHT),
        ("a status of the future", Report.NOTED),
    ],
)
def test_status_says_what_became_of_the_message(status: str, says: Report) -> None:
    event = report(status)
    assert (event.report, event.status) == (says, status)
    assert (event.message_id, event.recipient) == (SID, RECEIVER)


def test_failure_has_code_text_reason_and_page() -> None:
    event = report("undelivered", ErrorCode="30007", ErrorMessage="")
    assert event.type is EventType.FAILED
    assert (event.code, event.reason) == ("30007", "blocked")
    assert "undelivered" in event.text
    assert "https://www.twilio.com/docs/errors/30007" in event.text


def test_failure_without_a_code_still_says_so() -> None:
    event = report("failed")
    assert (event.code, event.text, event.reason) == ("", "Twilio: failed", "other")


def test_keys_of_ours_are_read_from_the_query() -> None:
    item, attempt = uuid7(), uuid7()
    [event] = parse(
        {"MessageSid": SID, "MessageStatus": "sent"}, f"a=1&queue_item={item}&attempt={attempt}"
    )
    assert (event.item_key, event.attempt_key) == (item, attempt)


@pytest.mark.parametrize(
    "query", ["", "queue_item=81&attempt=", "queue_item=%00&attempt=%FFx", "é"]
)
def test_keys_that_are_none_are_no_error(query: str) -> None:
    [event] = parse({"MessageSid": SID, "MessageStatus": "sent"}, query)
    assert (event.item_key, event.attempt_key) == (None, None)


def test_each_status_and_code_is_an_event_of_its_own_and_a_repetition_is_not() -> None:
    """Field report 30."""
    told = [
        report("sent"),
        report("delivered"),
        report("undelivered"),
        report("undelivered", ErrorCode="30003"),
        report("undelivered", ErrorCode="30005"),
    ]
    assert len({event.event_key for event in told}) == len(told)
    assert report("sent").event_key == report("sent", To="+15550100001").event_key
    assert report("delivered", ErrorCode="0").event_key == report("delivered").event_key


async def test_same_news_by_webhook_and_by_polling_is_one_event() -> None:
    async with FakeTwilio() as twilio:
        transport = TwilioTransport(config_for(twilio))
        outcome = await transport.send(an_sms(), go)
        assert isinstance(outcome, Accepted)
        [message] = twilio.messages.values()
        message.status, message.error_code = "undelivered", 30003
        found = await transport.status(message.sid)
        await transport.close()
    assert isinstance(found, Found)
    pushed = report("undelivered", MessageSid=message.sid, ErrorCode="30003")
    assert found.events[0].event_key == pushed.event_key


def test_json_says_the_same_as_a_form() -> None:
    fields = {"MessageSid": SID, "MessageStatus": "undelivered", "ErrorCode": 30003, "x": {"y": 1}}
    [event] = parse_body(json.dumps(fields).encode(), content_type="application/json")
    assert event.event_key == report("undelivered", ErrorCode="30003").event_key


@pytest.mark.parametrize(
    "fields",
    [
        {"SmsStatus": "received", "Body": "STOP", "OptOutType": "STOP", "From": "+15005550006"},
        {"SmsStatus": "received", "Body": "hé 👋", "OptOutType": "dance"},
        {"Body": "hello"},
    ],
)
def test_inbound_message_is_noted_and_moves_nothing(fields: dict[str, str]) -> None:
    [event] = parse({"MessageSid": SID, "To": RECEIVER} | fields)
    assert event.report is Report.NOTED
    assert (event.item_key, event.attempt_key) == (None, None)
    assert fields["Body"] not in event.text.removesuffix("(STOP)")


def test_opt_out_names_the_person_and_the_wish() -> None:
    fields = {"SmsStatus": "received", "OptOutType": "STOP", "From": "+15005550006"}
    [event] = parse({"MessageSid": SID} | fields)
    assert (event.recipient, event.reason) == ("+15005550006", "unsubscribed")


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"", "application/x-www-form-urlencoded"),
        (b"MessageStatus=sent", "application/x-www-form-urlencoded"),
        (b"MessageSid=&MessageStatus=sent", "application/x-www-form-urlencoded"),
        (b"MessageSid=SM1&MessageStatus=sent", "application/x-www-form-urlencoded"),
        (b"&".join([b"a=1"] * 5000), "application/x-www-form-urlencoded"),
        (b"", "application/json"),
        (b"\xff\xfe{", "application/json"),
        (b"[1]", "application/json"),
        (b'{"MessageSid": ["SM"]}', "application/json"),
        (b"[" * 60_000, "application/json"),
        (b'{"MessageSid": 1' + b"0" * 5000 + b"}", "application/json"),
        (b"MessageSid=" + SID.encode(), "multipart/form-data"),
    ],
)
def test_what_names_no_message_is_unreadable(body: bytes, content_type: str) -> None:
    with pytest.raises(WebhookUnreadable):
        parse_body(body, content_type=content_type)


# the whole way, over sockets


class Route:
    """An application's webhook route, behind a proxy that Twilio does not know of."""

    def __init__(self) -> None:
        self.webhook: TwilioWebhook | None = None
        self.events: list[ProviderEvent] = []
        self.port = 0

    async def __call__(self, request: web.Request) -> web.Response:
        assert self.webhook is not None
        raw = RawRequest(
            method=request.method,
            urls=(),
            query_string=request.raw_path.partition("?")[2].encode(),
            headers={name.lower(): value for name, value in request.headers.items()},
            body=await request.read(),
        )
        try:
            self.webhook.authenticate(raw)
        except WebhookRefused:
            return web.Response(status=403)
        self.events += self.webhook.parse(raw)
        return web.Response()


@pytest.fixture
async def route() -> AsyncIterator[Route]:
    route = Route()
    app = web.Application()
    app.router.add_post("/webhooks/sms/twilio", route)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    route.port = runner.addresses[0][1]
    yield route
    await runner.cleanup()


async def called_back(route: Route, **behaviour: Any) -> tuple[FakeTwilio, Any]:
    async with FakeTwilio() as twilio:
        for name, value in behaviour.items():
            setattr(twilio, name, value)
        twilio.deliver_to = f"http://127.0.0.1:{route.port}"
        config = config_for(
            twilio, webhook_url="https://hooks.example.com/webhooks/sms/twilio?t=%2B"
        )
        route.webhook = TwilioWebhook(config)
        transport = TwilioTransport(config)
        sms = an_sms()
        outcome = await transport.send(sms, go)
        arrived = len(route.events)
        await twilio.settle()
        await transport.close()
    assert isinstance(outcome, Accepted)
    assert [e.message_id for e in route.events] == [outcome.message_id] * len(route.events)
    assert {(e.item_key, e.attempt_key) for e in route.events} == {(sms.item_id, sms.attempt_id)}
    return twilio, arrived


async def test_callbacks_of_a_sent_message_are_believed_and_name_it(route: Route) -> None:
    twilio, _ = await called_back(route, callbacks=["sent", "undelivered"])
    assert [event.status for event in route.events] == ["sent", "undelivered"]
    assert twilio.callback_statuses == {200: 2}


async def test_callback_before_the_answer_names_item_attempt_and_message(route: Route) -> None:
    """Field report 27."""
    _, arrived = await called_back(route, callbacks=["delivered"], callback_before_answer=True)
    assert arrived == 1
    assert route.events[0].report is Report.DELIVERED


async def test_callback_with_a_changed_key_is_refused(route: Route) -> None:
    async with FakeTwilio() as twilio:
        twilio.deliver_to = f"http://127.0.0.1:{route.port}"
        hook = "https://hooks.example.com/webhooks/sms/twilio"
        route.webhook = TwilioWebhook(config_for(twilio, webhook_url=hook))
        assert await twilio.report(SID, "delivered", url=f"{hook}?queue_item={uuid7()}") == 200
        twilio.auth_token = "another"
        assert await twilio.report(SID, "delivered", url=f"{hook}?queue_item={uuid7()}") == 403
    assert len(route.events) == 1
