"""The webhook route: limit, authenticate, parse, store, dispatch, answer. It calls no provider."""

from arvel.http.request import Request
from arvel.http.response import Response
from arvel.kernel.logging import LogManager

from app.controllers.webhooks.raw import BodyTooLarge, read_request
from app.controllers.webhooks.tracked import fill_keys
from app.items import evidence
from app.jobs.apply_delivery_event import ApplyDeliveryEvent
from app.transports.channels import current
from app.transports.contract import (
    Facts,
    ProviderEvent,
    Webhook,
    WebhookRefused,
    WebhookUnreadable,
)

AT_ONCE = 200
"""Requests that one process answers at the same time; more are asked to come again."""

CHALLENGES = {401: {"www-authenticate": 'Basic realm="Pillarbox"'}}
"""Some providers send their password only after this (RFC 9110, 15.5.2)."""

_open: set[int] = set()


async def receive_email(request: Request, provider: str) -> Response:
    """Reports of an email provider."""
    return await _receive(request, "email", provider)


async def receive_sms(request: Request, provider: str) -> Response:
    """Reports of an SMS provider."""
    return await _receive(request, "sms", provider)


async def _receive(request: Request, method: str, provider: str) -> Response:
    channels = current()
    webhook = channels.webhooks.get((method, provider))
    transport = (channels.email if method == "email" else channels.sms).get(provider)
    if webhook is None or transport is None:
        return Response("", 404)
    if len(_open) >= AT_ONCE:
        return Response("", 503, headers={"retry-after": "5"})
    _open.add(id(request))
    try:
        return await _answer(request, webhook, transport.facts)
    finally:
        _open.discard(id(request))


async def _answer(request: Request, webhook: Webhook, facts: Facts) -> Response:
    try:
        raw = await read_request(request, facts.max_webhook_bytes)
        webhook.authenticate(raw)
        events = webhook.parse(raw)
    except BodyTooLarge:
        return Response("", 413)
    except WebhookRefused as refusal:
        return _refuse(facts, "webhook_refused", refusal.reason, facts.refused_status)
    except WebhookUnreadable as error:
        return _refuse(facts, "webhook_unreadable", str(error), facts.unreadable_status)
    if facts.method == "email":
        events = fill_keys(events, current().tracking)
    return await _store(facts, events)


async def _store(facts: Facts, events: list[ProviderEvent]) -> Response:
    try:
        ids = await evidence.store(facts.name, events)
    except Exception as error:
        LogManager().channel("webhooks").error(
            "webhook_not_stored", provider=facts.name, error=type(error).__name__
        )
        return Response("", facts.not_stored_status, headers={"retry-after": "5"})
    for event_id in ids:
        await ApplyDeliveryEvent.dispatch(str(event_id))
    return Response("", facts.stored_status)


def _refuse(facts: Facts, action: str, reason: str, status: int) -> Response:
    LogManager().channel("webhooks").warning(action, provider=facts.name, reason=reason[:200])
    return Response("", status, headers=CHALLENGES.get(status, {}))
