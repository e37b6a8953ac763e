"""Messages that others send to us: of them nothing is read but their id."""

from email.parser import HeaderParser

from app.transports.email.tidy import tidy

LONGEST_ID = 500


def id_in(message: str) -> str | None:
    """The Message-ID of a message."""
    written = HeaderParser().parsestr(message).get("Message-ID")
    return tidy(str(written), ())[:LONGEST_ID] or None if written else None
