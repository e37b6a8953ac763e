"""What the rest of Pillarbox may know about Mailjet without asking."""

from app.transports.contract import Facts

PAUSE_CODES = frozenset({"http_401"})
"""The key or its secret is wrong: no message of the account would be taken."""

FACTS = Facts(
    name="mailjet",
    method="email",
    shows_everybody=False,
    signs_webhooks=False,
    refused_status=401,
    max_message_bytes=11_000_000,
    pause_codes=PAUSE_CODES,
)
"""Mailjet does not deduplicate. It takes 15 MB with files in base64. A report
that is answered by anything but 200 comes again; for how long, its pages disagree.
"""
