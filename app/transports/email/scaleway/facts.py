"""What the rest of Pillarbox may know about Scaleway without asking."""

from app.transports.contract import Facts
from app.transports.email.scaleway.codes import ERROR_CODES, PAUSE_CODES

FACTS = Facts(
    name="scaleway",
    method="email",
    shows_everybody=False,
    signs_webhooks=False,
    refused_status=401,
    error_codes={code: error.refusal.value for code, error in ERROR_CODES.items()},
    pause_codes=PAUSE_CODES,
)
"""Scaleway does not deduplicate. Its Topics and Events are said to do as Amazon SNS does, which
sends a password only after 401 and repeats what is not answered by 2xx. How its signatures are
checked stands on no page, so that a password is all that protects reports.
"""
