"""``arvel transport:parse``"""

import json
from typing import cast, override

from app.commands.answers import OK, Answer, BadInput, plain
from app.commands.captured import read_captured
from app.commands.offered import read_offer
from app.commands.returned import as_returned
from app.transports.contract import (
    AskingWebhook,
    ProviderEvent,
    RawRequest,
    Webhook,
    WebhookRefused,
    WebhookUnreadable,
)
from app.transports.event_ids import event_id

REFUSED = 1


class TransportParse(Answer):
    signature: str = "transport:parse {name} {--url=} {--headers=} {--body=} {--unverified}"
    description: str = (
        "Read a captured webhook request and print its events as JSON lines; stores and changes"
        " nothing, and needs neither database nor broker. --url is the address that the provider"
        " called, --headers a file with a JSON object, --body a file with the bytes of the body."
        " The request is judged by the keys of the configuration, and by this moment where its"
        " signature has a time; --unverified reads it without. Exit code 1: it is refused."
    )

    @override
    async def answer(self) -> int:
        name = cast("str", self.argument("name"))
        make = read_offer(name).webhook
        if make is None:
            raise BadInput(f"{name} reports nothing, so there is nothing to read.")
        request = read_captured(self.text_of("url"), self.text_of("headers"), self.text_of("body"))
        try:
            events = await read(make(), request, unverified=bool(self.option("unverified")))
        except (WebhookRefused, WebhookUnreadable) as refusal:
            self.error(plain(f"Refused: {refusal}"))
            return REFUSED
        for event in events:
            self.line(json.dumps(shown(name, event, request), ensure_ascii=False))
        return OK


async def read(webhook: Webhook, request: RawRequest, *, unverified: bool) -> list[ProviderEvent]:
    """As the route does. Raises :class:`WebhookRefused` and :class:`WebhookUnreadable`."""
    try:
        if not unverified:
            if isinstance(webhook, AskingWebhook):
                await webhook.prepare(request)
            webhook.authenticate(request)
        return webhook.parse(request)
    except WebhookRefused, WebhookUnreadable:
        raise
    except Exception as error:
        raise WebhookUnreadable(f"the request can't be read ({type(error).__name__})") from error


def shown(name: str, event: ProviderEvent, request: RawRequest) -> dict[str, object]:
    """Fields that say nothing are ``null``."""
    return {
        "event_type": event.type.value,
        "message_id": event.message_id,
        "recipient": event.recipient or None,
        "reject_reason": event.reason or None,
        "event_id": event_id(name, event, request),
        "timestamp": event.occurred_at.isoformat() if event.occurred_at else None,
        "metadata": dict(as_returned(event.metadata, event.raw)),
        "tags": list(event.tags),
    }
