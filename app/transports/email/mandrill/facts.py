"""What the rest of Pillarbox may know about Mandrill without asking."""

from app.transports.contract import Facts
from app.transports.email.mandrill.codes import ERROR_CODES, PAUSE_CODES

FACTS = Facts(
    name="mandrill",
    method="email",
    shows_everybody=False,
    max_webhook_bytes=10_000_000,
    max_message_bytes=25_000_000,
    error_codes={code: error.refusal.value for code, error in ERROR_CODES.items()},
    pause_codes=PAUSE_CODES,
)
"""Mandrill does not deduplicate. It repeats a report whose answer is not 200, and gives up after
many failures; one request holds up to 1,000 reports
(https://mailchimp.com/developer/transactional/docs/webhooks/).
"""
