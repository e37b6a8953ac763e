"""Resend's webhooks: one report in each request, signed as Svix signs.

Source: https://docs.svix.com/receiving/verifying-payloads/how-manual
"""

import base64
import hashlib
import hmac

from app.transports.contract import ProviderEvent, RawRequest, WebhookUnreadable
from app.transports.email.resend.config import ResendConfig, read_secret
from app.transports.email.resend.events import event_of
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import read_object, text_in
from app.transports.http.signed import Clock, now, require_match, require_recent

TOLERANCE = 300.0
"""Seconds, either way; each repetition of a report is signed anew."""

VERSION = "v1,"


class ResendWebhook:
    """Wants all that is configured: the signature, and the login in the address."""

    def __init__(self, config: ResendConfig, clock: Clock = now) -> None:
        self._auth = BasicAuth(config.webhook_logins)
        self._keys = [key for s in config.webhook_secrets if (key := read_secret(s))]
        self._clock = clock

    def authenticate(self, request: RawRequest) -> None:
        if self._auth.logins or not self._keys:
            self._auth.check(request)
        if self._keys:
            self._check_signature(request)

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        report = read_object(request.body)
        if report is None or not text_in(report, "type"):
            raise WebhookUnreadable("The body is not a report that names its type.")
        return [event_of(report)]

    def _check_signature(self, request: RawRequest) -> None:
        """A header lists signatures by several keys while a secret is changed."""
        written = header(request, "timestamp")
        signed = f"{header(request, 'id')}.{written}.".encode() + request.body
        listed = header(request, "signature").split(" ")
        given = [one.removeprefix(VERSION) for one in listed if one.startswith(VERSION)]
        right = [hmac.digest(key, signed, hashlib.sha256) for key in self._keys]
        require_match(
            [one.encode("utf-8", "replace") for one in given], map(base64.b64encode, right)
        )
        require_recent(written, self._clock, TOLERANCE)


def header(request: RawRequest, name: str) -> str:
    """Svix names its headers in two ways."""
    return request.headers.get(f"svix-{name}") or request.headers.get(f"webhook-{name}", "")
