"""What the reports of Amazon SES mean, and whom its webhook believes."""

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, ClassVar, override

import pytest
from hypothesis import strategies as st

from app.transports.contract import (
    AskingWebhook,
    RawRequest,
    Report,
    WebhookRefused,
    WebhookUnreadable,
)
from app.transports.email.amazon_ses.config import AmazonSesConfig
from app.transports.email.amazon_ses.webhook import AmazonSesWebhook
from app.transports.http.basic_auth import Login
from tests.fakes.sns import CERTIFICATE_URL, GUESS, KEY, PEM, TOPIC, certificate, sign
from tests.fakes.waiting import patience
from tests.providers.cases import Reported, reports_of
from tests.providers.mutations import mutated
from tests.providers.report_suite import LOGIN, NOW, ReportSuite, accept, with_login

BY_NAME = {one.id.partition("-")[2]: one.values[0] for one in reports_of("amazon_ses")}
ENVELOPE: dict[str, Any] = json.loads(BY_NAME["Delivery"].body)


class Internet:
    """What is fetched, and what is answered."""

    def __init__(self, pem: bytes | None = PEM, confirmed: bytes | None = b"<xml/>") -> None:
        self.asked: list[str] = []
        self._pem, self._confirmed = pem, confirmed

    async def fetch(self, url: str) -> bytes | None:
        self.asked.append(url)
        return self._pem if url == CERTIFICATE_URL else self._confirmed


def webhook(
    *logins: Login, topics: str = TOPIC, internet: Internet | None = None
) -> AmazonSesWebhook:
    config = AmazonSesConfig(
        access_key_id="AKIATESTTESTTEST",
        secret_access_key="s",
        region="eu-west-1",
        topic_arns=topics,
        webhook_logins=logins,
    )
    return AmazonSesWebhook(config, lambda: NOW, (internet or Internet()).fetch)


class TestReports(ReportSuite):
    esp: ClassVar[str] = "amazon_ses"
    tolerance: ClassVar[int | None] = 2 * 3600
    reads_first: ClassVar[bool] = True

    @override
    def webhook(self, *logins: Login, signed: bool = True) -> AmazonSesWebhook:
        made = webhook(*logins, topics=TOPIC if signed else "")
        made.certificates.learn(CERTIFICATE_URL, PEM)
        return made

    @override
    def sign(self, request: RawRequest, *, at: int = NOW, forged: bool = False) -> RawRequest:
        """With the time of the capture, unless another is asked for."""
        return sign(request, at=None if at == NOW else at, key=GUESS if forged else KEY)

    @override
    def expected(self, case: dict[str, Any]) -> dict[str, Any]:
        """What was captured of a message to us has no time."""
        at = case.get("timestamp") or "2026-09-21T14:13:21.345+00:00"
        return super().expected(case | {"timestamp": at})

    @override
    def tamper(self, body: bytes) -> bytes:
        """What is signed is what the fields say, not how they are written."""
        return body.replace(b'"Message": "', b'"Message": " ')

    @override
    def odd(self, report: Reported) -> st.SearchStrategy[bytes]:
        """Odd reports in a good envelope, and odd envelopes."""
        envelope = json.loads(report.body)
        try:
            content = json.loads(envelope["Message"])
        except ValueError:
            return mutated(envelope).map(to_bytes)
        inside = mutated(content).map(lambda one: to_bytes(envelope | {"Message": json.dumps(one)}))
        return inside | mutated(envelope).map(to_bytes)


def to_bytes(content: Any) -> bytes:
    return json.dumps(content).encode()


def request_with(content: dict[str, Any] | str, **fields: Any) -> RawRequest:
    """A signed notification with this inside."""
    message = content if isinstance(content, str) else json.dumps(content)
    envelope = Reported("text/plain; charset=UTF-8", {}, to_bytes(ENVELOPE), []).request()
    return sign(envelope, **({"Message": message} | fields))


def parse(content: dict[str, Any] | str) -> list[Any]:
    return accept(TestReports().webhook(), request_with(content))


MAIL = {"messageId": "1", "destination": ["ada@example.com", "bob@example.com"]}


