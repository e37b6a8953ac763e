"""Captured reports of providers, posted to the real route with real signatures.

Their keys are made for the run; the certificate of SNS is put where it would have been fetched to.
"""

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from app.models import statements
from app.transports import channels
from app.transports.contract import RawRequest
from app.transports.email.amazon_ses.webhook import AmazonSesWebhook
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
    """``refused``: how the route answers somebody else, so that nothing is lost for good."""

    suite: ReportSuite
    settings: dict[str, str]
    refused: int = 403

    def signed(self, report: Reported, *, forged: bool = False) -> RawRequest:
        """As the provider sends it now."""
        request = report.request()
        if not self.suite.signs:
            return with_login(request, "guess") if forged else with_login(request)
        return self.suite.sign(request, at=int(time.time()), forged=forged)


PROVIDERS = [
    Provider(
        amazon_ses.TestReports(),
        {
            "SES_ACCESS_KEY_ID": "AKIATESTTESTTEST",
            "SES_SECRET_ACCESS_KEY": "s",
            "SES_REGION": "eu-west-1",
            "SES_TOPIC_ARNS": TOPIC,
        },
        refused=401,
    ),
    Provider(
        mailersend.TestReports(),
        {"MAILERSEND_API_TOKEN": "t", "MAILERSEND_WEBHOOK_SECRET": mailersend.SECRET},
    ),
    Provider(
        mailgun.TestReports(),
        {
            "MAILGUN_API_KEY": "k",
            "MAILGUN_DOMAIN": "mg.example.com",
            "MAILGUN_WEBHOOK_KEY": mailgun.KEY,
        },
    ),
    Provider(
        mailjet.TestReports(),
        {
            "MAILJET_API_KEY": "k",
            "MAILJET_SECRET_KEY": "s",
            "MAILJET_WEBHOOK_USER": LOGIN.user,
            "MAILJET_WEBHOOK_PASSWORD": LOGIN.password,
        },
        refused=401,
    ),
    Provider(
        mailtrap.TestReports(),
        {"MAILTRAP_API_TOKEN": "t", "MAILTRAP_WEBHOOK_SECRET": mailtrap.SECRET},
    ),
    Provider(
        resend.TestReports(),
        {"RESEND_API_KEY": "k", "RESEND_WEBHOOK_SECRET": resend.written(resend.SECRET)},
    ),
    Provider(
        sendgrid.TestReports(),
        {"SENDGRID_API_KEY": "k", "SENDGRID_WEBHOOK_KEY": sendgrid.public(sendgrid.KEY)},
    ),
]


@pytest.fixture(params=PROVIDERS, ids=lambda one: one.suite.esp)
def provider(request: pytest.FixtureRequest) -> Provider:
    return request.param


@pytest.fixture
async def web(provider: Provider, tmp_path: Path) -> AsyncIterator[Web]:
    async with serving(STORAGE_PATH=str(tmp_path), **provider.settings) as running:
        webhook = channels.current().webhooks["email", provider.suite.esp]
        if provider.suite.esp == "amazon_ses":
            cast("AmazonSesWebhook", webhook).certificates.learn(CERTIFICATE_URL, PEM)
        yield running


async def post(web: Web, provider: Provider, request: RawRequest) -> httpx.Response:
    path = f"/webhooks/email/{provider.suite.esp}"
    return await web.post(path, content=request.body, headers=dict(request.headers))


async def stored() -> list[dict[str, Any]]:
    rows = await statements.run("SELECT type, recipient FROM delivery_events")
    return [dict(row) for row in rows]


def captured(provider: Provider, *, confirmations: bool = False) -> list[Reported]:
    """All but the request to confirm a subscription, which would be answered to SNS."""
    found: list[Reported] = [one.values[0] for one in reports_of(provider.suite.esp)]
    return [one for one in found if confirmations or b"SubscriptionConfirmation" not in one.body]


async def test_each_captured_report_is_taken_and_stored_as_what_it_means(
    web: Web, provider: Provider
) -> None:
    reports = captured(provider)
    for report in reports:
        answer = await post(web, provider, provider.signed(report))
        assert answer.status_code == 200

    expected = {
        (one["event_type"], (one["recipient"] or "").lower())
        for report in reports
        for one in report.events
    }
    assert {(row["type"], row["recipient"].lower()) for row in await stored()} == expected


async def test_reports_of_others_are_refused_and_nothing_of_them_is_stored(
    web: Web, provider: Provider
) -> None:
    for report in captured(provider, confirmations=True):
        unsigned = RawRequest("POST", (), b"", {"content-type": report.content_type}, report.body)
        for request in (unsigned, provider.signed(report, forged=True)):
            answer = await post(web, provider, request)
            assert answer.status_code == provider.refused
    assert await stored() == []


async def test_a_report_that_is_posted_again_is_stored_once(web: Web, provider: Provider) -> None:
    request = provider.signed(captured(provider)[0])
    for _ in range(3):
        assert (await post(web, provider, request)).status_code == 200
    assert len(await stored()) == len(captured(provider)[0].events)
