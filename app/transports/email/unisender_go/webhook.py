"""Unisender Go's webhooks: many reports in one body, or one, signed.

Source: https://godocs.unisender.ru/web-api-ref#callback-format
"""

from collections.abc import Iterator

from app.transports.contract import ProviderEvent, RawRequest, WebhookUnreadable
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
        """What is said of a whole domain is no news of a message, and is left out."""
        body = read_object(request.body)
        if body is None:
            raise WebhookUnreadable("The body is not a JSON object.")
        if text_in(body, "event_name"):
            found = [flat_event(body)]
        elif isinstance(body.get("events_by_user"), list):
            found = list(events_in(body))
        else:
            raise WebhookUnreadable("The body has neither an event nor a list of events.")
        return [event_of(one) for one in found if is_about_a_message(one)]


def events_in(body: Object) -> Iterator[Object]:
    """Each as the other form, of one event alone, would have it."""
    for user in map(as_object, list_in(body, "events_by_user")):
        for event in map(as_object, list_in(user, "events")):
            data = object_in(event, "event_data")
            yield {"event_name": text_in(event, "event_name"), **data}


def flat_event(body: Object) -> Object:
    return {name: value for name, value in body.items() if name not in ENVELOPE}


def is_about_a_message(event: Object) -> bool:
    is_status = text_in(event, "event_name") == ABOUT_A_MESSAGE
    return is_status and bool(text_in(event, "status"))
