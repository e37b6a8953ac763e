"""Mandrill's webhooks: many reports in one form, signed.

Source: https://mailchimp.com/developer/transactional/docs/webhooks/
"""

from app.transports.contract import (
    ProviderEvent,
    RawRequest,
    WebhookUnreadable,
)
from app.transports.email.batches import read_batch
from app.transports.email.mandrill.config import MandrillConfig
from app.transports.email.mandrill.reports import event_of, is_event
from app.transports.email.mandrill.signature import Pairs, addresses, read_form, sign
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import Object, read_array
from app.transports.http.signed import require_match

FIELD = "mandrill_events"
HEADER = "x-mandrill-signature"
BEFORE_THE_KEY = "test-webhook"
"""What the test of a webhook is signed with, before there is a key. Such a test holds no events; it
rests on what others saw, not on Mandrill's pages."""


class MandrillWebhook:
    """Wants all that is configured: the signature, and the login in the address."""

    def __init__(self, config: MandrillConfig) -> None:
        self._auth = BasicAuth(config.webhook_logins)
        self._keys = config.webhook_keys

    def authenticate(self, request: RawRequest) -> None:
        if self._auth.logins or not self._keys:
            self._auth.check(request)
        if self._keys:
            self._check_signature(request)

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        events = read_array(dict(read_form(request.body)).get(FIELD, "").encode("utf-8", "replace"))
        if events is None:
            raise WebhookUnreadable(f"The form has no list of events in {FIELD}.")
        return read_batch("Mandrill", events, events_in)

    def _check_signature(self, request: RawRequest) -> None:
        form = read_form(request.body)
        given = request.headers.get(HEADER, "").encode("utf-8", "replace")
        urls = list(addresses(request.urls, self._auth.logins))
        keys = (*self._keys, BEFORE_THE_KEY) if is_test(form) else self._keys
        require_match([given], [sign(key, url, form) for key in keys for url in urls])


def events_in(event: Object) -> list[ProviderEvent] | None:
    return [event_of(event)] if is_event(event) else None


def is_test(form: Pairs) -> bool:
    return form == [(FIELD, "[]")]
