"""What the providers report to our webhooks, signed as they sign it."""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

TWILIO_TOKEN = "0" * 32
TWILIO_ACCOUNT = f"AC{'0' * 32}"
POSTMARK_PASSWORD = "x" * 43
POSTMARK_PATH, TWILIO_PATH = "/webhooks/email/postmark", "/webhooks/sms/twilio"
AT = "2026-09-21T14:13:20Z"


@dataclass(frozen=True, slots=True)
class Callback:
    path: str
    body: bytes
    headers: dict[str, str]


def of_sms(address: str, sid: str, receiver: str) -> Iterator[Callback]:
    """Three, as Twilio sends them. ``address``: of our web process."""
    for status in ("queued", "sent", "delivered"):
        fields = {
            "AccountSid": TWILIO_ACCOUNT,
            "MessageSid": sid,
            "MessageStatus": status,
            "SmsSid": sid,
            "SmsStatus": status,
            "To": receiver,
        }
        said = address + TWILIO_PATH + "".join(f"{n}{v}" for n, v in sorted(fields.items()))
        proof = hmac.digest(TWILIO_TOKEN.encode(), said.encode(), hashlib.sha1)
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "X-Twilio-Signature": base64.b64encode(proof).decode(),
        }
        yield Callback(TWILIO_PATH, urlencode(fields).encode(), headers)


def of_email(key: str, receiver: str, metadata: dict[str, str]) -> Iterator[Callback]:
    """Three, as Postmark sends them."""
    login = base64.b64encode(f"pillarbox:{POSTMARK_PASSWORD}".encode()).decode()
    headers = {"Content-Type": "application/json", "Authorization": f"Basic {login}"}
    common = {"MessageID": key, "Recipient": receiver, "Metadata": metadata}
    for report in (
        {"RecordType": "Delivery", "DeliveredAt": AT},
        {"RecordType": "Open", "ReceivedAt": AT, "FirstOpen": True},
        {"RecordType": "Click", "ReceivedAt": AT, "OriginalLink": "https://example.com"},
    ):
        yield Callback(POSTMARK_PATH, json.dumps(common | report).encode(), headers)
