"""What the rest of Pillarbox may know about Brevo without asking."""

from app.transports.contract import Facts
from app.transports.email.brevo.codes import ERROR_CODES, PAUSE_CODES

FACTS = Facts(
    name="brevo",
    method="email",
    idempotency_window=15 * 60.0,
    shows_everybody=False,
    signs_webhooks=False,
    refused_status=429,
    unreadable_status=400,
    not_stored_status=429,
    max_message_bytes=20_000_000,
    error_codes={code: error.refusal.value for code, error in ERROR_CODES.items()},
    pause_codes=PAUSE_CODES,
)
"""A report that is answered by anything but 2xx and 429 is lost; after 429 it comes again, the last
time after 8 hours (https://developers.brevo.com/docs/how-to-use-webhooks). So a wrong password is
answered by 429, and only what can't be read by 400.

A key is remembered for 30 minutes by one page and for 15 by another; the shorter time counts
(https://developers.brevo.com/docs/heterogenous-versions-batch-emails). It takes 20 MB by
https://help.brevo.com, which nobody checked at an account.
"""
