"""SendGrid's webhooks: many reports in each request, signed if that was set up there.

Source: https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event
"""

from app.transports.contract import ProviderEvent, RawRequest, WebhookUnreadable
from app.transports.email.batches import read_batch
from app.transports.email.sendgrid.config import SendgridConfig
from app.transports.email.sendgrid.events import event_of
from app.transports.email.sendgrid.signature import read_key, require_signature
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import Object, read_array, text_in
from app.transports.http.signed import Clock, now, require_recent

TOLERANCE = 25 * 3600.0
"""Seconds, either way. SendGrid names none; it repeats for 24 hours, and nobody says whether a
repetition is signed anew. What comes again is the same events."""

SIGNATURE = "x-twilio-email-event-webhook-signature"
TIMESTAMP = "x-twilio-email-event-webhook-timestamp"


class SendgridWebhook:
    """Wants all that is configured: the signature, and the login in the address."""

    def __init__(self, config: SendgridConfig, clock: Clock = now) -> None:
        self._auth = BasicAuth(config.webhook_logins)
        self._keys = [key for text in config.webhook_keys if (key := read_key(text))]
        self._clock = clock

    def authenticate(self, request: RawRequest) -> None:
        if self._auth.logins or not self._keys:
            self._auth.check(request)
        if self._keys:
            written = request.headers.get(TIMESTAMP, "")
            signed = written.encode("utf-8", "replace") + request.body
            require_signature(self._keys, request.headers.get(SIGNATURE, ""), signed)
            require_recent(written, self._clock, TOLERANCE)

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        listed = read_array(request.body)
        if listed is None:
            raise WebhookUnreadable("The body is not a list of reports.")
        return read_batch("SendGrid", listed, events_in)


def events_in(report: Object) -> list[ProviderEvent] | None:
    return [event_of(report)] if text_in(report, "event") else None
