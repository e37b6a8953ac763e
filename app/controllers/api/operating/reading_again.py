"""Has a provider's parser read a stored report once more, without asking again who sent it."""

import json
from typing import Any, cast
from urllib.parse import urlencode

from app.controllers.api.problems import Problem
from app.controllers.webhooks.tracked import fill_keys
from app.models.statements import Row
from app.transports.channels import current
from app.transports.contract import ProviderEvent, Webhook
from app.transports.stored_reports import read_stored

PRUNED = "The report as the provider sent it was pruned; it can only be applied again to the item."
UNCONFIGURED = "The provider is not configured (any more), so nobody can read its reports."
UNREADABLE = (
    "The parser can't read this report by itself: it came by asking, or in a form that is not kept."
)


def read_again(event: Row) -> list[ProviderEvent]:
    """What the parser makes of an event; raises :class:`Problem` when there is nothing to read."""
    raw = cast("dict[str, Any]", json.loads(event["raw"]))
    if not raw:
        raise Problem("conflict", PRUNED, reason="raw_pruned")
    method, webhook = find_webhook(event["provider"], event["method"])
    news = read_stored(webhook, raw, event["message_id"], keys_of(event))
    if not news:
        raise Problem("conflict", UNREADABLE, reason="unreadable")
    return fill_keys(news, current().tracking) if method == "email" else news


def find_webhook(provider: str, method: str | None) -> tuple[str, Webhook]:
    """The provider's parser, for items of the method if that is known."""
    found = {m: hook for (m, name), hook in current().webhooks.items() if name == provider}
    if not found:
        raise Problem("conflict", UNCONFIGURED, reason="not_configured")
    chosen = method if method in found else min(found)
    return chosen, found[chosen]


def keys_of(event: Row) -> bytes:
    """Our keys as the address of a callback carries them."""
    keys = {"queue_item": event["item_key"], "attempt": event["attempt_key"]}
    return urlencode({name: str(key) for name, key in keys.items() if key is not None}).encode()
