"""What the rest of Pillarbox may know about SendGrid without asking."""

from app.transports.contract import Facts

PAUSE_CODES = frozenset({"http_401"})
"""The key is wrong, or the credits are used up: no message of the account would be taken."""

FACTS = Facts(
    name="sendgrid",
    method="email",
    shows_everybody=False,
    max_message_bytes=21_000_000,
    pause_codes=PAUSE_CODES,
)
"""SendGrid has no error codes and does not deduplicate. 30 MB are taken with files in base64
(https://www.twilio.com/docs/sendgrid/api-reference/mail-send/limitations). A report that is not
answered by 2xx comes again for 24 hours, so a refusal loses none at once.
"""
