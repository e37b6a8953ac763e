"""What the rest of Pillarbox may know about Amazon SES without asking."""

from app.transports.contract import Facts
from app.transports.email.amazon_ses.codes import ERROR_CODES, PAUSE_CODES

FACTS = Facts(
    name="amazon_ses",
    method="email",
    refused_status=401,
    unreadable_status=503,
    max_message_bytes=29_000_000,
    error_codes={code: error.refusal.value for code, error in ERROR_CODES.items()},
    pause_codes=PAUSE_CODES,
)
"""Amazon SES does not deduplicate. It takes 40 MB with files in base64
(https://docs.aws.amazon.com/ses/latest/dg/quotas.html). SNS sends the password of an address only
after a 401; any other 4xx is its last word, so that what can't be judged now is answered by 503
(https://docs.aws.amazon.com/sns/latest/dg/sns-message-delivery-retries.html).
"""
