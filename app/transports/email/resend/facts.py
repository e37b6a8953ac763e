"""What the rest of Pillarbox may know about Resend without asking."""

from app.transports.contract import Facts
from app.transports.email.resend.codes import ERROR_CODES, PAUSE_CODES

FACTS = Facts(
    name="resend",
    method="email",
    idempotency_window=24 * 3600.0,
    shows_everybody=False,
    max_message_bytes=29_000_000,
    error_codes={code: error.refusal.value for code, error in ERROR_CODES.items()},
    pause_codes=PAUSE_CODES,
)
"""Keys are kept for 24 hours (https://resend.com/docs/dashboard/emails/idempotency-keys); 40 MB are
taken after files became base64. A report that is not answered by 2xx comes again for some 28 hours
(https://resend.com/docs/dashboard/webhooks/introduction), so a refusal loses none at once.
"""
