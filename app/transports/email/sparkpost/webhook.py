"""SparkPost's webhooks: many reports in one list, behind a user name and a password.

SparkPost signs nothing. Source: https://developers.sparkpost.com/api/webhooks/
"""

from collections.abc import Iterator

from app.transports.contract import ProviderEvent, RawRequest, WebhookUnreadable
from app.transports.email.batches import read_batch
from app.transports.email.sparkpost.config import SparkpostConfig
from app.transports.email.sparkpost.reports import event_of, inbound_event
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import Object, object_in, read_array, text_in

INBOUND = "relay_message"
TEST: Object = {"msys": {}}


class SparkpostWebhook:
    """Believes whoever knows the password; what they say of a message's end needs its keys too."""

    def __init__(self, config: SparkpostConfig) -> None:
        self._auth = BasicAuth(config.webhook_logins)

    def authenticate(self, request: RawRequest) -> None:
        self._auth.check(request)

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        envelopes = read_array(request.body)
        if envelopes is None:
            raise WebhookUnreadable("The body is not a list of reports.")
        return read_batch("SparkPost", envelopes, events_in)


def events_in(envelope: Object) -> list[ProviderEvent] | None:
    """An empty envelope is a test."""
    found = list(read_events(object_in(envelope, "msys")))
    return found if found or envelope == TEST else None


def read_events(message: Object) -> Iterator[ProviderEvent]:
    """The name around an event says its class, which its type says too."""
    for name in message:
        event = object_in(message, name)
        if name == INBOUND:
            yield inbound_event(event)
        elif text_in(event, "type"):
            yield event_of(event)
