"""SMS by Twilio's Messages API.

Source: https://www.twilio.com/docs/messaging/api/message-resource
"""

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit, urlunsplit

import httpx

from app.transports.contract import (
    AttemptRef,
    CannotTell,
    Check,
    Facts,
    Fails,
    Found,
    Go,
    LeaseOver,
    LookUp,
    NotFound,
    NotSent,
    OutboundSms,
    Outcome,
    Rejected,
    RejectKind,
    Works,
)
from app.transports.http import NoAnswer, http_client
from app.transports.sms.twilio_api import TwilioApi
from app.transports.sms.twilio_codes import ERROR_CODES, ErrorClass, classify, explain
from app.transports.sms.twilio_config import SID, TwilioConfig
from app.transports.sms.twilio_events import event_of_message
from app.transports.sms.twilio_facts import FACTS
from app.transports.sms.twilio_media import find_media_problem
from app.transports.sms.twilio_outcomes import describe, outcome_of
from app.transports.sms.twilio_replies import Account, Message, Refusal, Reply, Unreadable

NO_KEY = (
    "Twilio lists messages by number and time only, not by our key, so a message without its id "
    "can't be told from another one to the same number."
)

LATE = "The time to send the message was over when Twilio was reached. Nothing was sent."


class TwilioTransport:
    """One Twilio account for one event loop; ``close`` gives back its connections."""

    def __init__(self, config: TwilioConfig, client: httpx.AsyncClient | None = None) -> None:
        self._config = config
        self._client = client or http_client(
            connections=config.connections,
            connect_timeout=config.connect_timeout,
            total_timeout=config.total_timeout,
            proxy=config.proxy or None,
        )
        self._api = TwilioApi(config, self._client)

    @property
    def facts(self) -> Facts:
        return FACTS

    async def send(self, sms: OutboundSms, go: Go) -> Outcome:
        """Hand one SMS to Twilio."""
        refused = find_refusal(sms, self._config)
        if refused is not None:
            return refused
        try:
            reply = await self._api.create(fields_of(sms, self._config), go)
        except NoAnswer as failure:
            return failure.outcome
        except LeaseOver:
            return NotSent(LATE, "lease_over")
        return outcome_of(reply, self._config.account_sid)

    async def status(self, message_id: str) -> LookUp:
        """Fetch one message. ``NotFound`` means that Twilio does not know this id (any more), not
        that the message was never sent."""
        if not SID.fullmatch(message_id):
            return CannotTell("This is not a message id of Twilio's.")
        try:
            reply = await self._api.fetch(message_id)
        except NoAnswer as failure:
            return CannotTell(failure.outcome.text)
        return look_up_of(reply, message_id, self._config.account_sid)

    async def find(self, attempt: AttemptRef) -> LookUp:
        """What Twilio knows of an attempt whose id we have; without one it is never certain."""
        if not attempt.message_id:
            return CannotTell(NO_KEY)
        found = await self.status(attempt.message_id)
        if isinstance(found, NotFound):
            return CannotTell("Twilio no longer knows the message that it had accepted.")
        return found

    async def check(self) -> Check:
        """Ask for the account."""
        try:
            reply = await self._api.account()
        except NoAnswer as failure:
            return Fails(failure.outcome.text)
        return check_of(reply, self._config.account_sid)

    async def close(self) -> None:
        await self._client.aclose()


def find_refusal(sms: OutboundSms, config: TwilioConfig) -> Rejected | None:
    """What Twilio must not even be asked."""
    problem = find_media_problem(sms.media_url) if sms.media_url else None
    if problem:
        return Rejected(f"The media address {problem}. Nothing was sent.", "media_url")
    if not (sms.sender or config.messaging_service_sid or config.from_number):
        text = "No sender: set TWILIO_FROM_NUMBER or TWILIO_MESSAGING_SERVICE_SID."
        return Rejected(text, "no_sender", RejectKind.CONFIGURATION)
    return None


def fields_of(sms: OutboundSms, config: TwilioConfig) -> Mapping[str, object]:
    """The fields of the request by the SDK's names; the item's own sender wins."""
    fields: dict[str, object] = {"to": sms.receiver, "body": sms.body}
    if sms.sender or not config.messaging_service_sid:
        fields["from_"] = sms.sender or config.from_number
    else:
        fields["messaging_service_sid"] = config.messaging_service_sid
    if sms.media_url:
        fields["media_url"] = [sms.media_url]
    if config.webhook_url:
        fields["status_callback"] = callback_url(config.webhook_url, sms)
    return fields


def callback_url(webhook_url: str, sms: OutboundSms) -> str:
    """Our keys ride in the query, which Twilio signs with the rest; a fragment stays last."""
    keys = urlencode({"queue_item": str(sms.item_id), "attempt": str(sms.attempt_id)})
    parts = urlsplit(webhook_url)
    query = f"{parts.query}&{keys}" if parts.query else keys
    return urlunsplit(parts._replace(query=query))


def check_of(reply: Account | Refusal | Unreadable, account_sid: str) -> Check:
    match reply:
        case Account(sid=sid, status="active") if sid == account_sid:
            return Works("Twilio was reached and knows the account, which is active.")
        case Account(sid=sid, status=status) if sid == account_sid and status:
            return Fails(f"Twilio was reached, and the account is {tidy_status(status)}.")
        case Account():
            return CannotTell("Twilio answered with another account.")
        case Refusal():
            code, text = describe(reply)
            kind = classify(reply.status, code)
            return Fails(text) if kind is ErrorClass.CONFIGURATION else CannotTell(text)
        case Unreadable(status):
            return CannotTell(f"Twilio's answer (HTTP {status}) can't be read.")


def tidy_status(status: str) -> str:
    return status if status in {"suspended", "closed"} else "not active"


def look_up_of(reply: Reply, sid: str, account_sid: str) -> LookUp:
    match reply:
        case Message(sid=found, account_sid=owner) if (found, owner) == (sid, account_sid):
            return Found((event_of_message(reply),), sid)
        case Message():
            return CannotTell("Twilio answered with another message or account.")
        case Refusal(status=404, code="20404"):
            return NotFound()
        case Refusal(status=status, code=code):
            text = explain(code) if code in ERROR_CODES else f"Twilio answered HTTP {status}."
            return CannotTell(text)
        case Unreadable(status):
            return CannotTell(f"Twilio's answer (HTTP {status}) can't be read.")
