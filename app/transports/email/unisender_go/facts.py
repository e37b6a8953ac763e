"""What the rest of Pillarbox may know about Unisender Go without asking."""

from app.transports.contract import Facts
from app.transports.email.unisender_go.codes import ERROR_CODES, PAUSE_CODES, REASONS

FACTS = Facts(
    name="unisender_go",
    method="email",
    max_webhook_bytes=10_000_000,
    max_message_bytes=10_000_000,
    error_codes={code: one.refusal.value for code, one in {**ERROR_CODES, **REASONS}.items()},
    pause_codes=PAUSE_CODES,
)
"""Whoever is named as a receiver gets the message, and the headers are written apart from that.
There is an ``idempotence_key`` since 2025 (https://godocs.unisender.ru/api-changelog), but what a
second request with it is answered is not known here, so that it isn't used. A report whose answer
is not 200 comes again, under another id each time.
"""
