"""What SNS sends: an envelope around a report, or a question about a subscription.

Source: https://docs.aws.amazon.com/sns/latest/dg/http-subscription-confirmation-json.html and its
neighbours
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from app.transports.contract import RawRequest, WebhookRefused, WebhookUnreadable
from app.transports.email.amazon_ses.config import TOPIC, domain_of
from app.transports.email.api_events import from_iso
from app.transports.http.objects import Object, read_object, text_in

NOTIFICATION = "Notification"
CONFIRMATION = "SubscriptionConfirmation"
END = "UnsubscribeConfirmation"

SIGNED: Mapping[str, tuple[str, ...]] = {
    NOTIFICATION: ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"),
    **dict.fromkeys(
        (CONFIRMATION, END),
        ("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"),
    ),
}
"""What the signature covers, in its order
(https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html)."""

CERTIFICATE = re.compile(r"/SimpleNotificationService-[A-Za-z0-9]{1,64}\.pem")


@dataclass(frozen=True, slots=True)
class Notification:
    """``fields`` as they stand in the body."""

    fields: Object

    def __getitem__(self, name: str) -> str:
        return text_in(self.fields, name)

    @property
    def time(self) -> datetime | None:
        return from_iso(self["Timestamp"])

    @property
    def signed(self) -> bytes:
        """What SNS signs: names and values; a Subject only where there is one."""
        names = [name for name in SIGNED.get(self["Type"], ()) if name in self.fields]
        return "".join(f"{name}\n{self[name]}\n" for name in names).encode("utf-8", "replace")

    @property
    def host(self) -> str:
        """The only one that speaks for the topic: SNS in the topic's region."""
        found = TOPIC.fullmatch(self["TopicArn"])
        region = found[1] if found else ""
        return f"sns.{region}.{domain_of(region)}" if region else ""

    def is_from_host(self, url: str) -> bool:
        """Whether a URL is one of SNS itself, over TLS."""
        try:
            parts = urlsplit(url)
            plain = parts.port is None and parts.username is None
        except ValueError:
            return False
        return bool(self.host) and plain and (parts.scheme, parts.netloc) == ("https", self.host)

    def has_certificate_url(self) -> bool:
        """Nothing but a path of SNS's certificates: each other one would be fetched anew."""
        url = self["SigningCertURL"]
        prefix = f"https://{self.host}"
        return self.is_from_host(url) and bool(CERTIFICATE.fullmatch(url.removeprefix(prefix)))


def read_notification(request: RawRequest) -> Notification:
    """Raises :class:`WebhookUnreadable`."""
    notification = Notification(read_object(request.body) or {})
    if notification["Type"] not in SIGNED:
        raise WebhookUnreadable("The body is no notification of SNS.")
    return notification


def require_headers(request: RawRequest, notification: Notification) -> None:
    """Raises :class:`WebhookRefused` for what SNS doesn't send so."""
    for header, name in (("type", "Type"), ("id", "MessageId")):
        if request.headers.get(f"x-amz-sns-message-{header}", "") != notification[name]:
            raise WebhookRefused("the headers name another notification than the body")
