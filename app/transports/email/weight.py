"""How big an email is, for the decision where it is built."""

from app.transports.contract import OutboundEmail

BIG = 250_000
"""Bytes above which a message is built in a thread, so that other sends go on meanwhile."""


def is_big(email: OutboundEmail) -> bool:
    files = sum(len(file.content) for file in email.files)
    return len(email.text) + len(email.html) + files > BIG
