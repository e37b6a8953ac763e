"""What the rest of Pillarbox may know about Postmark without asking."""

from app.transports.contract import Facts
from app.transports.email.postmark.codes import ERROR_CODES, PAUSE_CODES

FACTS = Facts(
    name="postmark",
    method="email",
    shows_everybody=False,
    signs_webhooks=False,
    refused_status=401,
    max_message_bytes=10_000_000,
    error_codes={code: error.refusal.value for code, error in ERROR_CODES.items()},
    pause_codes=PAUSE_CODES,
)
"""Postmark does not deduplicate, and has no receivers apart from the headers. A wrong password is
answered by 401, because 403 ends the repetitions of a report for good; they go on for 10 hours for
bounces, for 15 minutes for the others (https://postmarkapp.com/developer/webhooks/webhooks-overview).
"""
