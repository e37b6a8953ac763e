"""What the rest of Pillarbox may know about MailerSend without asking."""

from app.transports.contract import Facts
from app.transports.email.mailersend.codes import ERROR_CODES, PAUSE_CODES

FACTS = Facts(
    name="mailersend",
    method="email",
    shows_everybody=False,
    max_message_bytes=18_000_000,
    error_codes={code: error.refusal.value for code, error in ERROR_CODES.items()},
    pause_codes=PAUSE_CODES,
)
"""MailerSend does not deduplicate. It takes 25 MB with files in base64. A report that is not
answered by 2xx comes again for some 3 days, and then the webhook is paused; that rests on a
description by others.
"""
