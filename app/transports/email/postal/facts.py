"""What the rest of Pillarbox may know about Postal without asking."""

from app.transports.contract import Facts
from app.transports.email.postal.codes import ERROR_CODES, PAUSE_CODES

FACTS = Facts(
    name="postal",
    method="email",
    max_webhook_bytes=30_000_000,
    error_codes={code: error.refusal.value for code, error in ERROR_CODES.items()},
    pause_codes=PAUSE_CODES,
)
"""Postal does not deduplicate. It repeats a report whose answer is not 2xx, several times within
hours. A message to us comes with all that is in it.
"""
