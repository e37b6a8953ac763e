"""Twilio's status callbacks: who sent them, and what they say.

Source: https://www.twilio.com/docs/messaging/guides/track-outbound-message-status
"""

import hmac
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qs
from uuid import UUID

from app.transports.contract import (
    EventType,
    ProviderEvent,
    RawRequest,
    WebhookRefused,
    WebhookUnreadable,
)
from app.transports.sms.twilio_config import SID, TwilioConfig
from app.transports.sms.twilio_events import event_key, normal_code, reason_of, text_of, type_of
from app.transports.sms.twilio_facts import FACTS
from app.transports.sms.twilio_form import fields_of, is_form, pairs_of
from app.transports.sms.twilio_signature import (
    SHA1,
    SHA256,
    covers_body,
    named_algorithm,
    sign,
    signed_payloads,
)

INBOUND = frozenset({"", "receiving", "received"})
"""Statuses of messages to us; some inbound requests have none."""

OPT_OUTS = {"STOP": "unsubscribed", "START": "", "HELP": ""}
"""Twilio's ``OptOutType`` (Advanced Opt-Out)."""


class TwilioWebhook:
    """Believes what is signed with our account's secret for our own URL, and nothing else."""

    def __init__(self, config: TwilioConfig) -> None:
        self._config = config

    def authenticate(self, request: RawRequest) -> None:
        if len(request.body) > FACTS.max_webhook_bytes:
            raise WebhookRefused("the body is larger than Twilio's are")
        if not covers_body(request):
            raise WebhookRefused("the body is not covered by the signature")
        if not self._is_signed(request):
            raise WebhookRefused("the signature is missing or wrong")
        if names_foreign_account(request, self._config.account_sid):
            raise WebhookRefused("the AccountSid is not ours")

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        fields = fields_of(request)
        sid = fields.get("MessageSid", "")
        if not SID.fullmatch(sid):
            raise WebhookUnreadable("The request names no MessageSid.")
        status = (fields.get("MessageStatus") or fields.get("SmsStatus", "")).lower()
        if status in INBOUND:
            return [inbound_event(sid, status, fields)]
        return [status_event(sid, status, fields, request.query_string)]

    def _is_signed(self, request: RawRequest) -> bool:
        algorithm = named_algorithm(request.headers.get("x-twilio-webhooks-signature-settings", ""))
        stated = request.headers.get("x-twilio-signature", "").encode("utf-8", "replace")
        urls = tuple(dict.fromkeys((*request.urls, *self._own_urls(request.query_string))))
        try:
            payloads = tuple(signed_payloads(request, urls))
        except ValueError:
            return False
        return any(
            hmac.compare_digest(stated, sign(secret, payload, algorithm))
            for secret in self._secrets(algorithm)
            for payload in payloads
        )

    def _own_urls(self, query_string: bytes) -> Iterator[str]:
        """The URLs given to Twilio, with the query as it came."""
        query = query_string.decode("utf-8", "surrogateescape")
        for url in filter(None, (self._config.webhook_url, *self._config.public_urls)):
            base = url.partition("#")[0].partition("?")[0]
            yield f"{base}?{query}" if query else base

    def _secrets(self, algorithm: str) -> tuple[str, ...]:
        """A shared key, once configured, can't be got round by leaving out the unsigned header."""
        shared = self._config.shared_key
        if algorithm == SHA256:
            return (shared,) if shared else ()
        if algorithm == SHA1 and (not shared or self._config.sha1_with_shared_key):
            return self._config.auth_tokens
        return ()


def names_foreign_account(request: RawRequest, account_sid: str) -> bool:
    """One token may sign for several accounts; a request that names none is our account's."""
    if is_form(request):
        named = {value for name, value in pairs_of(request) if name == b"AccountSid"}
        return bool(named - {account_sid.encode()})
    try:
        return fields_of(request).get("AccountSid", account_sid) != account_sid
    except WebhookUnreadable:
        return False


def status_event(
    sid: str, status: str, fields: Mapping[str, str], query_string: bytes
) -> ProviderEvent:
    code = normal_code(fields.get("ErrorCode", ""))
    keys = parse_qs(query_string.decode("utf-8", "replace"))
    return ProviderEvent(
        event_key=event_key(sid, status, code),
        type=type_of(status),
        status=status,
        message_id=sid,
        item_key=as_uuid(keys.get("queue_item")),
        attempt_key=as_uuid(keys.get("attempt")),
        recipient=fields.get("To", ""),
        code=code,
        text=text_of(status, code),
        reason=reason_of(status, code),
        raw=dict(fields),
    )


def inbound_event(sid: str, status: str, fields: Mapping[str, str]) -> ProviderEvent:
    """A message to us. It is kept and moves nothing; the person concerned is its sender."""
    opt_out = fields.get("OptOutType", "").upper()
    return ProviderEvent(
        event_key=event_key(sid, status, ""),
        type=EventType.UNKNOWN,
        status=status,
        message_id=sid,
        recipient=fields.get("From", ""),
        text="Twilio: inbound message" + (f" ({opt_out})" if opt_out in OPT_OUTS else ""),
        reason=OPT_OUTS.get(opt_out, ""),
        raw=dict(fields),
    )


def as_uuid(values: list[str] | None) -> UUID | None:
    try:
        return UUID(values[0]) if values else None
    except ValueError:
        return None
