"""An email from ``add_email`` to delivered, by providers whose reports are signed, both ways over
real sockets; and by Mailjet, whose reports count by the keys that they bring back."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import pytest

from app.transports import channels
from app.transports.contract import RawRequest
from app.transports.email.amazon_ses.webhook import AmazonSesWebhook
from tests.fakes.amazon_ses import KEY_ID, REGION, FakeAmazonSes
from tests.fakes.api import FakeApi
from tests.fakes.items import see
from tests.fakes.mailersend import FakeMailersend
from tests.fakes.mailgun import DOMAIN, FakeMailgun
from tests.fakes.mailjet import KEY, FakeMailjet, message_in
from tests.fakes.mailtrap import FakeMailtrap
from tests.fakes.postmark.given import add_one, until_state
from tests.fakes.resend import FakeResend
from tests.fakes.sendgrid import FakeSendgrid
from tests.fakes.sns import CERTIFICATE_URL, PEM, TOPIC
from tests.fakes.web import Web, serving
from tests.providers.amazon_ses import test_reports as amazon_ses
from tests.providers.cases import Reported, reports_of
from tests.providers.mailersend import test_reports as mailersend
from tests.providers.mailgun import test_reports as mailgun
from tests.providers.mailjet import test_reports as mailjet
from tests.providers.mailtrap import test_reports as mailtrap
from tests.providers.report_suite import LOGIN, ReportSuite, with_login
from tests.providers.resend import test_reports as resend
from tests.providers.sendgrid import test_reports as sendgrid

pytestmark = pytest.mark.usefixtures("database_url", "redis_url")


@dataclass(frozen=True, slots=True)
class Provider:
    """``settings`` for its fake."""

    suite: ReportSuite
    prefix: str
    fake: Callable[[], FakeApi]
    settings: Callable[[Any], dict[str, str]]


PROVIDERS = [
    Provider(
        amazon_ses.TestReports(),
        "SES",
        FakeAmazonSes,
        lambda fake: {
            "SES_ACCESS_KEY_ID": KEY_ID,
            "SES_SECRET_ACCESS_KEY": fake.secret,
            "SES_REGION": REGION,
            "SES_TOPIC_ARNS": TOPIC,
        },
    ),
    Provider(
        mailersend.TestReports(),
        "MAILERSEND",
        FakeMailersend,
        lambda fake: {
            "MAILERSEND_API_TOKEN": fake.token,
            "MAILERSEND_WEBHOOK_SECRET": mailersend.SECRET,
        },
    ),
    Provider(
        mailgun.TestReports(),
        "MAILGUN",
        FakeMailgun,
        lambda fake: {
            "MAILGUN_API_KEY": fake.key,
            "MAILGUN_DOMAIN": DOMAIN,
            "MAILGUN_WEBHOOK_KEY": mailgun.KEY,
        },
    ),
    Provider(
        mailjet.TestReports(),
        "MAILJET",
        FakeMailjet,
        lambda fake: {
            "MAILJET_API_KEY": KEY,
            "MAILJET_SECRET_KEY": fake.secret,
            "MAILJET_WEBHOOK_USER": LOGIN.user,
            "MAILJET_WEBHOOK_PASSWORD": LOGIN.password,
        },
    ),
    Provider(
        mailtrap.TestReports(),
        "MAILTRAP",
        FakeMailtrap,
        lambda fake: {
            "MAILTRAP_API_TOKEN": fake.token,
            "MAILTRAP_WEBHOOK_SECRET": mailtrap.SECRET,
        },
    ),
    Provider(
        resend.TestReports(),
        "RESEND",
        FakeResend,
        lambda fake: {
            "RESEND_API_KEY": fake.key,
            "RESEND_WEBHOOK_SECRET": resend.written(resend.SECRET),
        },
    ),
    Provider(
        sendgrid.TestReports(),
        "SENDGRID",
        FakeSendgrid,
        lambda fake: {
            "SENDGRID_API_KEY": fake.key,
            "SENDGRID_WEBHOOK_KEY": sendgrid.public(sendgrid.KEY),
        },
    ),
]


@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda one: one.suite.esp)
async def test_an_email_is_sent_once_and_its_delivery_believed(
    provider: Provider, tmp_path: Path
) -> None:
    async with provider.fake() as fake:
        environment = {
            "STORAGE_PATH": str(tmp_path),
            "EMBEDDED_WORKER": "true",
            "DISPATCH_ALLOW_REAL": "*",
            "MESSAGE_ID_DOMAIN": "mail.example.com",
            f"{provider.prefix}_BASE_URL": fake.base_url,
            **provider.settings(fake),
        }
        async with serving(**environment) as web:
            item = await add_one(tags=["receipts"])
            await until_state(item, "awaiting")
            assert await report_delivery(web, provider, fake, item) == 200
            await until_state(item, "succeeded")
        assert len(fake.taken) == 1


async def report_delivery(web: Web, provider: Provider, fake: FakeApi, item: UUID) -> int:
    """Post the captured report as if it were about this message; the status of the answer."""
    esp = provider.suite.esp
    if esp == "amazon_ses":
        webhook = channels.current().webhooks["email", esp]
        cast("AmazonSesWebhook", webhook).certificates.learn(CERTIFICATE_URL, PEM)
    report = next(r for r in captured(esp) if r.events and r.events[0]["event_type"] == "delivered")
    old, new = report.events[0]["message_id"], (await see(item))["message_id"]
    if isinstance(fake, FakeMailjet):
        request = report.request(mailjets(fake, report, new))
    else:
        request = report.request(report.body.replace(plain(old), plain(new)))
    request = sign_now(provider, request)
    answer = await web.post(
        f"/webhooks/email/{esp}", content=request.body, headers=dict(request.headers)
    )
    return answer.status_code


def captured(esp: str) -> list[Reported]:
    return [one.values[0] for one in reports_of(esp)]


def plain(message_id: str) -> bytes:
    """Mailgun's reports have no angle brackets."""
    return message_id.strip("<>").encode()


def mailjets(fake: FakeMailjet, report: Reported, message_id: str) -> bytes:
    """Mailjet brings back what stands on the message, without which its report says nothing."""
    [delivered, *_] = json.loads(report.body)
    payload = message_in(fake.taken[0])["EventPayload"]
    ours = {"MessageID": int(message_id), "email": "Ada@example.com", "Payload": payload}
    return json.dumps([delivered | ours]).encode()


def sign_now(provider: Provider, request: RawRequest) -> RawRequest:
    if not provider.suite.signs:
        return with_login(request)
    return provider.suite.sign(request, at=int(time.time()))
