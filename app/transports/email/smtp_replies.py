"""What a mail server's refusals mean (RFC 5321 section 4.2, RFC 3463)."""

import base64
import re

from app.transports.contract import Outcome, Rejected, RejectKind, TryLater

LEAST_WAIT = 60.0
"""Seconds after "try again" from a greylist or a server that closes: sooner is refused again."""

SERVICE_CLOSING = 421
MAILBOX_BUSY = frozenset({450, 451})
STORAGE_EXCEEDED = 552

ACCOUNT = frozenset({530, 534, 535, 538})
"""RFC 4954 section 6: log in first, log in otherwise, wrong password, encrypt first."""

RELAYING = re.compile(
    r"relay\w* (access )?(is )?(denied|not (permitted|allowed)|prohibited)"
    r"|(not (permitted|allowed|authorized)|unable|refuse[sd]?) to relay"
    r"|(do|does|will) not relay|authenticat\w+ (is )?required|must authenticate",
    re.IGNORECASE,
)
GREYLISTING = re.compile(r"^4\.7\.\d+|gr[ae]y-?list", re.IGNORECASE)
ABOUT_THE_MAILBOX_OR_SIZE = re.compile(r"^5\.[23]\.\d+")


def write_reply(code: int, message: str) -> str:
    return f"{code} {message}".strip()


def read_refusal(code: int, message: str) -> Outcome | None:
    """The outcome of an answer to MAIL, RCPT, DATA or the message; None for no refusal."""
    text = write_reply(code, message)
    if 400 <= code < 500:
        wait = LEAST_WAIT if asks_to_wait(code, message) else None
        return TryLater(text, str(code), retry_after=wait)
    if 500 <= code < 600:
        ours = code in ACCOUNT or RELAYING.search(message)
        kind = RejectKind.CONFIGURATION if ours else RejectKind.REJECTED
        return Rejected(text, str(code), kind)
    return None


def read_receiver_refusal(code: int, message: str) -> Outcome | None:
    """As :func:`read_refusal`, for RCPT, where a bare 552 stands for 452, "too many recipients".

    Source: RFC 5321 section 4.5.3.1.10.
    """
    if code == STORAGE_EXCEEDED and not ABOUT_THE_MAILBOX_OR_SIZE.search(message):
        return TryLater(write_reply(code, message), str(code), retry_after=LEAST_WAIT)
    return read_refusal(code, message)


def read_session_refusal(code: int, message: str) -> Outcome | None:
    """As :func:`read_refusal`, before any message was named: a 5xx is about us, not about it."""
    if 500 <= code < 600:
        return Rejected(write_reply(code, message), str(code), RejectKind.CONFIGURATION)
    return read_refusal(code, message)


def asks_to_wait(code: int, message: str) -> bool:
    greylisted = code in MAILBOX_BUSY and GREYLISTING.search(message)
    return code == SERVICE_CLOSING or bool(greylisted)


def secret_forms(username: str, password: str) -> tuple[str, ...]:
    """A password in each form in which AUTH sends it, for a server that quotes what it got."""
    if not password:
        return ()
    sent = (f"\0{username}\0{password}", password)
    return (*(base64.b64encode(form.encode()).decode() for form in sent), password)
