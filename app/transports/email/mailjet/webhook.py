"""Mailjet's webhooks: one report in a request, or many of them, behind a user name and a password.

Mailjet signs nothing. Source: https://dev.mailjet.com/email/guides/webhooks/
"""

from app.transports.contract import ProviderEvent, RawRequest, WebhookUnreadable
from app.transports.email.batches import read_batch
from app.transports.email.mailjet.config import MailjetConfig
from app.transports.email.mailjet.events import event_of
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import Object, read_array, read_object, text_in


class MailjetWebhook:
    """Believes whoever knows the password; what they say of a message's end needs its keys too."""

    def __init__(self, config: MailjetConfig) -> None:
        self._auth = BasicAuth(config.webhook_logins)

    def authenticate(self, request: RawRequest) -> None:
        self._auth.check(request)

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        single = read_object(request.body)
        listed = read_array(request.body) if single is None else [single]
        if listed is None:
            raise WebhookUnreadable("The body is neither a report nor a list of reports.")
        return read_batch("Mailjet", listed, events_in)


def events_in(report: Object) -> list[ProviderEvent] | None:
    return [event_of(report)] if text_in(report, "event") else None
