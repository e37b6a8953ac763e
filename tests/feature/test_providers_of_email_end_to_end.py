"""An email from ``add_email`` to its end by providers with an API, over real sockets both ways."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import pytest

from app.transports.contract import RawRequest
from tests.fakes.api import FakeApi
from tests.fakes.brevo.server import FakeBrevo
from tests.fakes.items import see
from tests.fakes.mandrill.server import FakeMandrill
from tests.fakes.postal.server import FakePostal
from tests.fakes.postmark.given import PASSWORD, add_one, until_state, verdicts
from tests.fakes.scaleway.server import FakeScaleway
from tests.fakes.sparkpost.server import FakeSparkpost
from tests.fakes.unisender_go.server import FakeUnisenderGo
from tests.fakes.web import Web, serving
from tests.providers.mandrill.test_reports import signed as signed_by_mandrill
from tests.providers.postal.signing import OURS, public_text
from tests.providers.postal.signing import signed as signed_by_postal
from tests.providers.unisender_go.signing import UNSIGNED
from tests.providers.unisender_go.signing import signed as signed_by_unisender

pytestmark = pytest.mark.usefixtures("database_url", "redis_url")

FORM, JSON = "application/x-www-form-urlencoded", "application/json"
MANDRILL_KEY = "webhook-key-of-mandrill"

type Report = Callable[["Sent", bool], tuple[str, bytes]]
"""The content type and the body of a report that a message was delivered, or bounced."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What the provider knows of a message: its id, our metadata, the receiver."""

    message_id: str
    metadata: dict[str, str]
    item: UUID
    receiver: str = "Ada@example.com"


def keep(request: RawRequest) -> RawRequest:
    return request


@dataclass(frozen=True, slots=True)
class Provider:
    """``login``: the address of the webhook has a password in it. ``sign``: what the provider does
    to a request besides."""

    name: str
    fake: Callable[[], FakeApi]
    settings: Callable[[Any], dict[str, str]]
    report: Report
    login: bool = True
    sign: Callable[[RawRequest], RawRequest] = keep
    refused: int = 401
    environment: dict[str, str] = field(default_factory=dict[str, str])


def brevo(sent: Sent, delivered: bool) -> tuple[str, bytes]:
    report = {
        "event": "delivered" if delivered else "hard_bounce",
        "email": sent.receiver,
        "message-id": sent.message_id,
        "ts_epoch": 1790000000000,
        "X-Mailin-custom": json.dumps(sent.metadata),
    }
    return JSON, json.dumps(report).encode()


def mandrill(sent: Sent, delivered: bool) -> tuple[str, bytes]:
    message = {"_id": sent.message_id, "email": sent.receiver, "metadata": sent.metadata}
    event = "delivered" if delivered else "hard_bounce"
    events = [{"event": event, "_id": sent.message_id, "ts": 1790000000, "msg": message}]
    return FORM, urlencode({"mandrill_events": json.dumps(events)}).encode()


def sparkpost(sent: Sent, delivered: bool) -> tuple[str, bytes]:
    event = {
        "type": "delivery" if delivered else "bounce",
        "event_id": f"{sent.message_id}-{delivered}",
        "timestamp": "1790000000",
        "transmission_id": sent.message_id,
        "raw_rcpt_to": sent.receiver,
        "rcpt_meta": sent.metadata,
    }
    return JSON, json.dumps([{"msys": {"message_event": event}}]).encode()


def postal(sent: Sent, delivered: bool) -> tuple[str, bytes]:
    message = {
        "id": int(sent.message_id),
        "direction": "outgoing",
        "message_id": f"item-{sent.item}@mail.example.com",
        "to": sent.receiver,
    }
    report = {
        "event": "MessageSent" if delivered else "MessageBounced",
        "timestamp": 1790000000.5,
        "payload": {"message": message} if delivered else {"original_message": message},
        "uuid": f"{sent.item}-{delivered}",
    }
    return JSON, json.dumps(report).encode()


def scaleway(sent: Sent, delivered: bool) -> tuple[str, bytes]:
    report = {
        "id": f"{sent.message_id}-{delivered}",
        "type": "email_delivered" if delivered else "email_dropped",
        "email_id": sent.message_id,
        "email_to": sent.receiver,
        "email_headers": [{"name": "X-Metadata", "value": json.dumps(sent.metadata)}],
    }
    envelope = {"Type": "Notification", "TopicArn": "t", "Message": json.dumps(report)}
    return "text/plain; charset=UTF-8", json.dumps(envelope).encode()


def unisender_go(sent: Sent, delivered: bool) -> tuple[str, bytes]:
    event = {
        "auth": UNSIGNED,
        "event_name": "transactional_email_status",
        "job_id": sent.message_id,
        "metadata": sent.metadata,
        "email": sent.receiver,
        "status": "delivered" if delivered else "hard_bounced",
        "event_time": "2026-09-21 14:13:20",
    }
    return JSON, json.dumps(event).encode()


