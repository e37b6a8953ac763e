"""What the rest of Pillarbox may know about Twilio without asking."""

from app.transports.contract import Facts
from app.transports.sms.twilio_codes import ERROR_CODES

FACTS = Facts(
    name="twilio",
    method="sms",
    max_webhook_bytes=64_000,
    pause_codes=frozenset({"20003", "20005", "20006", "30002", "http_401"}),
    error_codes={code: error.kind.value for code, error in ERROR_CODES.items()},
)
"""Twilio does not deduplicate, waits 15 s for a webhook's answer and repeats it once at most."""
