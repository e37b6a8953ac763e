"""What the rest of Pillarbox may know about Mailgun without asking."""

from app.transports.contract import Facts
from app.transports.email.mailgun.codes import ERROR_CODES, PAUSE_CODES

FACTS = Facts(
    name="mailgun",
    method="email",
    shows_everybody=False,
    max_message_bytes=18_000_000,
    error_codes={code: error.refusal.value for code, error in ERROR_CODES.items()},
    pause_codes=PAUSE_CODES,
)
"""Mailgun does not deduplicate. It takes 25 MB with files in base64. A report that is answered by
anything but 200 and 406 comes again for 8 hours, so a refusal loses none at once
(https://documentation.mailgun.com/docs/mailgun/user-manual/events/webhooks).
"""