@pytest.mark.parametrize(
    ("content", "kind", "reason"),
    [
        ({"eventType": "Bounce", "bounce": {"bounceSubType": "General"}}, "bounced", "bounced"),
        ({"eventType": "Bounce", "bounce": {"bounceSubType": "Suppressed"}}, "rejected", "blocked"),
        ({"notificationType": "Complaint", "complaint": {}}, "complained", "spam"),
        (
            {
                "eventType": "Complaint",
                "complaint": {"complaintSubType": "OnAccountSuppressionList"},
            },
            "rejected",
            "spam",
        ),
        ({"eventType": "Reject", "reject": {"reason": "Bad content"}}, "rejected", "blocked"),
        ({"eventType": "DeliveryDelay"}, "deferred", ""),
        ({"eventType": "Subscription", "subscription": {}}, "subscribed", ""),
        ({"eventType": "Of the future"}, "unknown", ""),
    ],
)
def test_a_report_is_one_event_for_each_receiver(
    content: dict[str, Any], kind: str, reason: str
) -> None:
    events = parse({**content, "mail": MAIL})
    assert [one.recipient for one in events] == MAIL["destination"]
    assert {(one.type.value, one.reason) for one in events} == {(kind, reason)}
    assert len({one.event_key for one in events}) == 2


def test_a_bounce_is_about_those_whom_it_names() -> None:
    bounced = [{"emailAddress": "bob@example.com", "status": "5.1.1", "diagnosticCode": "550 no"}]
    [event] = parse(
        {
            "eventType": "Bounce",
            "mail": MAIL,
            "bounce": {"bouncedRecipients": [1, {}, *bounced]},
        }
    )
    assert (event.recipient, event.code, event.text) == (
        "bob@example.com",
        "5.1.1",
        "Amazon SES: 550 no",
    )


def test_keys_come_back_as_tags_where_headers_were_cut() -> None:
    mail = {**MAIL, "destination": ["a@example.com"], "headers": None}
    [event] = parse(
        {"eventType": "Open", "mail": {**mail, "tags": {"vdq_attempt": ["b"], "x": [1]}}}
    )
    assert event.metadata == {"vdq_attempt": "b"}


@pytest.mark.parametrize("content", ["", "hello", "{}", "[]", "{", '{"eventType": 1.5}'])
def test_what_holds_no_report_is_kept_as_unknown(content: str) -> None:
    """Field report 41: SNS would send the same again for an hour."""
    [event] = parse(content)
    assert (event.report, event.status) == (Report.NOTED, "unreadable")
    assert "UnsubscribeURL" not in repr(event)
    assert parse(content)[0].event_key == event.event_key


@pytest.mark.parametrize(
    "fields",
    [
        {"TopicArn": "arn:aws:sns:eu-west-1:999999999999:pillarbox-ses"},
        {"TopicArn": ""},
        {"SigningCertURL": CERTIFICATE_URL.replace("https", "http")},
        {"SigningCertURL": CERTIFICATE_URL.replace("sns.", "sns.evil.")},
        {"SigningCertURL": CERTIFICATE_URL.replace("eu-west-1", "us-east-1")},
        {"SigningCertURL": CERTIFICATE_URL.replace(".com/", ".com.evil.example/")},
        {"SigningCertURL": CERTIFICATE_URL.replace("sns.", "user@sns.")},
        {"SigningCertURL": CERTIFICATE_URL.replace(".com/", ".com:8443/")},
        {"SigningCertURL": CERTIFICATE_URL.replace("/Simple", "/other/Simple")},
        {"SigningCertURL": CERTIFICATE_URL + "?x"},
        {"SigningCertURL": "https://["},
        {"SignatureVersion": "3"},
        {"SignatureVersion": None},
        {"Timestamp": "yesterday"},
        {"Type": "Other"},
    ],
    ids=str,
)
async def test_a_notification_that_is_not_ours_is_refused_and_nothing_is_fetched_for_it(
    fields: dict[str, Any],
) -> None:
    internet = Internet()
    asking = webhook(internet=internet)
    with pytest.raises(WebhookRefused):
        await asking.prepare(request_with("{}", **fields))
    assert internet.asked in ([], [CERTIFICATE_URL])
    with pytest.raises(WebhookRefused):
        asking.authenticate(request_with("{}", **fields))


