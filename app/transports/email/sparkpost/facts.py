"""What the rest of Pillarbox may know about SparkPost without asking."""

from app.transports.contract import Facts
from app.transports.email.sparkpost.codes import ERROR_CODES, PAUSE_CODES

FACTS = Facts(
    name="sparkpost",
    method="email",
    signs_webhooks=False,
    max_webhook_bytes=10_000_000,
    refused_status=401,
    max_message_bytes=20_000_000,
    error_codes={code: error.refusal.value for code, error in ERROR_CODES.items()},
    pause_codes=PAUSE_CODES,
)
"""SparkPost does not deduplicate. Whoever is named as a receiver gets the message, and the headers
are written apart from that. A report whose answer is not 200 comes again for 8 hours
(https://developers.sparkpost.com/api/webhooks/).
"""