PROVIDERS = [
    Provider("brevo", FakeBrevo, lambda f: {"BREVO_API_KEY": f.key}, brevo, refused=429),
    Provider(
        "mandrill",
        FakeMandrill,
        lambda f: {"MANDRILL_API_KEY": f.key, "MANDRILL_WEBHOOK_KEY": MANDRILL_KEY},
        mandrill,
        login=False,
        sign=lambda request: signed_by_mandrill(request, MANDRILL_KEY),
        refused=403,
    ),
    Provider("sparkpost", FakeSparkpost, lambda f: {"SPARKPOST_API_KEY": f.key}, sparkpost),
    Provider(
        "postal",
        FakePostal,
        lambda f: {"POSTAL_API_KEY": f.key, "POSTAL_PUBLIC_KEY": public_text(OURS)},
        postal,
        login=False,
        sign=signed_by_postal,
        refused=403,
    ),
    Provider(
        "scaleway",
        FakeScaleway,
        lambda f: {"SCALEWAY_SECRET_KEY": f.key, "SCALEWAY_PROJECT_ID": "proj-1"},
        scaleway,
    ),
    Provider(
        "unisender_go",
        FakeUnisenderGo,
        lambda f: {"UNISENDER_GO_API_KEY": f.key},
        unisender_go,
        login=False,
        sign=lambda request: signed_by_unisender(request, "fake-api-key"),
        refused=403,
    ),
]


@pytest.fixture(params=PROVIDERS, ids=lambda one: one.name)
def provider(request: pytest.FixtureRequest) -> Provider:
    return request.param


@asynccontextmanager
async def pillarbox(provider: Provider, folder: Path) -> AsyncIterator[tuple[FakeApi, Web]]:
    """Worker and web in one process, with this provider's channel alone."""
    prefix = provider.name.upper()
    login = {f"{prefix}_WEBHOOK_USER": "hooks", f"{prefix}_WEBHOOK_PASSWORD": PASSWORD}
    async with provider.fake() as fake:
        environment = {
            "STORAGE_PATH": str(folder),
            "EMBEDDED_WORKER": "true",
            "DISPATCH_ALLOW_REAL": "*",
            "DISPATCH_RETRY_BASE": "0.2",
            "MESSAGE_ID_DOMAIN": "mail.example.com",
            f"{prefix}_BASE_URL": fake.base_url,
            **provider.settings(fake),
            **(login if provider.login else {}),
        }
        async with serving(**environment) as web:
            yield fake, web


async def sent_by(fake: FakeApi) -> Sent:
    """One email to Ada that the provider has accepted, as it came to the provider."""
    item = await add_one(tags=["receipts"])
    await until_state(item, "awaiting")
    row = await see(item)
    [body] = fake.taken
    return Sent(row["message_id"], metadata_in(json.loads(body)), item)


def metadata_in(message: dict[str, Any]) -> dict[str, str]:
    """Our keys, wherever this provider is given them."""
    message = message.get("message", message)
    headers = message.get("additional_headers", [])
    written = message.get("headers", {}).get("X-Mailin-custom") or next(
        (one["value"] for one in headers if one["key"] == "X-Metadata"), "{}"
    )
    return message.get("metadata") or message.get("global_metadata") or json.loads(written)


async def post(
    web: Web, provider: Provider, sent: Sent, *, delivered: bool, proven: bool = True
) -> int:
    """Report as the provider does, or as somebody who has no secret; the status of the answer."""
    path = f"/webhooks/email/{provider.name}"
    kind, body = provider.report(sent, delivered)
    request = RawRequest("POST", (web.url + path,), b"", {"content-type": kind}, body)
    request = provider.sign(request) if proven else request
    auth = ("hooks", PASSWORD if proven else "guess") if provider.login else None
    answer = await web.post(path, content=request.body, headers=dict(request.headers), auth=auth)
    return answer.status_code


async def test_an_email_is_sent_and_its_delivery_and_its_bounce_believed(
    provider: Provider, tmp_path: Path
) -> None:
    """Field report 29."""
    async with pillarbox(provider, tmp_path) as (fake, web):
        sent = await sent_by(fake)
        assert await post(web, provider, sent, delivered=True) == 200
        await until_state(sent.item, "succeeded")
        assert await post(web, provider, sent, delivered=False) == 200
        await until_state(sent.item, "errored")
    assert len(fake.bodies) == 1


async def test_a_report_of_nobody_is_refused_and_not_stored(
    provider: Provider, tmp_path: Path
) -> None:
    async with pillarbox(provider, tmp_path) as (fake, web):
        sent = await sent_by(fake)
        status = await post(web, provider, sent, delivered=True, proven=False)
        assert status == provider.refused
        assert await verdicts() == []
        assert (await see(sent.item))["state"] == "awaiting"


async def test_a_report_without_our_keys_counts_only_where_it_is_signed(
    provider: Provider, tmp_path: Path
) -> None:
    async with pillarbox(provider, tmp_path) as (fake, web):
        sent = replace(await sent_by(fake), metadata={})
        assert await post(web, provider, sent, delivered=True) == 200
        if provider.login:
            assert (await see(sent.item))["state"] == "awaiting"
        else:
            await until_state(sent.item, "succeeded")


@pytest.mark.parametrize("name", ["mandrill", "unisender_go", "nobody"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_an_address_is_tried_before_there_is_a_secret(
    tmp_path: Path, name: str, method: str
) -> None:
    async with serving(STORAGE_PATH=str(tmp_path)) as web:
        answer = await web.client.request(method, f"/webhooks/email/{name}")
    assert (answer.status_code, answer.content) == (200, b"")