@pytest.mark.parametrize("name", ["x-amz-sns-message-type", "x-amz-sns-message-id"])
def test_headers_that_name_another_notification_are_refused(name: str) -> None:
    given = request_with("{}")
    request = replace(given, headers={**given.headers, name: "another"})
    with pytest.raises(WebhookRefused):
        accept(TestReports().webhook(), request)


async def test_a_certificate_is_fetched_once() -> None:
    internet = Internet()
    asking = webhook(internet=internet)
    requests = [sign(BY_NAME["Delivery"].request()) for _ in range(5)]
    await asyncio.gather(*(asking.prepare(request) for request in requests))
    for request in requests:
        asking.authenticate(request)
    assert isinstance(asking, AskingWebhook)
    assert internet.asked == [CERTIFICATE_URL]


async def test_a_known_certificate_waits_for_no_other() -> None:
    asked, answered = asyncio.Event(), asyncio.Event()

    class Slow(Internet):
        @override
        async def fetch(self, url: str) -> bytes | None:
            if url != CERTIFICATE_URL:
                asked.set()
                await answered.wait()
                return None
            return await super().fetch(url)

    asking = webhook(internet=Slow())
    await asking.prepare(sign(BY_NAME["Delivery"].request()))
    url = CERTIFICATE_URL.replace(".pem", "0.pem")
    forged = asyncio.create_task(asking.prepare(request_with("{}", SigningCertURL=url)))
    await asked.wait()
    async with asyncio.timeout(patience(5)):
        await asking.prepare(sign(BY_NAME["Delivery"].request()))
    answered.set()
    with pytest.raises(WebhookUnreadable):
        await forged


@pytest.mark.parametrize("pem", [None, b"", b"no certificate"])
async def test_while_sns_does_not_show_its_certificate_the_report_has_to_come_again(
    pem: bytes | None,
) -> None:
    asking, request = webhook(internet=Internet(pem)), sign(BY_NAME["Delivery"].request())
    with pytest.raises(WebhookUnreadable):
        await asking.prepare(request)
    with pytest.raises(WebhookRefused):
        asking.authenticate(request)


async def test_a_certificate_that_has_expired_proves_nothing() -> None:
    old = certificate(end=datetime(2026, 2, 1, tzinfo=UTC))
    with pytest.raises(WebhookRefused):
        await webhook(internet=Internet(old)).prepare(sign(BY_NAME["Delivery"].request()))


def confirmation(**fields: Any) -> RawRequest:
    return sign(BY_NAME["SNS SubscriptionConfirmation"].request(), **fields)


async def test_a_subscription_to_an_expected_topic_is_confirmed() -> None:
    internet = Internet()
    asking = webhook(LOGIN, internet=internet)
    await asking.prepare(with_login(confirmation()))
    [_, confirmed] = internet.asked
    assert confirmed.startswith("https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription")
    assert accept(asking, with_login(confirmation())) == []


@pytest.mark.parametrize(
    "request_",
    [
        confirmation(),
        with_login(confirmation(TopicArn=TOPIC + "-other")),
        with_login(confirmation(key=GUESS)),
        with_login(confirmation(SubscribeURL="https://evil.example/?Action=ConfirmSubscription")),
        with_login(confirmation(SubscribeURL="http://sns.eu-west-1.amazonaws.com/")),
    ],
)
async def test_another_subscription_is_not(request_: RawRequest) -> None:
    internet = Internet()
    with pytest.raises(WebhookRefused):
        await webhook(LOGIN, internet=internet).prepare(request_)
    assert internet.asked in ([], [CERTIFICATE_URL])


async def test_a_confirmation_that_sns_does_not_take_has_to_come_again() -> None:
    with pytest.raises(WebhookUnreadable):
        await webhook(internet=Internet(confirmed=None)).prepare(confirmation())


async def test_without_topics_nothing_is_fetched() -> None:
    internet = Internet()
    asking = webhook(LOGIN, topics="", internet=internet)
    await asking.prepare(with_login(confirmation()))
    assert internet.asked == []
    assert len(accept(asking, with_login(BY_NAME["Delivery"].request()))) == 1
