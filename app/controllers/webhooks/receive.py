"""The webhook route: limit, authenticate, parse, store, dispatch, answer.

It calls no provider, but where a request can't be judged otherwise (SNS's certificates).
"""

import uuid
from collections import Counter

from arvel.http.request import Request
from arvel.http.response import Response
from arvel.kernel import app
from arvel.kernel.logging import LogManager

from app.controllers.body import BodyTooLarge, BodyTooSlow
from app.controllers.sampled import Sampled
from app.controllers.webhooks.raw import read_request
from app.controllers.webhooks.tracked import fill_keys
from app.events import measures
from app.items import evidence
from app.jobs.apply_delivery_event import ApplyDeliveryEvent
from app.transports.channels import current
from app.transports.contract import (
    AskingWebhook,
    Facts,
    ProviderEvent,
    RawRequest,
    Webhook,
    WebhookRefused,
    WebhookUnreadable,
)
from app.worker.queue import Queue

AT_ONCE = 200
"""Complete requests of one provider that a process answers at the same time; more come again."""

CHALLENGES = {401: {"www-authenticate": 'Basic realm="Pillarbox"'}}
"""Some providers send their password only after this (RFC 9110, 15.5.2)."""

_open: Counter[str] = Counter()
_refusals = Sampled(10, seconds=60.0)


async def receive_email(request: Request, provider: str) -> Response:
    """Reports of an email provider."""
    return await _receive(request, "email", provider)


async def receive_sms(request: Request, provider: str) -> Response:
    """Reports of an SMS provider."""
    return await _receive(request, "sms", provider)


async def _receive(request: Request, method: str, provider: str) -> Response:
    LogManager.with_context(request_id=str(uuid.uuid7()))
    channels = current()
    webhook = channels.webhooks.get((method, provider))
    transport = (channels.email if method == "email" else channels.sms).get(provider)
    if webhook is None or transport is None:
        return Response("", 404)
    try:
        # Unproven and unfinished requests take nobody else's place.
        raw = await read_request(request, transport.facts.max_webhook_bytes)
    except BodyTooLarge:
        return Response("", 413)
    except BodyTooSlow:
        # 408 would be the last word to some providers.
        return _come_again(transport.facts)
    if _open[provider] >= AT_ONCE:
        return _come_again(transport.facts)
    _open[provider] += 1
    try:
        return await _answer(raw, webhook, transport.facts)
    finally:
        _open[provider] -= 1


async def _answer(raw: RawRequest, webhook: Webhook, facts: Facts) -> Response:
    try:
        if isinstance(webhook, AskingWebhook):
            await webhook.prepare(raw)
        webhook.authenticate(raw)
        events = webhook.parse(raw)
    except WebhookRefused as refusal:
        status = 403 if refusal.final else facts.refused_status
        return _refuse(facts, "webhook_refused", refusal.reason, status)
    except WebhookUnreadable as error:
        return _refuse(facts, "webhook_unreadable", str(error), facts.unreadable_status)
    except Exception as error:
        # A form of request that nobody thought of: it would fail as often as it is repeated.
        return _refuse(facts, "webhook_unreadable", type(error).__name__, facts.unreadable_status)
    if facts.method == "email":
        events = fill_keys(events, current().tracking)
    return await _store(facts, events)


async def _store(facts: Facts, events: list[ProviderEvent]) -> Response:
    if not events:
        # Such as the end of a subscription, which nobody may undo by an answer.
        LogManager().channel("webhooks").info("webhook_without_report", provider=facts.name)
    try:
        ids = await evidence.store(facts.name, events)
    except Exception as error:
        LogManager().channel("webhooks").error(
            "webhook_not_stored", provider=facts.name, error=type(error).__name__
        )
        measures.WEBHOOKS.labels(facts.name, "not_stored").inc()
        return _come_again(facts)
    measures.WEBHOOKS.labels(facts.name, "stored").inc()
    if ids:
        queue: Queue = app().make("queue")
        await queue.push_many(ApplyDeliveryEvent, [((str(one),), None) for one in ids])
    return Response("", facts.stored_status)


def _come_again(facts: Facts) -> Response:
    return Response("", facts.not_stored_status, headers={"retry-after": "5"})


def _refuse(facts: Facts, action: str, reason: str, status: int) -> Response:
    measures.WEBHOOKS.labels(facts.name, action.removeprefix("webhook_")).inc()
    if _refusals.takes(f"{action}/{facts.name}"):
        LogManager().channel("webhooks").warning(
            action, provider=facts.name, reason=reason[:200], left_out=_refusals.left_out()
        )
    return Response("", status, headers=CHALLENGES.get(status, {}))
