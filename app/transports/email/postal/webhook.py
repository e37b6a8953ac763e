"""Postal's webhooks: one report in each request, signed by the installation.

The same key signs for every mail server of an installation, and ids of messages are numbers that
each of them counts by itself. Where others have servers there too, a password is wanted besides.
Source: https://docs.postalserver.io/developer/webhooks
"""

from app.transports.contract import ProviderEvent, RawRequest, WebhookUnreadable
from app.transports.email.postal.config import PostalConfig
from app.transports.email.postal.reports import event_of, inbound_event, is_about_ours
from app.transports.email.postal.signature import require_signature
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import object_in, read_object, text_in


class PostalWebhook:
    """Wants all that is configured: the signature, and the login in the address."""

    def __init__(self, config: PostalConfig) -> None:
        self._auth = BasicAuth(config.webhook_logins)
        self._keys = config.public_keys

    def authenticate(self, request: RawRequest) -> None:
        if self._auth.logins or not self._keys:
            self._auth.check(request)
        if self._keys:
            require_signature(request.headers, request.body, self._keys)

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        """What is said of messages that came in by this server is no news of ours."""
        report = read_object(request.body)
        if report is None:
            raise WebhookUnreadable("The body is not a JSON object.")
        if "rcpt_to" in report and "event" not in report:
            return [inbound_event(report)]
        if not (text_in(report, "event") or object_in(report, "payload")):
            raise WebhookUnreadable("The report names no event.")
        return [event_of(report)] if is_about_ours(report) else []
