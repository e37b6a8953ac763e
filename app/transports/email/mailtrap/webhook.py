"""Mailtrap's webhooks: many reports in each request, signed with the webhook's secret.

Source: https://help.mailtrap.io/article/102-webhooks. They are JSON, or JSON Lines, as the webhook
is set up. The signature names no time: a report that somebody repeats is the same event.
"""

from app.transports.contract import ProviderEvent, RawRequest, WebhookUnreadable
from app.transports.email.batches import read_batch
from app.transports.email.mailtrap.config import MailtrapConfig
from app.transports.email.mailtrap.events import event_of
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import Object, list_in, read_object, text_in
from app.transports.http.signed import require_hex_signature

SIGNATURE = "mailtrap-signature"


class MailtrapWebhook:
    """Wants all that is configured: the signature, and the login in the address."""

    def __init__(self, config: MailtrapConfig) -> None:
        self._auth = BasicAuth(config.webhook_logins)
        self._secrets = config.webhook_secrets

    def authenticate(self, request: RawRequest) -> None:
        if self._auth.logins or not self._secrets:
            self._auth.check(request)
        if self._secrets:
            given = request.headers.get(SIGNATURE, "")
            require_hex_signature(self._secrets, given, request.body)

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        return read_batch("Mailtrap", read_reports(request.body), events_in)


def events_in(report: Object) -> list[ProviderEvent] | None:
    return [event_of(report)] if text_in(report, "event") else None


def read_reports(body: bytes) -> list[object]:
    """A line that is no JSON stays a text. Raises :class:`WebhookUnreadable`."""
    whole = read_object(body)
    if whole is not None and "events" in whole:
        if not isinstance(whole["events"], list):
            raise WebhookUnreadable("The events are no list.")
        return list_in(whole, "events")
    lines = [line for line in body.splitlines() if line.strip()]
    if not lines:
        raise WebhookUnreadable("The body is empty.")
    return [read_object(line) or line.decode("utf-8", "replace") for line in lines]
