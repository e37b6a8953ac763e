"""Unisender Go's webhooks: many reports in one body, or one, signed.

Source: https://godocs.unisender.ru/web-api-ref#callback-format
"""

from collections.abc import Iterator

from app.transports.contract import ProviderEvent, RawRequest, WebhookUnreadable
from app.transports.email.batches import read_batch
from app.transports.email.unisender_go.config import UnisenderGoConfig
from app.transports.email.unisender_go.reports import event_of
from app.transports.email.unisender_go.signature import require_signature
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import Object, as_object, list_in, object_in, read_object, text_in

ABOUT_A_MESSAGE = "transactional_email_status"
ENVELOPE = frozenset({"auth", "user_id", "project_id", "project_name"})


class UnisenderGoWebhook:
    """Wants the signature, and the login in the address where there is one."""

    def __init__(self, config: UnisenderGoConfig) -> None:
        self._auth = BasicAuth(config.webhook_logins)
        self._keys = config.signing_keys

    def authenticate(self, request: RawRequest) -> None:
        if self._auth.logins or not self._keys:
            self._auth.check(request)
        if self._keys:
            require_signature(request.body, self._keys)

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        body = read_object(request.body)
        if body is None:
            raise WebhookUnreadable("The body is not a JSON object.")
        if text_in(body, "event_name"):
            found: list[object] = [flat_event(body)]
        elif isinstance(body.get("events_by_user"), list):
            found = list(events_in(body))
        else:
            raise WebhookUnreadable("The body has neither an event nor a list of events.")
        return read_batch("Unisender Go", found, read_event)


def read_event(event: Object) -> list[ProviderEvent] | None:
    """What is said of a whole domain is no news of a message, and is left out."""
    name = text_in(event, "event_name")
    if name != ABOUT_A_MESSAGE:
        return [] if name else None
    return [event_of(event)] if text_in(event, "status") else None


def events_in(body: Object) -> Iterator[object]:
    for user in map(as_object, list_in(body, "events_by_user")):
        yield from map(flatten, list_in(user, "events"))


def flatten(event: object) -> object:
    """As the other form, of one event alone, would have it."""
    name = text_in(as_object(event), "event_name")
    data = object_in(as_object(event), "event_data")
    return {"event_name": name, **data} if name else event


def flat_event(body: Object) -> Object:
    return {name: value for name, value in body.items() if name not in ENVELOPE}
