"""MailerSend's webhooks: one report in each request, signed with the webhook's secret.

Source: https://developers.mailersend.com/api/v1/webhooks.html. The signature names no time: a
report that somebody repeats is the same event.
"""

from app.transports.contract import ProviderEvent, RawRequest, WebhookUnreadable
from app.transports.email.mailersend.config import MailersendConfig
from app.transports.email.mailersend.events import (
    ACTIVITY,
    INBOUND,
    TEST,
    event_of,
    inbound_event,
)
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import object_in, read_object, text_in
from app.transports.http.signed import require_hex_signature


class MailersendWebhook:
    """Wants all that is configured: the signature, and the login in the address."""

    def __init__(self, config: MailersendConfig) -> None:
        self._auth = BasicAuth(config.webhook_logins)
        self._secrets = config.webhook_secrets

    def authenticate(self, request: RawRequest) -> None:
        """When a webhook is made, MailerSend asks whether anybody is there, and signs that with
        another secret. It reports nothing, so that it needs no proof."""
        if self._auth.logins or not self._secrets:
            self._auth.check(request)
        if self._secrets and not is_test(request):
            require_hex_signature(self._secrets, request.headers.get("signature", ""), request.body)

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        """Reports about anything but messages are no events."""
        report = read_object(request.body)
        kind = text_in(report or {}, "type")
        if report is None or not kind:
            raise WebhookUnreadable("The body is not a report that names its type.")
        if kind == INBOUND:
            return [inbound_event(report)]
        if not kind.startswith(ACTIVITY):
            return []
        if not text_in(object_in(report, "data"), "type"):
            raise WebhookUnreadable("The report names no activity.")
        return [event_of(report)]


def is_test(request: RawRequest) -> bool:
    return text_in(read_object(request.body) or {}, "type") == TEST
