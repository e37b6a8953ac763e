"""Mailgun's webhooks: one report in each request, with the signature inside.

Source: https://documentation.mailgun.com/docs/mailgun/user-manual/events/webhooks
"""

from app.transports.contract import (
    ProviderEvent,
    RawRequest,
    WebhookRefused,
    WebhookUnreadable,
)
from app.transports.email.mailgun import events, legacy
from app.transports.email.mailgun.config import MailgunConfig
from app.transports.email.mailgun.seen import SeenTokens, require_first
from app.transports.http.basic_auth import BasicAuth
from app.transports.http.objects import object_in, read_object, text_in
from app.transports.http.signed import Clock, hmac_sha256, now, require_match, require_recent

FORM = "application/x-www-form-urlencoded"


class MailgunWebhook:
    """Wants all that is configured: the signature, and the login in the address."""

    def __init__(self, config: MailgunConfig, clock: Clock = now) -> None:
        self._auth = BasicAuth(config.webhook_logins)
        self._keys = config.webhook_keys
        self._clock = clock
        self._max_age = config.webhook_max_age
        self._seen = SeenTokens(2 * self._max_age)

    async def prepare(self, request: RawRequest) -> None:
        """Only what is signed is remembered."""
        if token := self._prove(request):
            await require_first(token, request.body, 2 * self._max_age)

    def authenticate(self, request: RawRequest) -> None:
        if token := self._prove(request):
            self._seen.require_new_or_same(token, request.body, self._clock())

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        if is_form(request):
            form = legacy.read_form(request.body)
            if not form or not legacy.first(form, "event"):
                raise WebhookUnreadable("The form names no event.")
            return [legacy.event_of(form)]
        data = object_in(read_object(request.body) or {}, "event-data")
        if not text_in(data, "event"):
            raise WebhookUnreadable("The body is not a report that names its event.")
        return [events.event_of(data)]

    def _prove(self, request: RawRequest) -> str:
        """The token of the signature, where one is wanted."""
        if self._auth.logins or not self._keys:
            self._auth.check(request)
        if not self._keys:
            return ""
        written, token, signature = proof_of(request)
        signed = f"{written}{token}".encode("utf-8", "replace")
        right = [hmac_sha256(key, signed).hex().encode() for key in self._keys]
        require_match([signature.encode("utf-8", "replace")], right)
        require_recent(written, self._clock, self._max_age)
        return token


def is_form(request: RawRequest) -> bool:
    return request.headers.get("content-type", "").lower().startswith(FORM)


def proof_of(request: RawRequest) -> tuple[str, str, str]:
    """Time, token and signature. Raises :class:`WebhookRefused` where there are none."""
    if is_form(request):
        form = legacy.read_form(request.body) or []
        written, token, signature = (legacy.last(form, name) for name in legacy.PROOF)
    else:
        proof = object_in(read_object(request.body) or {}, "signature")
        written, token, signature = (text_in(proof, name) for name in legacy.PROOF)
    if not token:
        raise WebhookRefused("the report has no signature")
    return written, token, signature
