"""SparkPost's webhooks: many reports in one list, behind a user name and a password.

SparkPost signs nothing. Source: https://developers.sparkpost.com/api/webhooks/
"""

from collections.abc import Iterator

from app.transports.contract import ProviderEvent, RawRequest, WebhookUnreadable
from app.transports.email.sparkpost.config import SparkpostConfig
from app.transports.email.sparkpost.reports import event_of, inbound_event
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import Object, as_object, object_in, read_array, text_in

INBOUND = "relay_message"


class SparkpostWebhook:
    """Believes whoever knows the password; what they say of a message's end needs its keys too."""

    def __init__(self, config: SparkpostConfig) -> None:
        self._auth = BasicAuth(config.webhook_logins)

    def authenticate(self, request: RawRequest) -> None:
        self._auth.check(request)

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        """An empty envelope is a test; one that can't be read must not lose the others."""
        envelopes = read_array(request.body)
        if envelopes is None:
            raise WebhookUnreadable("The body is not a list of reports.")
        return [event for one in envelopes for event in events_in(as_object(one))]


def events_in(envelope: Object) -> Iterator[ProviderEvent]:
    """The name around an event says its class, which its type says too."""
    message = object_in(envelope, "msys")
    for name in message:
        event = object_in(message, name)
        if name == INBOUND:
            yield inbound_event(event)
        elif text_in(event, "type"):
            yield event_of(event)
